/** Makes a member able to call: the vendor's four steps, in its order, each one reported. */
import { setTimeout as delay } from 'node:timers/promises';
import { chooseHotline, type AssignmentResult, type Hotlines } from './hotlines.ts';
import type { TopUpReason } from './money/movement.ts';
import { failed, skipped, type TopUpResult } from './money/result.ts';
import type { TopUp } from './money/top-up.ts';
import { hasEnded, type HotlineRow, type MemberNo, type MemberRow, type OpenApi } from './vbot/api.ts';
import { VendorError } from './vbot/errors.ts';

/** As the vendor counts the steps; the fourth has two parts. */
const NUMBERS = { hotlines: 1, token: 2, member: 3, 'top-up': 4, hotline: 4 } as const;
type Name = keyof typeof NUMBERS;

export interface Step {
  readonly step: (typeof NUMBERS)[Name];
  readonly name: Name;
  readonly status: 'done' | 'skipped' | 'failed';
  /** For logs and operators; holds no secret. */
  readonly detail: string;
}

export type Report = (step: Step) => void;

/** What is known of a member. */
export interface Readiness {
  readonly member: MemberRow;
  /** Undefined: unknown, which does not block the agent. */
  readonly hotlines: readonly HotlineRow[] | undefined;
}

interface Provisioned extends Readiness {
  readonly token: string;
}

export interface Dependencies {
  readonly vendor: OpenApi;
  readonly hotlines: Hotlines;
  /** For members without a hotline; undefined: the first listed. */
  readonly hotlineCode: string | undefined;
  /** Ordered with `--hotline`, or by a line of a file: also for members who have another one. */
  readonly orderedHotline?: string | undefined;
  /** Absent: topping up is switched off. */
  readonly topUp: Pick<TopUp, 'ensure'> | undefined;
}

/** The vendor may need a moment before it shows a member that it has just created. */
const [READS, READ_AGAIN_MS] = [4, 200];

/**
 * A member without money or hotline is a result, not an error: they get their token, and the dialer explains.
 *
 * @throws {VendorError} when one of the first three steps fails, after reporting it.
 */
export async function provision(
  memberNo: MemberNo,
  dependencies: Dependencies,
  reason: TopUpReason,
  report: Report,
): Promise<Provisioned> {
  const { vendor, hotlines } = dependencies;
  const hotlineCode = dependencies.orderedHotline ?? dependencies.hotlineCode;
  const tell = (name: Name, { status, detail }: Pick<Step, 'status' | 'detail'>) =>
    report({ step: NUMBERS[name], name, status, detail });
  const attempt = <T>(name: Name, work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (error instanceof VendorError) tell(name, { status: 'failed', detail: error.message });
      throw error;
    });
  const listed = await attempt('hotlines', hotlines.list());
  const wanted = chooseHotline(listed, hotlineCode);
  tell('hotlines', describeChoice(listed, wanted, hotlineCode));

  // A member who has already got a token here exists: request token and member in parallel.
  const early = vendor.known.has(memberNo) ? vendor.readMember(memberNo).catch(() => undefined) : undefined;
  const codes = wanted ? [wanted.code] : [];
  const token = await attempt('token', vendor.issueToken(memberNo, codes));
  tell('token', { status: 'done', detail: 'issued' });

  // A refusal from before the token was issued proves nothing: the token may have created the member.
  const member = (await early) ?? (await attempt('member', readMember(vendor, memberNo)));
  const { extension = 'unknown', balance } = member;
  tell('member', { status: 'done', detail: `extension ${extension}, balance ${balance} VND` });

  const assigned = await hotlines.assignedTo(memberNo, member, listed);
  // Nothing is paid before a hotline is assigned. The reports keep the vendor's order: top-up, hotline.
  const assignment = await assignWanted(memberNo, assigned, wanted, dependencies);
  const money = await topUpIfAllowed(memberNo, member, assignment.hotlines, dependencies, reason);
  tell('top-up', money);
  tell('hotline', assignment);
  return { token, member: money.member ?? member, hotlines: assignment.hotlines };
}

/** May the member call, and if not, why? Changes nothing; @throws {VendorError} */
export async function readStatus(
  memberNo: MemberNo,
  { vendor, hotlines }: Dependencies,
  known?: MemberRow,
): Promise<Readiness> {
  const [member, listed] = await Promise.all([known ?? vendor.readMember(memberNo), hotlines.list()]);
  return { member, hotlines: await hotlines.assignedTo(memberNo, member, listed) };
}

/** The agent asks for money in the guide; @throws {VendorError} */
export async function topUpMember(memberNo: MemberNo, dependencies: Dependencies): Promise<TopUpResult> {
  const { vendor, hotlines, hotlineCode, topUp } = dependencies;
  if (!topUp) return skipped('off', 'top-ups are off');
  const listed = await hotlines.list();
  if (await hotlines.isKnownToHave(memberNo, listed)) return topUp.ensure(memberNo, undefined, 'agent');
  const member = await vendor.readMember(memberNo);
  const assigned = await hotlines.assignedTo(memberNo, member, listed);
  const wanted = chooseHotline(listed, hotlineCode);
  const { hotlines: held } = await assignWanted(memberNo, assigned, wanted, dependencies);
  // The member was read before the hotline was assigned.
  const current = { ...member, hotlines: member.hotlines && held?.map(({ number }) => number) };
  return topUpIfAllowed(memberNo, current, held, dependencies, 'agent');
}

/** The agent reports a missing hotline. The vendor's list decides; without one, the agent is believed, not our record. @throws {VendorError} */
export async function assignMissingHotline(
  memberNo: MemberNo,
  dependencies: Dependencies,
): Promise<{ readonly readiness: Readiness; readonly assignment: AssignmentResult }> {
  const { vendor, hotlines, hotlineCode } = dependencies;
  const [member, listed] = await Promise.all([vendor.readMember(memberNo), hotlines.list({ isFresh: true })]);
  const assigned = member.hotlines ? ((await hotlines.assignedTo(memberNo, member, listed)) ?? []) : [];
  const assignment = await assignWanted(memberNo, assigned, chooseHotline(listed, hotlineCode), dependencies);
  return { readiness: { member, hotlines: assignment.hotlines }, assignment };
}

/** Why the member cannot call; empty if they can. */
export function findBlockers({ member, hotlines }: Readiness): string[] {
  return [
    ...(member.balance > 0 ? [] : ['insufficient-funds']),
    ...(hotlines?.length === 0 ? ['no-hotline'] : []),
    ...(hasEnded(member) ? ['member-expired'] : []),
  ];
}

const UNKNOWN = 'the vendor does not list the hotlines of this member, and our record cannot be read';

/**
 * A member who has a hotline keeps to it, and gets another one only if it was ordered for them.
 *
 * @param assigned undefined: unknown; the member may have a hotline of their own
 */
async function assignWanted(
  memberNo: MemberNo,
  assigned: readonly HotlineRow[] | undefined,
  wanted: HotlineRow | undefined,
  { hotlines, orderedHotline }: Dependencies,
): Promise<AssignmentResult> {
  if (!assigned && orderedHotline === undefined)
    return { status: 'failed', detail: `not assigned: ${UNKNOWN}`, hotlines: undefined };
  if (!assigned || assigned.length === 0) return hotlines.assign(memberNo, wanted);
  const names = assigned.map(({ name }) => name).join(', ');
  const hasOrdered = assigned.some(({ code }) => code === orderedHotline);
  if (orderedHotline === undefined || hasOrdered || !wanted)
    return { status: 'skipped', detail: `already has ${names}`, hotlines: assigned };
  const result = await hotlines.assign(memberNo, wanted);
  return {
    ...result,
    detail: `${result.detail} The member has ${names}.`,
    hotlines: [...(result.hotlines ?? []), ...assigned],
  };
}

/** Pays nobody who has no hotline to call with, and nobody of whom that is not known. */
async function topUpIfAllowed(
  memberNo: MemberNo,
  member: MemberRow,
  held: readonly HotlineRow[] | undefined,
  { topUp }: Dependencies,
  reason: TopUpReason,
): Promise<TopUpResult> {
  if (!topUp) {
    return member.balance > 0
      ? skipped('enough', 'the balance is above 0')
      : skipped('off', 'the balance is 0 VND or less, and top-ups are off');
  }
  if (held?.length || member.balance > 0) return topUp.ensure(memberNo, member, reason);
  if (!held) return failed('ledger', `not paid: ${UNKNOWN}`);
  return skipped('no-hotline', 'not paid: the member has no hotline to call with');
}

async function readMember(vendor: OpenApi, memberNo: MemberNo): Promise<MemberRow> {
  for (let read = 1; ; read += 1) {
    try {
      return await vendor.readMember(memberNo);
    } catch (error) {
      if (read === READS || !(error instanceof VendorError && error.code === 'refused')) throw error;
      await delay(READ_AGAIN_MS * read);
    }
  }
}

function describeChoice(
  listed: readonly HotlineRow[],
  wanted: HotlineRow | undefined,
  code: string | undefined,
): Pick<Step, 'status' | 'detail'> {
  if (wanted) return { status: 'done', detail: `${listed.length} listed, ${wanted.name} is used` };
  const missing =
    code === undefined
      ? 'none is listed'
      : `hotline ${code} is not among the ${listed.length} that the vendor lists`;
  return { status: 'failed', detail: missing };
}
