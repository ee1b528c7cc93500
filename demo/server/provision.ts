/** Makes a member able to call: the vendor's four steps, in its order, each one reported. */
import { setTimeout as delay } from 'node:timers/promises';
import { chooseHotline, type Hotlines } from './hotlines.ts';
import {
  describeBalance,
  describeChoice,
  describeMember,
  type Report,
  type Step,
} from './operations/steps.ts';
import type { TopUpReason } from './money/movement.ts';
import type { TopUpResult } from './money/top-up-result.ts';
import type { HotlineRow, MemberNo, MemberRow } from './vendor/data.ts';
import { VendorError } from './vendor/response.ts';
import type { OpenApi } from './vendor.ts';

export interface Provisioned {
  readonly token: string;
  readonly member: MemberRow;
  /** What the member can call with. */
  readonly hotlines: readonly HotlineRow[];
}

/** What sees to it that a member has money, as far as policy and limits allow; see money/top-up.ts. */
export interface TopUps {
  ensure(memberNo: MemberNo, member: MemberRow, reason: TopUpReason): Promise<TopUpResult>;
}

export interface Dependencies {
  readonly vendor: OpenApi;
  readonly hotlines: Hotlines;
  readonly hotlineCode: string | undefined;
  /** Absent: no money is ever moved, and a member without any is told so. */
  readonly topUp: TopUps | undefined;
}

/**
 * A known member costs one round trip, as token and member are asked for together. A member without money or hotline is
 * a result, not an error: they get their token, and their dialer explains.
 *
 * @throws {VendorError} when one of the first three steps fails, after reporting it.
 */
export async function provision(
  memberNo: MemberNo,
  { vendor, hotlines, topUp, hotlineCode }: Dependencies,
  reason: TopUpReason,
  report: Report,
): Promise<Provisioned> {
  const listed = await orReport({ step: 1, name: 'hotlines' }, report, () => hotlines.list());
  const wanted = chooseHotline(listed, hotlineCode);
  report({ step: 1, name: 'hotlines', ...describeChoice(listed, wanted, hotlineCode) });

  const codes = wanted ? [wanted.code] : [];
  const issuing = vendor.issueToken(memberNo, codes);
  const reading = readMember(vendor, memberNo, issuing);
  // Awaited below, unless the token fails first.
  reading.catch(() => undefined);
  const token = await orReport({ step: 2, name: 'token' }, report, () => issuing);
  report({ step: 2, name: 'token', status: 'done', detail: 'issued' });

  const member = await orReport({ step: 3, name: 'member' }, report, () => reading);
  report({ step: 3, name: 'member', status: 'done', detail: describeMember(member) });

  const [money, assignment] = await Promise.all([
    topUp?.ensure(memberNo, member, reason) ?? describeBalance(member),
    hotlines.ensure(memberNo, member, listed, wanted),
  ]);
  report({ step: 4, name: 'top-up', status: money.status, detail: money.detail });
  report({ step: 4, name: 'hotline', status: assignment.status, detail: assignment.detail });

  const balance = ('balance' in money ? money.balance : undefined) ?? member.balance;
  return { token, member: { ...member, balance }, hotlines: assignment.hotlines };
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
