/**
 * What the sandbox vendor knows: projects are one, hotlines, members, money, calls and the faults a test asked for.
 * Everything else in this folder is a door into it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AutoCall } from './auto-calls.ts';
import type { Delivery, WebhookSettings } from './webhooks.ts';

export interface Hotline {
  readonly name: string;
  /** International form, digits only. */
  readonly number: string;
  readonly code: string;
  readonly type: 'HOTLINE' | 'ALIAS';
  /** An inactive hotline stays listed but carries no call. */
  readonly active: boolean;
}

export interface Assignment {
  readonly number: string;
  readonly allowCall: boolean;
  /** `HH:mm`, or empty for no limit. */
  readonly startTime: string;
  readonly endTime: string;
}

export interface Member {
  readonly memberNo: string;
  name: string;
  readonly extension: number;
  readonly status: number;
  /** VND; falls with calls and may go below 0. */
  balance: number;
  readonly expirationDate: string;
  assignments: Assignment[];
  /** The SIP account the SDK registers with. */
  readonly sipUser: string;
  readonly sipPassword: string;
}

/** One call as the exchange saw it; tests read these through `GET /sandbox/calls`. */
export interface CallRecord {
  readonly id: string;
  readonly memberNo: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  readonly hotline: string | undefined;
  readonly externalCallId: string | undefined;
  state: 'trying' | 'ringing' | 'answered' | 'ended';
  /** SIP status of the final answer, e.g. 200, 402, 486. */
  finalStatus: number | undefined;
  endedBy: 'caller' | 'callee' | undefined;
  readonly startedAt: number;
  answeredAt: number | undefined;
  endedAt: number | undefined;
  /** Keys the agent pressed during the call. */
  dtmf: string;
  /** Audio packets and bytes (payload) received from the agent. */
  audioPackets: number;
  audioBytes: number;
  /** VND taken from the member's balance. */
  cost: number;
}

/**
 * A fault at one place. Places: an API path such as `/api/sdk/info`, or `script`, `register`, `invite`, `socket`.
 * `status` answers with that HTTP (or SIP) status; `error` with HTTP 200 and that envelope code.
 */
export interface Fault {
  readonly kind: 'status' | 'error' | 'slow' | 'cut' | 'garbage' | 'drop' | 'drop-after' | 'silent';
  /** Status, envelope code, or milliseconds, as the kind needs. */
  readonly value?: number;
  /** How often it strikes; absent: until it is cleared. */
  readonly times?: number;
}

/** One call of `addMoney` that was understood, refused ones included: what an audit compares a ledger with. */
export interface TopUp {
  readonly at: string;
  readonly memberNo: string;
  readonly money: number;
  /** Member balance in VND around it. */
  readonly before: number;
  readonly after: number;
  /** Envelope code; 0: the money moved. */
  readonly error: number;
}

/** One request at the REST side, whatever became of it. */
export interface RequestRecord {
  readonly at: string;
  readonly method: string;
  /** From the version on, e.g. `/api/member/addMoney`. */
  readonly path: string;
}

/** Where the interface leaves the answer open, the sandbox can give either. */
export interface Settings {
  /** The field of the member answer that lists the assigned hotlines, if any does. */
  readonly hotlineList: 'absent' | 'hotlines' | 'hotline_numbers';
  /** HTTP status of a business failure: always 200, or the envelope code mirrored. */
  readonly failureStatus: 'ok' | 'mirrored';
  /** Assigning a hotline that the member has already: success, or 409. */
  readonly repeatAssignment: 'success' | 'conflict';
  /** The phrase beside SIP 402; may be in another language, or empty. */
  readonly paymentPhrase: string;
  /** Whether a call for which there is no money rings first. */
  readonly paymentRefusal: 'at-once' | 'after-ringing';
}

export const DEFAULT_SETTINGS: Settings = {
  hotlineList: 'absent',
  failureStatus: 'ok',
  repeatAssignment: 'success',
  paymentPhrase: 'Payment Required',
  paymentRefusal: 'at-once',
};

export interface WorldSnapshot {
  readonly hotlines: readonly Hotline[];
  readonly members: readonly Member[];
  readonly tokens: readonly (readonly [string, string])[];
  readonly topUps: readonly TopUp[];
  readonly adminBalance: number;
  readonly settings: Settings;
}

export const SANDBOX_API_KEY = 'sandbox-api-key';

/** What a started minute of an answered call costs, in VND. */
export const PRICE_PER_MINUTE = 300;

const ADMIN_BALANCE = 5_000_000;

/** Requests are for tests to look at; an endless demo must not fill the memory with them. */
const REQUESTS_KEPT = 1000;

const HOTLINES: readonly Hotline[] = [
  { name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE', active: true },
  { name: 'Support', number: '842899990002', code: 'HL_SUPPORT', type: 'HOTLINE', active: true },
  { name: 'Chăm sóc khách hàng', number: '842899990003', code: 'HL_CARE', type: 'ALIAS', active: true },
];

export class World extends EventTarget {
  hotlines: Hotline[] = [...HOTLINES];
  readonly members = new Map<string, Member>();
  readonly calls: CallRecord[] = [];
  readonly autoCalls: AutoCall[] = [];
  /** Where the ends of calls are told; absent: nowhere. */
  webhooks: WebhookSettings | undefined;
  readonly deliveries: Delivery[] = [];
  readonly faults = new Map<string, Fault>();
  readonly topUps: TopUp[] = [];
  readonly requests: RequestRecord[] = [];
  settings = DEFAULT_SETTINGS;
  /** VND on the partner's own account; top-ups move money from here. */
  adminBalance = ADMIN_BALANCE;
  readonly #tokens = new Map<string, string>();

  createMember(memberNo: string, hotlineCodes: readonly string[]): Member {
    const extension = 101 + this.members.size;
    const member: Member = {
      memberNo,
      name: memberNo,
      extension,
      status: 1,
      balance: 0,
      expirationDate: new Date(Date.now() + 365 * 86_400_000).toISOString(),
      assignments: this.hotlines
        .filter((hotline) => hotlineCodes.includes(hotline.code))
        .map(({ number }) => ({ number, allowCall: true, startTime: '', endTime: '' })),
      sipUser: `p${extension}`,
      sipPassword: randomBytes(9).toString('base64url'),
    };
    this.members.set(memberNo, member);
    this.#changed();
    return member;
  }

  setBalance(member: Member, balance: number): void {
    member.balance = balance;
    this.#changed();
  }

  setAdminBalance(balance: number): void {
    this.adminBalance = balance;
    this.#changed();
  }

  setName(member: Member, name: string): void {
    member.name = name;
    this.#changed();
  }

  setHotlines(hotlines: readonly Hotline[]): void {
    this.hotlines = [...hotlines];
    this.#changed();
  }

  setSettings(settings: Settings): void {
    this.settings = settings;
    this.#changed();
  }

  recordTopUp(topUp: TopUp): void {
    this.topUps.push(topUp);
    this.#changed();
  }

  recordRequest(request: RequestRecord): void {
    this.requests.push(request);
    if (this.requests.length > REQUESTS_KEPT) this.requests.shift();
  }

  setAssignments(member: Member, assignments: Assignment[]): void {
    member.assignments = assignments;
    this.#changed();
  }

  memberBySipUser(sipUser: string): Member | undefined {
    return [...this.members.values()].find((member) => member.sipUser === sipUser);
  }

  /** Opaque to everybody but this sandbox, though shaped like a JWT. */
  issueToken(memberNo: string): string {
    const token = [
      encode({ alg: 'HS256', typ: 'JWT' }),
      encode({ Value: randomUUID() }),
      randomBytes(32).toString('base64url'),
    ].join('.');
    this.#tokens.set(token, memberNo);
    this.#changed();
    return token;
  }

  memberByToken(token: string): Member | undefined {
    const memberNo = this.#tokens.get(token);
    return memberNo === undefined ? undefined : this.members.get(memberNo);
  }

  /** The hotlines a member may call out with right now. */
  callableHotlines(member: Member): Hotline[] {
    const allowed = new Set(member.assignments.filter((a) => a.allowCall).map((a) => a.number));
    return this.hotlines.filter((hotline) => hotline.active && allowed.has(hotline.number));
  }

  /** The next strike of the fault at this place, if one is set; counts it. */
  takeFault(place: string): Fault | undefined {
    const fault = this.faults.get(place);
    if (fault?.times !== undefined) {
      if (fault.times <= 1) this.faults.delete(place);
      else this.faults.set(place, { ...fault, times: fault.times - 1 });
    }
    return fault;
  }

  snapshot(): WorldSnapshot {
    return {
      hotlines: this.hotlines,
      members: [...this.members.values()],
      tokens: [...this.#tokens],
      topUps: this.topUps,
      adminBalance: this.adminBalance,
      settings: this.settings,
    };
  }

  restore(snapshot: WorldSnapshot): void {
    this.members.clear();
    this.#tokens.clear();
    for (const member of snapshot.members) this.members.set(member.memberNo, member);
    for (const [token, memberNo] of snapshot.tokens) this.#tokens.set(token, memberNo);
    this.hotlines = [...snapshot.hotlines];
    this.topUps.splice(0, this.topUps.length, ...snapshot.topUps);
    this.adminBalance = snapshot.adminBalance;
    this.settings = snapshot.settings;
  }

  reset(): void {
    this.calls.length = 0;
    this.autoCalls.length = 0;
    this.deliveries.length = 0;
    this.faults.clear();
    this.requests.length = 0;
    this.restore({
      hotlines: HOTLINES,
      members: [],
      tokens: [],
      topUps: [],
      adminBalance: ADMIN_BALANCE,
      settings: DEFAULT_SETTINGS,
    });
    this.#changed();
  }

  /** A call of the exchange is over: an event `call` with the record as its detail. */
  announceCall(call: CallRecord): void {
    this.dispatchEvent(new CustomEvent('call', { detail: call }));
  }

  /** The same of an automatic call, as `auto-call`. */
  announceAutoCall(call: AutoCall): void {
    this.dispatchEvent(new CustomEvent('auto-call', { detail: call }));
  }

  /** Says that something worth saving has changed. */
  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
