/** Makes a member able to call: the vendor's four steps, in its order, each one reported. */
import { setTimeout as delay } from 'node:timers/promises';
import type { TopUpReason } from './money/movement.ts';
import type { HotlineRow, MemberRow } from './open-api/data.ts';
import { VendorError, type MemberNo, type OpenApi } from './open-api/open-api.ts';
import { chooseHotline, type Hotlines } from './hotlines.ts';
import type { TopUp } from './money/top-up.ts';

export interface Step {
  /** As the vendor counts them; the fourth has two parts. */
  readonly step: 1 | 2 | 3 | 4;
  readonly name: 'hotlines' | 'token' | 'member' | 'top-up' | 'hotline';
  readonly status: 'done' | 'skipped' | 'failed';
  /** For people; holds no secret. */
  readonly detail: string;
}

export interface Provisioned {
  readonly token: string;
  readonly member: MemberRow;
  /** What the member can call with. */
  readonly hotlines: readonly HotlineRow[];
}

export interface Tools {
  readonly vendor: OpenApi;
  readonly topUp: TopUp;
  readonly hotlines: Hotlines;
  readonly hotlineCode: string | undefined;
}

type Report = (step: Step) => void;

/**
 * A known member costs one round trip, as token and member are asked for together. A member without money or hotline is
 * a result, not an error: they get their token, and their dialer explains.
 *
 * @throws {VendorError} when one of the first three steps fails, after reporting it.
 */
export async function provision(
  memberNo: MemberNo,
  tools: Tools,
  reason: TopUpReason,
  report: Report,
): Promise<Provisioned> {
  const { vendor, hotlines, topUp, hotlineCode } = tools;

  const listed = await orReport({ step: 1, name: 'hotlines' }, report, () => hotlines.list());
  const wanted = chooseHotline(listed, hotlineCode);
  report({ step: 1, name: 'hotlines', ...describeChoice(listed, wanted, hotlineCode) });

  const codes = wanted ? [wanted.code] : [];
  const issuing = vendor.issueToken(memberNo, codes);
  const reading = readMember(vendor, memberNo, issuing);
  // Heard below, unless the token fails first.
  reading.catch(() => undefined);
  const token = await orReport({ step: 2, name: 'token' }, report, () => issuing);
  report({ step: 2, name: 'token', status: 'done', detail: 'issued' });

  const member = await orReport({ step: 3, name: 'member' }, report, () => reading);
  report({ step: 3, name: 'member', status: 'done', detail: describeMember(member) });

  const [money, assignment] = await Promise.all([
    topUp.ensure(memberNo, member, reason),
    hotlines.ensure(memberNo, member, listed, wanted),
  ]);
  report({ step: 4, name: 'top-up', status: money.status, detail: money.detail });
  report({ step: 4, name: 'hotline', status: assignment.status, detail: assignment.detail });

  const balance = money.balance ?? member.balance;
  return { token, member: { ...member, balance }, hotlines: assignment.hotlines };
}

function describeChoice(
  listed: readonly HotlineRow[],
  wanted: HotlineRow | undefined,
  code: string | undefined,
): Pick<Step, 'status' | 'detail'> {
  if (wanted) return { status: 'done', detail: `${listed.length} listed, ${wanted.name} is used` };
  const missing = code === undefined ? 'none is listed' : `${code} is not among the ${listed.length} listed`;
  return { status: 'failed', detail: missing };
}

function describeMember({ extension, balance }: MemberRow): string {
  return `extension ${extension ?? 'unknown'}, balance ${balance} VND`;
}

async function orReport<T>(
  step: Pick<Step, 'step' | 'name'>,
  report: Report,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VendorError) report({ ...step, status: 'failed', detail: error.message });
    throw error;
  }
}

/**
 * Who is not found while their token is on its way is read again once that has created them, and again if that takes the
 * vendor a moment: not found is no reason to think that they have no money.
 */
async function readMember(
  vendor: OpenApi,
  memberNo: MemberNo,
  issuing: Promise<string>,
  attempt = 1,
): Promise<MemberRow> {
  try {
    return await vendor.readMember(memberNo);
  } catch (error) {
    if (attempt === 4 || !(error instanceof VendorError && error.vendorCode === 404)) throw error;
    await issuing;
    if (attempt > 1) await delay(200);
    return readMember(vendor, memberNo, issuing, attempt + 1);
  }
}
