/** Can this member call, and if not, why? In the words of the broker's contract. */
import type { Links, ReadinessAnswer } from '../../src/broker/contract.ts';
import { hasEnded, type HotlineRow, type MemberRow } from './open-api/data.ts';

/** Relative to the session's own address, so that the companion can be mounted anywhere. */
const LINKS: Links = { status: 'status', topUp: 'top-up', hotline: 'hotline' };

/** Empty: the member can call. */
export function blockersOf(member: MemberRow, hotlines: readonly HotlineRow[]): string[] {
  return [
    ...(member.balance > 0 ? [] : ['insufficient-funds']),
    ...(hotlines.length > 0 ? [] : ['no-hotline']),
    ...(hasEnded(member) ? ['member-expired'] : []),
  ];
}

/** @param name what the partner calls the agent, if not what the vendor does. */
export function describeReadiness(
  member: MemberRow,
  hotlines: readonly HotlineRow[],
  name: string | undefined,
): ReadinessAnswer {
  return {
    member: {
      memberNo: member.memberNo,
      name: name ?? member.name,
      extension: member.extension,
      balance: member.balance,
      currency: 'VND',
      expiresAt: member.expiresAt,
    },
    hotlines: hotlines.map((hotline) => ({ ...hotline })),
    blockers: blockersOf(member, hotlines),
    links: LINKS,
  };
}
