/** What a button or a key does: it changes the UI state, or gives the dialer a command. */
import type { CallLog, LoggedCall } from '../dialer/calls/call-log.ts';
import type { Devices } from '../devices/devices.ts';
import type { Dialer } from '../dialer/dialer.ts';
import { isBusy } from '../dialer/state/call.ts';
import type { HelpKind } from '../dialer/state/block.ts';
import { presentOwner } from '../dialer/state/state.ts';
import { isSameNumber } from '../numbers/read.ts';
import { isWithheld } from '../numbers/withheld.ts';
import type { PermissionPrompts } from './permission-prompts.ts';
import {
  displayInSight,
  typed,
  type Display,
  type Panel,
  type Pending,
  type Refusal,
  type UiState,
  type UiStore,
} from './ui-state.ts';

/** How long "Copied" stays, and that copying failed. */
const COPIED_MS = 2000;

interface ActionParts {
  readonly dialer: Dialer;
  readonly ui: UiStore;
  readonly log: CallLog;
  readonly prompts: PermissionPrompts;
  readonly devices: Devices;
  readonly refused: (code: Refusal) => void;
  readonly supportDetails: (code: string | undefined) => string;
}

export class Actions {
  readonly #parts: ActionParts;
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;
  /** What `pending` waits for. */
  #pressed: Promise<void> | undefined;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  get devices(): Devices {
    return this.#parts.devices;
  }

  get prompts(): PermissionPrompts {
    return this.#parts.prompts;
  }

  get #ui(): UiState {
    return this.#parts.ui.state;
  }

  get #display(): Display {
    return displayInSight(this.#ui, this.#parts.dialer.state);
  }

  type(number: string): void {
    this.#set(typed(this.#ui, number, this.#parts.dialer.state));
  }

  pressKey(key: string): void {
    this.type(this.#display.typedNumber + key);
  }

  erase(): void {
    this.type([...this.#display.typedNumber].slice(0, -1).join(''));
  }

  /** The page's options for the number in the display apply to a call of this number by any button. */
  call(number: string, name?: string): void {
    const { typedNumber, callOptions } = this.#display;
    const options = isSameNumber(number, typedNumber) ? callOptions : {};
    run(this.#parts.dialer.call(number, { ...options, name: options.name ?? name }));
  }

  callTypedNumber(): void {
    const { panel } = this.#ui;
    // The list and the devices cover the typed number.
    if (panel !== 'recent' && panel !== 'devices') this.call(this.#display.typedNumber);
  }

  cancelWaitingCall(): void {
    this.#parts.dialer.giveUpWaitingCall();
  }

  /** Calls a missed caller; during a call the number is kept for the time after it. */
  callBack({ number, name }: LoggedCall): void {
    if (isBusy(this.#parts.dialer.state.call)) this.type(number);
    else this.call(number, name);
  }

  /** @returns whether there is a number to recall */
  recall(): boolean {
    const { lastCall, typedNumber } = this.#display;
    if (typedNumber !== '' || !lastCall || isWithheld(lastCall.number)) return false;
    this.type(lastCall.number);
    return true;
  }

  chooseHotline(number: string): void {
    // The agent's choice is used, not the page's.
    const display = this.#display;
    this.#set({ display: { ...display, callOptions: { ...display.callOptions, hotline: undefined } } });
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
      if (this.#parts.dialer.state.call.is === 'active')
        this.#parts.refused(on ? 'hold-refused' : 'resume-refused');
    });
  }

  /** Shows the keys as well: the tone may come from the keyboard. */
  sendDtmf(key: string): void {
    this.#set({ panel: 'keys' });
    run(this.#parts.dialer.sendDtmf(key, () => this.#set({ tones: this.#ui.tones + key })));
  }

  /** Opens the panel, or closes it. */
  toggle(panel: Panel): void {
    const isOpen = this.#ui.panel === panel;
    if (panel === 'recent' && !isOpen) this.#parts.log.seeAll();
    this.#set({ panel: isOpen ? undefined : panel });
  }

  toggleHelp(): true {
    this.#set({ helpOpen: !this.#ui.helpOpen });
    return true;
  }

  toggleCard(): void {
    this.#set({ cardOpen: !this.#ui.cardOpen });
  }

  /**
   * Closes what was opened last.
   *
   * @param isFloating the card closes, too
   * @returns whether anything was open
   */
  close(isFloating: boolean): boolean {
    const { helpOpen, panel, cardOpen } = this.#ui;
    if (helpOpen) this.toggleHelp();
    else if (panel) this.toggle(panel);
    else if (this.#parts.dialer.waitingCall) this.cancelWaitingCall();
    else if (isFloating && cardOpen) this.toggleCard();
    else return false;
    return true;
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
    if (this.#ui.topUp === 'asking') return;
    const owner = presentOwner(this.#parts.dialer.state);
    this.#set({ topUp: 'asking' });
    const topUp = await this.#parts.dialer.requestHelp('topUp').catch(() => 'help-failed' as const);
    if (presentOwner(this.#parts.dialer.state) !== owner) return;
    this.#set({ topUp });
  }

  retry(): void {
    run(this.#parts.dialer.connect());
  }

  dismiss(): void {
    run(this.#parts.dialer.dismiss());
  }

  async copyDetails(code: string | undefined): Promise<void> {
    // Without a secure context or permission the browser refuses; the agent can still read the code out.
    const copying = navigator.clipboard?.writeText(this.#parts.supportDetails(code)) ?? Promise.reject();
    const detailsCopied = await copying.then(
      () => true,
      () => false,
    );
    clearTimeout(this.#copiedTimer);
    this.#set({ detailsCopied });
    this.#copiedTimer = setTimeout(() => this.#set({ detailsCopied: undefined }), COPIED_MS);
  }

  #set(change: Partial<UiState>): void {
    this.#parts.ui.set(change);
  }

  /** The SDK and the exchange need time: meanwhile the button shows that it was pressed. */
  #press(pending: Pending, work: Promise<void>): void {
    // While a call is ending, another press does not replace "Ending…".
    if (this.#ui.pending !== 'end') {
      this.#pressed = work;
      this.#set({ pending });
    }
    // The answer to an earlier caller may fail late.
    const settled = () => this.#pressed === work && this.#set({ pending: undefined });
    work.then(settled, settled);
  }
}

/** The view shows a failure and an event reports it; the promise must not become an unhandled rejection of the page. */
function run(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
