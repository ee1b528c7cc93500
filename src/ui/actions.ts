/** What a button or a key does: it changes the UI state, or gives the dialer a command. */
import type { CallLog, LoggedCall } from '../dialer/calls/call-log.ts';
import type { Devices } from '../devices/devices.ts';
import type { DeviceChoice } from '../devices/state.ts';
import { isBusy } from '../dialer/state/call.ts';
import type { GuideNotice, HelpKind } from '../dialer/state/block.ts';
import type { CallOptions } from '../dialer/state/call-info.ts';
import { presentOwner, type DialerState } from '../dialer/state/state.ts';
import { isWithheld } from '../numbers/withheld.ts';
import type { PermissionPrompts } from './permission-prompts.ts';
import { isSameNumber, type Pending, type Refusal, type UiStore } from './ui-state.ts';

/** How long "Copied" stays. */
const COPIED_MS = 2000;
/** How many recent calls the list shows. It shows more if an older missed call has not been seen. */
const LISTED_CALLS = 10;

/** What the views need of the dialer. */
export interface DialerCommands {
  /** What the present call sends; absent without an answered call. */
  readonly microphone: MediaStreamTrack | undefined;
  /** Epoch milliseconds, for timers. */
  readonly now: number;
  connect(): Promise<void>;
  /** @throws {DialerError} when no call was placed */
  call(number: string, options?: CallOptions): Promise<void>;
  answer(): Promise<void>;
  hangUp(): Promise<void>;
  setMuted(on: boolean): Promise<void>;
  setHeld(on: boolean): Promise<void>;
  sendDtmf(tones: string, queued?: () => void): Promise<void>;
  recheck(): Promise<void>;
  /** Brings the phone into this tab. */
  useHere(): Promise<void>;
  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined>;
  /** The caller number that the next calls go out with. */
  chooseHotline(number: string): Promise<void>;
  /** Leaves the last call's outcome, or "You can call again". */
  dismiss(): void;
}

interface ActionParts {
  readonly dialer: DialerCommands;
  readonly ui: UiStore;
  readonly log: CallLog;
  readonly prompts: PermissionPrompts;
  readonly devices: Devices;
  readonly state: () => DialerState;
  readonly refused: (code: Refusal) => void;
  readonly supportDetails: (code: string | undefined) => string;
}

export class Actions {
  readonly #parts: ActionParts;
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  type(number: string): void {
    this.#parts.ui.dispatch({ type: 'typed', number });
  }

  pressKey(key: string): void {
    this.#parts.ui.dispatch({ type: 'key', key });
  }

  erase(): void {
    this.#parts.ui.dispatch({ type: 'erased' });
  }

  /** What the page gave for the number in the display counts whichever button calls it. */
  call(number: string, name?: string): void {
    const { typedNumber, callOptions } = this.#parts.ui.state;
    const options = isSameNumber(number, typedNumber) ? callOptions : {};
    run(this.#parts.dialer.call(number, { ...options, name: options.name ?? name }));
  }

  callTypedNumber(): void {
    const { listedCalls, devicesOpen, typedNumber } = this.#parts.ui.state;
    // What is open covers the typed number.
    if (listedCalls === undefined && !devicesOpen) this.call(typedNumber);
  }

  /** Calls a missed caller; during a call the number is kept for the time after it. */
  callBack({ number, name }: LoggedCall): void {
    if (isBusy(this.#parts.state().call)) this.type(number);
    else this.call(number, name);
  }

  /** @returns whether there is a number to recall */
  recall(): boolean {
    const { lastCall } = this.#parts.ui.state;
    if (!lastCall || isWithheld(lastCall.number)) return false;
    this.type(lastCall.number);
    return true;
  }

  chooseHotline(number: string): void {
    this.#parts.ui.dispatch({ type: 'hotline-chosen' });
    run(this.#parts.dialer.chooseHotline(number));
  }

  answer(): void {
    this.#press('answer', this.#parts.dialer.answer());
  }

  hangUp(): void {
    this.#press('end', this.#parts.dialer.hangUp());
  }

  setMuted(on: boolean): void {
    run(this.#parts.dialer.setMuted(on));
  }

  setHeld(on: boolean): void {
    const held = this.#parts.dialer.setHeld(on);
    this.#press('hold', held);
    held.catch(() => {
      if (this.#parts.state().call.is === 'active')
        this.#parts.refused(on ? 'hold-refused' : 'resume-refused');
    });
  }

  /** Shows the keys as well: the tone may come from the keyboard. */
  sendDtmf(key: string): void {
    this.#parts.ui.dispatch({ type: 'keys', open: true });
    run(this.#parts.dialer.sendDtmf(key, () => this.#parts.ui.dispatch({ type: 'tone-sent', key })));
  }

  toggleKeys(): void {
    this.#parts.ui.dispatch({ type: 'keys', open: !this.#parts.ui.state.keysOpen });
  }

  toggleHelp(): void {
    this.#parts.ui.dispatch({ type: 'help', open: !this.#parts.ui.state.helpOpen });
  }

  /** Opens or closes the list of recent calls. */
  toggleRecentCalls(): void {
    const isOpen = this.#parts.ui.state.listedCalls !== undefined;
    const calls = isOpen ? undefined : Math.max(LISTED_CALLS, this.#parts.log.seeAll());
    this.#parts.ui.dispatch({ type: 'recent-calls', calls });
  }

  toggleDevices(): void {
    this.#parts.ui.dispatch({ type: 'devices', open: !this.#parts.ui.state.devicesOpen });
  }

  chooseDevices(change: Partial<DeviceChoice>): void {
    this.#parts.devices.choose(change);
  }

  testHeadset(): void {
    run(this.#parts.devices.testHeadset());
  }

  testRing(on: 'speaker' | 'ringer'): void {
    this.#parts.devices.testRing(on);
  }

  endDeviceTest(): void {
    this.#parts.devices.endTest();
  }

  toggleCard(): void {
    this.#parts.ui.dispatch({ type: 'card', open: !this.#parts.ui.state.cardOpen });
  }

  /**
   * Closes what was opened last.
   *
   * @param isFloating the card closes, too
   * @returns whether anything was open
   */
  close(isFloating: boolean): boolean {
    const { helpOpen, devicesOpen, listedCalls, keysOpen, cardOpen } = this.#parts.ui.state;
    if (helpOpen) this.toggleHelp();
    else if (devicesOpen) this.toggleDevices();
    else if (listedCalls !== undefined) this.toggleRecentCalls();
    else if (keysOpen) this.toggleKeys();
    else if (isFloating && cardOpen) this.toggleCard();
    else return false;
    return true;
  }

  allowNotifications(): void {
    run(this.#parts.prompts.allowNotifications());
  }

  declineNotifications(): void {
    this.#parts.prompts.declineNotifications();
  }

  recheck(): void {
    run(this.#parts.dialer.recheck());
  }

  useHere(): void {
    run(this.#parts.dialer.useHere());
  }

  requestHelp(kind: HelpKind): void {
    run(this.#parts.dialer.requestHelp(kind));
  }

  /** Asks for a top-up while there is still money. */
  async topUpEarly(): Promise<void> {
    if (this.#parts.ui.state.topUp === 'asking') return;
    const owner = presentOwner(this.#parts.state());
    this.#parts.ui.dispatch({ type: 'top-up', is: 'asking' });
    const is = await this.#parts.dialer.requestHelp('topUp').catch(() => 'help-failed' as const);
    if (presentOwner(this.#parts.state()) !== owner) return;
    this.#parts.ui.dispatch({ type: 'top-up', is });
  }

  retry(): void {
    run(this.#parts.dialer.connect());
  }

  dismiss(): void {
    this.#parts.dialer.dismiss();
  }

  copyDetails(code: string | undefined): void {
    // Without a secure context or permission the browser refuses; the agent can still read the code out.
    if (!navigator.clipboard) return;
    run(navigator.clipboard.writeText(this.#parts.supportDetails(code)).then(() => this.#showCopied()));
  }

  /** The SDK and the exchange need time: meanwhile the button shows that it was pressed. */
  #press(what: Pending, work: Promise<void>): void {
    this.#parts.ui.dispatch({ type: 'pressed', what });
    const settled = () => this.#parts.ui.dispatch({ type: 'press-settled', what });
    work.then(settled, settled);
  }

  #showCopied(): void {
    clearTimeout(this.#copiedTimer);
    this.#parts.ui.dispatch({ type: 'copied', justNow: true });
    this.#copiedTimer = setTimeout(
      () => this.#parts.ui.dispatch({ type: 'copied', justNow: false }),
      COPIED_MS,
    );
  }
}

/** The view shows a failure and an event reports it; the promise must not become an unhandled rejection of the page. */
function run(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
