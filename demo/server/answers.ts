/** What the companion answers to the dialer, and why a member cannot call. */
import type { TopUpResult } from './money/top-up.ts';
import { hasEnded, type HotlineRow, type MemberRow } from './vendor/api.ts';
import type { VendorError } from './vendor/response.ts';

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

/** Why something did not work, for the agent: never a path, a key or what a key may do. */
export interface Trouble {
  readonly code:
    | 'vendor-refused'
    | 'vendor-invalid-answer'
    | 'vendor-busy'
    | 'vendor-unreachable'
    | 'top-up-limit'
    | 'top-up-off'
    | 'top-up-later'
    | 'top-up-refused'
    | 'top-up-admin-short'
    | 'top-up-too-small'
    | 'no-hotline'
    | 'member-expired'
    | 'internal';
  readonly detail?: string | undefined;
  /** Seconds until it is worth another try; the dialer adds its own jitter. */
  readonly retryAfter?: number | undefined;
}

const [UNREACHABLE_SECONDS, BUSY_SECONDS] = [5, 2];
/** What the vendor says of a key is for operators alone. */
const KEY_REFUSALS: readonly (number | undefined)[] = [401, 403];

export function troubleOf({ code, vendorCode, vendorMessage, retryAfterMs }: VendorError): Trouble {
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  switch (code) {
    case 'refused':
      return {
        code: 'vendor-refused',
        detail: KEY_REFUSALS.includes(vendorCode) ? undefined : vendorMessage,
      };
    case 'invalid-answer':
    case 'not-sent':
      return { code: 'vendor-invalid-answer' };
    case 'busy':
    case 'rate-limited':
      return { code: 'vendor-busy', retryAfter: seconds ?? BUSY_SECONDS };
    case 'unreachable':
    case 'not-connected':
    case 'circuit-open':
      return { code: 'vendor-unreachable', retryAfter: seconds ?? UNREACHABLE_SECONDS };
  }
}

const ON_A_CALL = -1;

/** Undefined: it was made, or is under way, which shows in the status. */
export function troubleOfTopUp({ why, error, detail }: TopUpResult): Trouble | undefined {
  switch (why) {
    case 'paid':
    case 'enough':
    case 'not-asked':
    case 'pending':
    case 'unconfirmed':
      return undefined;
    case 'off':
      return { code: 'top-up-off' };
    case 'ended':
      return { code: 'member-expired', detail };
    case 'too-small':
      return { code: 'top-up-too-small', detail };
    case 'no-hotline':
      return { code: 'no-hotline', detail };
    case 'limit':
      return { code: 'top-up-limit', detail };
    case 'later':
      return { code: 'top-up-later' };
    case 'admin-short':
      return { code: 'top-up-admin-short' };
    case 'refused':
      if (error?.vendorCode === ON_A_CALL)
        return { code: 'top-up-later', detail: 'The member is on a call.' };
      return { code: 'top-up-refused', detail: error && troubleOf(error).detail };
    case 'vendor':
      return error ? troubleOf(error) : { code: 'vendor-unreachable' };
    case 'ledger':
      return { code: 'internal' };
  }
}
