/** What the companion answers to the dialer, and why a member cannot call. The README has it on one page. */
import { hasEnded, type HotlineRow, type MemberRow } from './vendor/data.ts';

/** The answer of every link: may the member call, and if not, why? */
export interface ReadinessAnswer {
  readonly member: {
    readonly memberNo: string;
    readonly name?: string | undefined;
    readonly extension?: string | undefined;
    /** VND. */
    readonly balance: number;
    readonly currency: 'VND';
    /** When the member's account ends, ISO 8601. */
    readonly expiresAt?: string | undefined;
  };
  readonly hotlines: readonly HotlineRow[];
  /** Empty: the member can call. */
  readonly blockers: readonly string[];
  readonly links: typeof LINKS;
}

/** The answer to `POST /dialer/session`. */
export interface SessionAnswer extends ReadinessAnswer {
  readonly token: string;
}

/** Relative to the session's own address, so that the companion can be mounted anywhere. */
const LINKS = { status: 'status', topUp: 'top-up', hotline: 'hotline', customers: 'customers' } as const;

/** What a member has, as far as it could be found out. */
export interface Readiness {
  readonly member: MemberRow;
  /** Undefined: nobody could say, which is no reason to send the agent away. */
  readonly hotlines: readonly HotlineRow[] | undefined;
}

/** Empty: the member can call. */
export function blockersOf({ member, hotlines }: Readiness): string[] {
  return [
    ...(member.balance > 0 ? [] : ['insufficient-funds']),
    ...(hotlines?.length === 0 ? ['no-hotline'] : []),
    ...(hasEnded(member) ? ['member-expired'] : []),
  ];
}

/** @param name what the partner calls the agent, if not what the vendor does. */
export function describeReadiness(readiness: Readiness, name: string | undefined): ReadinessAnswer {
  const { memberNo, name: vendorName, extension, balance, expiresAt } = readiness.member;
  return {
    member: { memberNo, name: name ?? vendorName, extension, balance, currency: 'VND', expiresAt },
    hotlines: readiness.hotlines ?? [],
    blockers: blockersOf(readiness),
    links: LINKS,
  };
}
