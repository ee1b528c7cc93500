/** Which hotline a member gets, and which they have: the vendor's answer if it says so, else our own record. */
import * as z from 'zod/mini';
import { JsonLines } from './json-lines.ts';
import { VendorError, type MemberNo, type OpenApi } from './open-api.ts';
import type { HotlineRow, MemberRow } from './vendor-data.ts';

const assignmentSchema = z.object({ memberNo: z.string(), number: z.string(), at: z.string() });
type Assignment = z.infer<typeof assignmentSchema>;

export interface AssignmentResult {
  readonly status: 'done' | 'skipped' | 'failed';
  /** For people; holds no secret. */
  readonly detail: string;
  /** What the member has now. */
  readonly hotlines: readonly HotlineRow[];
  readonly error?: VendorError;
}

/** The configured hotline, else the first listed. A configured one that is not listed is never replaced by another. */
export function chooseHotline(
  listed: readonly HotlineRow[],
  code: string | undefined,
): HotlineRow | undefined {
  return code === undefined ? listed[0] : listed.find((hotline) => hotline.code === code);
}

export class Hotlines {
  readonly #vendor: OpenApi;
  readonly #lines: JsonLines<Assignment>;
  readonly #numbers = new Map<string, Set<string>>();

  /** The file keeps what was assigned: the vendor's member answer need not list it. */
  constructor(vendor: OpenApi, path: string) {
    this.#vendor = vendor;
    this.#lines = new JsonLines(path, assignmentSchema, ({ memberNo, number }) => {
      this.#numbers.set(memberNo, new Set(this.#numbers.get(memberNo)).add(number));
    });
  }

  /**
   * Sees to it that the member, as just read, has one of the listed hotlines: the wanted one, if they have none.
   * `missing`: the agent says that there is none, which outweighs our own record, though not the vendor's list.
   */
  async ensure(
    memberNo: MemberNo,
    member: MemberRow,
    listed: readonly HotlineRow[],
    wanted: HotlineRow | undefined,
    missing = false,
  ): Promise<AssignmentResult> {
    const assigned = await this.assignedTo(memberNo, member, listed);
    if (assigned.length > 0 && !(missing && !member.hotlines)) {
      const names = assigned.map(({ name }) => name).join(', ');
      return { status: 'skipped', detail: `has ${names}`, hotlines: assigned };
    }
    if (!wanted) return { status: 'failed', detail: 'there is none to assign', hotlines: [] };
    try {
      await this.#vendor.assignHotline(memberNo, wanted.number);
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      return { status: 'failed', detail: error.message, hotlines: [], error };
    }
    await this.#remember(memberNo, wanted);
    return { status: 'done', detail: `${wanted.name} assigned`, hotlines: [wanted] };
  }

  /** Those of the listed hotlines that the member has. */
  async assignedTo(
    memberNo: MemberNo,
    member: MemberRow,
    listed: readonly HotlineRow[],
  ): Promise<HotlineRow[]> {
    if (!member.hotlines) await this.#lines.refresh();
    const known = [...(member.hotlines ?? this.#numbers.get(memberNo) ?? [])];
    return listed.filter(({ number, code }) =>
      known.some((one) => one === code || isSameNumber(one, number)),
    );
  }

  #remember(memberNo: MemberNo, { number }: HotlineRow): Promise<void> {
    const row = { memberNo, number, at: new Date().toISOString() };
    return this.#lines.update(() => ({ row, result: undefined }));
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

function isSameNumber(a: string, b: string): boolean {
  return inNationalForm(a) === inNationalForm(b);
}

/** The vendor writes numbers in international and in national form. */
function inNationalForm(number: string): string {
  return number.replace(/^\+?84/, '0');
}
