/** Which hotline a member gets, and which they have: the vendor's response if it says so, else our own record. */
import type { HotlineRow, MemberNo, MemberRow } from './vendor/data.ts';
import { HotlineList } from './vendor/hotline-list.ts';
import { VendorError } from './vendor/response.ts';
import { within } from './vendor/timeout.ts';
import type { OpenApi } from './vendor.ts';

/** Keeps which numbers were assigned to whom; nothing is ever taken off it. */
export interface AssignmentRecord {
  numbersOf(memberNo: string): Promise<readonly string[]>;
  add(memberNo: string, number: string): Promise<void>;
}

export interface AssignmentResult {
  readonly status: 'done' | 'skipped' | 'failed';
  /** For people; holds no secret. */
  readonly detail: string;
  /** What the member has now. */
  readonly hotlines: readonly HotlineRow[];
  readonly error?: VendorError;
}

/** An agent waits no longer than this for our own record. */
const RECORD_MS = 1000;

/** The configured hotline, else the first listed. A configured one that is not listed is never replaced by another. */
export function chooseHotline(
  listed: readonly HotlineRow[],
  code: string | undefined,
): HotlineRow | undefined {
  return code === undefined ? listed[0] : listed.find((hotline) => hotline.code === code);
}

export class Hotlines {
  readonly #vendor: OpenApi;
  readonly #record: AssignmentRecord;
  readonly #list: HotlineList;
  readonly #known = new Map<MemberNo, readonly string[]>();

  constructor(vendor: OpenApi, record: AssignmentRecord) {
    this.#vendor = vendor;
    this.#record = record;
    this.#list = new HotlineList(() => vendor.listHotlines());
  }

  /** The project's hotlines, usually without asking; @throws {VendorError} */
  list(): Promise<readonly HotlineRow[]> {
    return this.#list.get();
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
    // Without our record it is assigned again, which does no harm; a token withheld would.
    const assigned = (await this.assignedTo(memberNo, member, listed)) ?? [];
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
    this.#known.set(memberNo, [...(this.#known.get(memberNo) ?? []), wanted.number]);
    await within(RECORD_MS, this.#record.add(memberNo, wanted.number)).catch(() => undefined);
    return { status: 'done', detail: `${wanted.name} assigned`, hotlines: [wanted] };
  }

  /** Those of the listed hotlines that the member has; undefined when neither the vendor nor our record can say. */
  async assignedTo(
    memberNo: MemberNo,
    member: MemberRow,
    listed: readonly HotlineRow[],
  ): Promise<HotlineRow[] | undefined> {
    const numbers = member.hotlines ?? (await this.#recorded(memberNo).catch(() => undefined));
    return (
      numbers &&
      listed.filter(({ number, code }) =>
        numbers.some((one) => one === code || inNationalForm(one) === inNationalForm(number)),
      )
    );
  }

  async #recorded(memberNo: MemberNo): Promise<readonly string[]> {
    const known = this.#known.get(memberNo);
    if (known) return known;
    const numbers = await within(RECORD_MS, this.#record.numbersOf(memberNo));
    if (numbers.length > 0) this.#known.set(memberNo, numbers);
    return numbers;
  }
}

/** The vendor writes numbers in international and in national form. */
function inNationalForm(number: string): string {
  return number.replace(/^\+?84/, '0');
}
