/** Which hotline a member gets, and which ones they have: from the vendor's response, else from our own record. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Database } from './store/database.ts';
import { memberKey, type HotlineRow, type MemberNo, type MemberRow, type OpenApi } from './vbot/api.ts';
import { VendorError } from './vbot/errors.ts';

export interface AssignmentResult {
  readonly status: 'done' | 'skipped' | 'failed';
  /** For logs and operators; holds no secret. */
  readonly detail: string;
  /** What the member has now; undefined: unknown. */
  readonly hotlines: readonly HotlineRow[] | undefined;
  readonly error?: VendorError;
}

/** An older list is used once more while it is refreshed. */
const FRESH_MS = 60_000;
const MEMBERS = 10_000;
/** An agent waits at most a second for our own record: half of it to read, half to write. */
const inTime = timeout(500, TimeoutStrategy.Aggressive);

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
  readonly #listed: LRUCache<'listed', readonly HotlineRow[]>;
  /** The numbers that we have assigned, by member. Another process may assign more: the record is read again after a while. */
  readonly #assigned = new LRUCache<MemberNo, readonly string[]>({
    max: MEMBERS,
    ttl: FRESH_MS,
    noDeleteOnStaleGet: true,
  });

  constructor(vendor: OpenApi, database: Database) {
    this.#vendor = vendor;
    this.#database = database;
    this.#listed = new LRUCache({
      max: 1,
      ttl: FRESH_MS,
      allowStale: true,
      // Not `allowStaleOnFetchRejection`, which hides the error also where there is no older list.
      fetchMethod: (_, stale) =>
        vendor.listHotlines().catch((error: unknown) => {
          if (stale) return stale;
          throw error;
        }),
    });
  }

  /** The project's hotlines, usually without asking; @throws {VendorError} */
  async list({ isFresh = false } = {}): Promise<readonly HotlineRow[]> {
    return (await this.#listed.fetch('listed', { forceRefresh: isFresh, allowStale: !isFresh })) ?? [];
  }

  /** Those of the listed hotlines that the member has; undefined when neither the vendor nor our record can say. */
  async assignedTo(
    memberNo: MemberNo,
    member: MemberRow,
    listed: readonly HotlineRow[],
  ): Promise<HotlineRow[] | undefined> {
    const numbers = member.hotlines ?? (await this.#recorded(memberNo).catch(() => undefined));
    // The vendor's list counts until its next one.
    if (member.hotlines) this.#assigned.set(memberNo, member.hotlines, { ttl: 0 });
    return numbers && listed.filter((hotline) => numbers.some((one) => hasNumber(hotline, one)));
  }

  /** Whether the member had one of these when it was last read or assigned; false also where nobody knows. */
  async isKnownToHave(memberNo: MemberNo, listed: readonly HotlineRow[]): Promise<boolean> {
    const numbers = await this.#recorded(memberNo).catch(() => []);
    return listed.some((hotline) => numbers.some((one) => hasNumber(hotline, one)));
  }

  /** Assigns the hotline. If the vendor's response is unclear, the member is read to find out. */
  async assign(memberNo: MemberNo, wanted: HotlineRow | undefined): Promise<AssignmentResult> {
    if (!wanted) return { status: 'failed', detail: 'there is no hotline to assign', hotlines: [] };
    try {
      await this.#vendor.assignHotline(memberNo, wanted.number);
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      if (!(await this.#hasDespiteError(memberNo, wanted, error))) {
        const detail = `${wanted.name} (${wanted.code}) could not be assigned. ${error.message}${this.#hintAt(error)}`;
        return { status: 'failed', detail, hotlines: [], error };
      }
    }
    await this.#record(memberNo, wanted.number);
    return { status: 'done', detail: `${wanted.name} assigned`, hotlines: [wanted] };
  }

  /** The member's own list decides, if there is one. */
  async #hasDespiteError(memberNo: MemberNo, wanted: HotlineRow, error: VendorError): Promise<boolean> {
    if (!error.sent) return false;
    const member = await this.#vendor.readMember(memberNo).catch(() => undefined);
    if (member?.hotlines) return member.hotlines.some((one) => hasNumber(wanted, one));
    // The body of a success is not documented: it may be empty.
    return error.isBlank || this.#codesOfAssigned.some((code) => code === error.vendorCode);
  }

  #hintAt({ code, vendorCode }: VendorError): string {
    if (code !== 'refused' || vendorCode === undefined) return '';
    const codes = [...this.#codesOfAssigned, vendorCode].join(',');
    return ` (To use another hotline, set HOTLINE_CODE. If the code means "already assigned", set VENDOR_FIELDS={"assigned":[${codes}]})`;
  }

  get #codesOfAssigned(): readonly number[] {
    return this.#vendor.client.format.assigned;
  }

  async #recorded(memberNo: MemberNo): Promise<readonly string[]> {
    const known = this.#assigned.get(memberNo);
    if (known) return known;
    const old = this.#assigned.get(memberNo, { allowStale: true });
    const text = 'select number from assignment where member = ?';
    const rows = await inTime
      .execute(() => this.#database.read(text, [memberKey(memberNo)]))
      .catch((error: unknown) => {
        if (old) return [];
        throw error;
      });
    // A number whose record could not be written is known only here.
    const numbers = [...new Set([...(old ?? []), ...rows.map(({ number }) => String(number))])];
    if (numbers.length > 0) this.#assigned.set(memberNo, numbers);
    return numbers;
  }

  async #record(memberNo: MemberNo, number: string): Promise<void> {
    this.#assigned.set(memberNo, [...(this.#assigned.get(memberNo) ?? []), number]);
    const text = 'insert into assignment (member, number) values (?, ?) on conflict do nothing';
    const write = () => this.#database.write(text, [memberKey(memberNo), number]);
    await inTime.execute(write).catch(() => undefined);
  }
}

/** The vendor writes numbers in international and in national form. */
function hasNumber({ number, code }: HotlineRow, one: string): boolean {
  return one === code || withoutPrefix(one) === withoutPrefix(number);
}

function withoutPrefix(number: string): string {
  return number.replace(/^(?:\+?84|0)/, '');
}
