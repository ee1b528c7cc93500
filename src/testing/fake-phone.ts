/**
 * A telephone for a partner's own tests, in any browser and without a server: `<partner-dialer>` with its `brokerUrl` and
 * `sdkUrl` is a real dialer that talks to nobody. The test is the other party of every call.
 */
import type { Hotline, Member } from '../broker/contract.ts';
import { connected, inCall, recheckDialers, serveBroker, type FakeBroker } from './fake-broker.ts';
import { pretendMicrophone, type FakeMicrophone } from './fake-microphone.ts';
import type { FakeCall } from './fake-call.ts';
import { nextTask } from '../wait.ts';
import { defineWidget, type FakeWidget } from './fake-widget.ts';

export type { FakeCall, FakeMicrophone };

export interface FakePhoneOptions {
  /** Why the member cannot call, e.g. `insufficient-funds` or `no-hotline`; none by default. */
  readonly blockers?: readonly string[];
  /** What differs from a member with money. */
  readonly member?: Partial<Member>;
  /** The caller numbers; one by default, and none while `no-hotline` blocks. */
  readonly hotlines?: readonly Hotline[];
  /** What the browser says of its microphone until `restore()`: `granted` by default. */
  readonly microphone?: FakeMicrophone;
}

export interface FakePhone {
  /** For the attribute `broker-url`. */
  readonly brokerUrl: string;
  /** For the attribute `sdk-url`. */
  readonly sdkUrl: string;
  /** All calls so far, the latest last, as they are now. */
  readonly calls: readonly FakeCall[];
  /** What the dialer asked of its broker, in order: `session`, `status`, `topUp`, `hotline`. */
  readonly requests: readonly string[];
  /**
   * The member can call again, and the connection is back; dialers of this document check at once. Resolves when none of them
   * is connecting any more.
   */
  setReady(): Promise<void>;
  /** The member cannot call for these reasons; dialers of this document check at once. */
  setBlocked(...blockers: readonly string[]): Promise<void>;
  /** Somebody calls the agent. This method and those below resolve when the dialer has noticed the event. */
  ring(number: string, caller?: { readonly name?: string }): Promise<void>;
  /** The other party answers the agent's call. */
  answer(): Promise<void>;
  /** The other party hangs up, or gives up ringing. */
  hangUp(): Promise<void>;
  /** The agent's call is refused with a SIP status, e.g. 486; with 402 the broker says `insufficient-funds` from then on. */
  refuse(status: number): Promise<void>;
  /** The connection to the exchange is lost; `setReady()` brings it back. */
  loseSocket(): Promise<void>;
  /** Ends all calls and restores what was replaced in the page; may be called twice. */
  restore(): void;
}

const MEMBER: Member = {
  memberNo: 'agent001',
  name: 'Nguyễn Thị An',
  extension: '101',
  balance: 50_000,
  currency: 'VND',
};
const HOTLINES: readonly Hotline[] = [{ name: 'Sales', number: '842899990001', code: 'HL_SALES' }];

let count = 0;

/**
 * @throws {Error} where there is no page, or where the page has loaded the vendor's SDK already
 *
 * @example
 * const phone = fakePhone({ blockers: ['insufficient-funds'] });
 * dialer.setAttribute('broker-url', phone.brokerUrl);
 * dialer.setAttribute('sdk-url', phone.sdkUrl);
 */
export function fakePhone(options: FakePhoneOptions = {}): FakePhone {
  if (typeof document === 'undefined') throw new Error('fakePhone() must run in a browser page.');
  count += 1;
  const base = new URL(`/partner-dialer-fake-phone/${count}/`, document.baseURI).href;
  const token = `fake-phone-${count}`;
  const exchange = defineWidget(token);
  const broker = serveBroker(base, token, {
    member: { ...MEMBER, ...options.member },
    hotlines: options.hotlines ?? HOTLINES,
    blockers: options.blockers ?? [],
  });
  exchange.hotlines = () => broker.readiness().hotlines;
  const restoreMicrophone = pretendMicrophone(options.microphone ?? 'granted');
  let isOver = false;

  const live = (): FakeWidget => {
    if (isOver) throw new Error('restore() was called on this fake phone; create a new one.');
    if (!exchange.widget)
      throw new Error('No dialer is registered at this fake phone; wait for dialer-ready.');
    return exchange.widget;
  };
  const applyBlockers = async (blockers: readonly string[]): Promise<void> => {
    if (isOver) throw new Error('restore() was called on this fake phone; create a new one.');
    broker.block(blockers);
    await recheckDialers(broker.url);
  };

  return {
    brokerUrl: broker.url,
    sdkUrl: new URL('sdk.js', base).href,
    get calls() {
      return exchange.calls.map((call) => ({ ...call }));
    },
    get requests() {
      return [...broker.requests];
    },
    async setReady() {
      exchange.widget?.register();
      await applyBlockers([]);
      await connected(broker.url);
    },
    setBlocked: (...blockers) => applyBlockers(blockers),
    ring(number, { name } = {}) {
      live().ring(number, name);
      return noticed().then(() => inCall(broker.url));
    },
    answer() {
      live().accept();
      return noticed();
    },
    hangUp() {
      live().endFromOtherParty();
      return noticed();
    },
    refuse(status) {
      live().refuse(status);
      if (status === 402) broker.block(blockersWithoutFunds(broker));
      return noticed();
    },
    loseSocket() {
      live().lose();
      return noticed();
    },
    restore() {
      if (isOver) return;
      isOver = true;
      exchange.close();
      restoreMicrophone();
      broker.close();
    },
  };
}

/** The dialer reads an event of the SDK in the next task, and draws in the one after it. */
function noticed(): Promise<void> {
  return new Promise((resolve) => nextTask(() => nextTask(resolve)));
}

function blockersWithoutFunds(broker: FakeBroker): string[] {
  return [...new Set([...broker.readiness().blockers, 'insufficient-funds'])];
}
