/** Which hotline a member gets, and which they have: the vendor's answer if it says so, else our own record. */
import type { Database } from './money/database.ts';
import type { HotlineRow, MemberRow } from './open-api/data.ts';
import { VendorError, type MemberNo, type OpenApi } from './open-api/open-api.ts';

export interface AssignmentResult {
  readonly status: 'done' | 'skipped' | 'failed';
  /** For people; holds no secret. */
  readonly detail: string;
  /** What the member has now. */
  readonly hotlines: readonly HotlineRow[];
  readonly error?: VendorError;
}

/** How long a list counts as new, and how long an older one is good enough while a new one is on its way. */
const FRESH_MS = 60_000;
const USABLE_MS = 10 * 60_000;

/** The configured hotline, else the first listed. A configured one that is not listed is never replaced by another. */
export function chooseHotline(
  listed: readonly HotlineRow[],
  code: string | undefined,
): HotlineRow | undefined {
  return code === undefined ? listed[0] : listed.find((hotline) => hotline.code === code);
}

export class Hotlines {
  readonly #vendor: OpenApi;
  readonly #database: Database;
  #list: { readonly hotlines: readonly HotlineRow[]; readonly at: number } | undefined;
  #listing: Promise<readonly HotlineRow[]> | undefined;
  /** What we know to be on record; nothing is ever taken off it. */
  readonly #onRecord = new Map<MemberNo, readonly string[]>();

  /** The database keeps what was assigned: the vendor's member answer need not list it. */
  constructor(vendor: OpenApi, database: Database) {
    this.#vendor = vendor;
    this.#database = database;
  }

  /** The project's hotlines, usually without asking; @throws {VendorError} */
  async list(): Promise<readonly HotlineRow[]> {
    const age = performance.now() - (this.#list?.at ?? 0);
    if (!this.#list || age > USABLE_MS) return this.#refresh();
    // A failure shows when the list is too old to be used.
    if (age > FRESH_MS) this.#refresh().catch(() => undefined);
    return this.#list.hotlines;
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
    const assigned = await this.assignedTo(memberNo, member, listed).catch((): HotlineRow[] => []);
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
    await this.#remember(memberNo, wanted).catch(() => undefined);
    return { status: 'done', detail: `${wanted.name} assigned`, hotlines: [wanted] };
  }

  /** Those of the listed hotlines that the member has. */
  async assignedTo(
    memberNo: MemberNo,
    member: MemberRow,
    listed: readonly HotlineRow[],
  ): Promise<HotlineRow[]> {
    const known = member.hotlines ?? (await this.#recorded(memberNo));
    return listed.filter(({ number, code }) =>
      known.some((one) => one === code || isSameNumber(one, number)),
    );
  }

  #refresh(): Promise<readonly HotlineRow[]> {
    this.#listing ??= this.#vendor
      .listHotlines()
      .then((hotlines) => {
        this.#list = { hotlines, at: performance.now() };
        return hotlines;
      })
      .finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  async #recorded(memberNo: MemberNo): Promise<readonly string[]> {
    const known = this.#onRecord.get(memberNo);
    if (known) return known;
    const rows = await this.#database.all('select number from assignment where member = ?', [memberNo]);
    const numbers = rows.map(({ number }) => String(number));
    if (numbers.length > 0) this.#onRecord.set(memberNo, numbers);
    return numbers;
  }

  async #remember(memberNo: MemberNo, { number }: HotlineRow): Promise<void> {
    await this.#database.all('insert into assignment (member, number) values (?, ?) on conflict do nothing', [
      memberNo,
      number,
    ]);
    this.#onRecord.delete(memberNo);
  }
}

function isSameNumber(a: string, b: string): boolean {
  return inNationalForm(a) === inNationalForm(b);
}

/** The vendor writes numbers in international and in national form. */
function inNationalForm(number: string): string {
  return number.replace(/^\+?84/, '0');
}
