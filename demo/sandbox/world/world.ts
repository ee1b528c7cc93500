/**
 * The state of the sandbox vendor: one project with its hotlines, members, money and calls, and the faults a test asked
 * for. The other rooms read and change it; it imports none of them.
 */
import type { CustomerData } from './customer-data.ts';
import { firstCustomerData } from './customer-seed.ts';
import { addCall } from './customers.ts';
import { FaultPlan } from './fault-plan.ts';
import {
  callable,
  FIRST_HOTLINES,
  newMember,
  type Assignment,
  type Hotline,
  type Member,
} from './members.ts';
import type {
  AutoCall,
  CallRecord,
  Delivery,
  RegistrationRecord,
  RequestRecord,
  TopUp,
  WebhookSettings,
} from './records.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { mintToken } from './token.ts';

export type { Fault } from './fault-plan.ts';
export type { Assignment, Hotline, Member } from './members.ts';
export type {
  AutoCall,
  CallEnd,
  CallRecord,
  Delivery,
  RegistrationRecord,
  RequestRecord,
  TopUp,
  WebhookSettings,
} from './records.ts';
export type { Settings } from './settings.ts';

interface WorldSnapshot {
  readonly hotlines: readonly Hotline[];
  readonly members: readonly Member[];
  readonly tokens: readonly (readonly [string, string])[];
  readonly topUps: readonly TopUp[];
  readonly adminBalance: number;
  readonly settings: Settings;
  /** Absent from a file that is older than the customers. */
  readonly customerData?: CustomerData | undefined;
}

export const SANDBOX_API_KEY = 'sandbox-api-key';

const ADMIN_BALANCE = 5_000_000;

/** Only tests read these; a demo that runs for long must not fill the memory with them. */
const REQUESTS_KEPT = 1000;
const REGISTRATIONS_KEPT = 1000;

export class World extends EventTarget {
  hotlines: Hotline[] = [...FIRST_HOTLINES];
  readonly members = new Map<string, Member>();
  readonly calls: CallRecord[] = [];
  readonly autoCalls: AutoCall[] = [];
  /** Where ends of calls are reported; absent: nowhere. */
  webhooks: WebhookSettings | undefined;
  readonly deliveries: Delivery[] = [];
  readonly faults = new FaultPlan();
  readonly topUps: TopUp[] = [];
  readonly requests: RequestRecord[] = [];
  readonly registrations: RegistrationRecord[] = [];
  settings = DEFAULT_SETTINGS;
  customerData = firstCustomerData(Date.now());
  /** VND on the partner's own account; top-ups move money from here. */
  adminBalance = ADMIN_BALANCE;
  readonly #tokens = new Map<string, string>();

  createMember(memberNo: string, hotlineCodes: readonly string[]): Member {
    const hotlines = this.hotlines.filter(({ code }) => hotlineCodes.includes(code));
    const member = newMember(memberNo, 101 + this.members.size, hotlines);
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

  setCustomerData(customerData: CustomerData): void {
    this.customerData = customerData;
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

  recordRegistration(registration: RegistrationRecord): void {
    this.registrations.push(registration);
    if (this.registrations.length > REGISTRATIONS_KEPT) this.registrations.shift();
  }

  setAssignments(member: Member, assignments: Assignment[]): void {
    member.assignments = assignments;
    this.#changed();
  }

  memberBySipUser(sipUser: string): Member | undefined {
    return [...this.members.values()].find((member) => member.sipUser === sipUser);
  }

  issueToken(memberNo: string): string {
    const token = mintToken();
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
    return callable(this.hotlines, member.assignments);
  }

  snapshot(): WorldSnapshot {
    return {
      hotlines: this.hotlines,
      members: [...this.members.values()],
      tokens: [...this.#tokens],
      topUps: this.topUps,
      adminBalance: this.adminBalance,
      settings: this.settings,
      customerData: this.customerData,
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
    this.customerData = snapshot.customerData ?? firstCustomerData(Date.now());
  }

  reset(): void {
    this.calls.length = 0;
    this.autoCalls.length = 0;
    this.deliveries.length = 0;
    this.faults.clear();
    this.requests.length = 0;
    this.registrations.length = 0;
    this.restore({
      hotlines: FIRST_HOTLINES,
      members: [],
      tokens: [],
      topUps: [],
      adminBalance: ADMIN_BALANCE,
      settings: DEFAULT_SETTINGS,
    });
    this.#changed();
  }

  /** A call of the exchange is over: writes it into the histories of its customers, and emits `call` with the record. */
  emitCall(call: CallRecord): void {
    this.setCustomerData(addCall(this.customerData, call));
    this.dispatchEvent(new CustomEvent('call', { detail: call }));
  }

  /** An automatic call is over: emits `auto-call` with the record. */
  emitAutoCall(call: AutoCall): void {
    this.dispatchEvent(new CustomEvent('auto-call', { detail: call }));
  }

  /** Something that is kept between runs has changed. */
  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}
