/** What a press of a button or of a key does, and what the views remember of it. */
import type { CallOptions } from '../dialer/state/call-info.ts';
import type { LoggedCall } from '../dialer/call-log.ts';
import { isBusy } from '../dialer/state/call.ts';
import { toDialerError, type DialerErrorCode } from '../errors.ts';
import type { LateCompanions } from './late-companions.ts';
import type { Panels } from './panels.ts';
import type { DialerActions, UiState, ViewActions } from './view.ts';

/** How long "copied" stays, in milliseconds. */
const COPIED_MS = 2000;
/** How long a refusal stays in a call, in milliseconds. */
const HINT_MS = 6000;

/** How many of the latest calls are listed; more where a missed one is older. */
const LISTED = 10;

export class Actions implements ViewActions {
  readonly #dialer: DialerActions;
  readonly #companions: LateCompanions;
  readonly #panels: Panels;
  readonly #changed: () => void;
  readonly #closeCard: () => boolean;
  #ui: UiState = {
    draft: '',
    lastCall: undefined,
    topUp: undefined,
    asksMicrophone: false,
    asked: undefined,
    keysOpen: false,
    tones: '',
    helpOpen: false,
    copied: false,
    hint: undefined,
  };
  #chosenHotline: string | undefined;
  #recentOpen = false;
  #listed = LISTED;
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param changed something that is drawn has changed
   * @param closeCard makes a bubble of the dialer again; `false` where it is none, or closed already
   */
  constructor(
    dialer: DialerActions,
    companions: LateCompanions,
    panels: Panels,
    changed: () => void,
    closeCard: () => boolean,
  ) {
    this.#dialer = dialer;
    this.#companions = companions;
    this.#panels = panels;
    this.#changed = changed;
    this.#closeCard = closeCard;
  }

  get ui(): UiState {
    return this.#ui;
  }

  /** The caller number the agent picked here. */
  get chosenHotline(): string | undefined {
    return this.#chosenHotline;
  }

  /** Are the latest calls to be shown? */
  get recentOpen(): boolean {
    return this.#recentOpen;
  }

  /** How many of them. */
  get listed(): number {
    return this.#listed;
  }

  change(part: Partial<UiState>): void {
    this.#ui = { ...this.#ui, ...part };
    this.#changed();
  }

  /** Calls and keeps the number until the call was answered. */
  async place(number: string, options?: CallOptions): Promise<void> {
    // A number clicked on the page while somebody is on the line is refused, and leaves what was typed alone.
    const draft = isBusy(this.#dialer.state.call) ? this.#ui.draft : onOneLine(number);
    this.change({ draft, hint: undefined });
    try {
      await this.#dialer.call(number, options);
    } catch (error) {
      const { code } = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      const { status } = this.#dialer.state;
      const isTold = status === 'blocked' || status === 'failed' || status === 'connecting';
      if (!isTold) this.#showHint(code);
      throw error;
    }
  }

  type(number: string): void {
    this.#recentOpen = false;
    this.change({ draft: onOneLine(number), hint: undefined });
  }

  pressKey(key: string): void {
    this.type(this.#ui.draft + key);
  }

  erase(): void {
    this.type([...this.#ui.draft].slice(0, -1).join(''));
  }

  call(number: string, options?: CallOptions): void {
    run(this.place(number, options));
  }

  callDraft(): void {
    // Nobody calls a number that is behind the list.
    if (!this.#recentOpen || !this.#panels.hasRecentCalls) this.call(this.#ui.draft);
  }

  callBack({ number, name }: LoggedCall): void {
    if (isBusy(this.#dialer.state.call)) this.type(number);
    else this.call(number, { name });
  }

  /** @returns whether there is a number to recall */
  recall(): boolean {
    const { lastCall } = this.#ui;
    if (lastCall) this.type(lastCall.number);
    return lastCall !== undefined;
  }

  chooseHotline(number: string): void {
    this.#chosenHotline = number;
    this.change({});
  }

  answer(): void {
    this.#ask('answer', this.#dialer.answer());
  }

  hangUp(): void {
    this.#ask('end', this.#dialer.hangUp());
  }

  setMuted(on: boolean): void {
    run(this.#dialer.setMuted(on));
  }

  setHeld(on: boolean): void {
    run(this.#dialer.setHeld(on));
  }

  /** Shows the keys, which may come from the keyboard, as soon as they are on their way. */
  sendDtmf(key: string): void {
    this.change({ keysOpen: true });
    run(this.#dialer.sendDtmf(key, () => this.change({ tones: this.#ui.tones + key })));
  }

  toggleKeys(): void {
    this.change({ keysOpen: !this.#ui.keysOpen });
  }

  toggleHelp(): true {
    this.change({ helpOpen: !this.#ui.helpOpen });
    return true;
  }

  toggleRecent(): true {
    this.#recentOpen = !this.#recentOpen;
    if (this.#recentOpen) this.#listed = Math.max(LISTED, this.#companions.seeAll());
    this.change({});
    return true;
  }

  closeRecent(): void {
    this.#recentOpen = false;
  }

  /** @returns whether anything was open */
  close(): boolean {
    if (this.#ui.helpOpen) return this.toggleHelp();
    if (this.#recentOpen) return this.toggleRecent();
    if (this.#ui.keysOpen) this.toggleKeys();
    else return this.#closeCard();
    return true;
  }

  allowNotifications(): void {
    run(this.#companions.asks.allowNotifications());
  }

  declineNotifications(): void {
    this.#companions.asks.declineNotifications();
  }

  recheck(): void {
    run(this.#dialer.recheck());
  }

  useHere(): void {
    run(this.#dialer.useHere());
  }

  requestHelp(kind: 'topUp' | 'hotline'): void {
    run(this.#dialer.requestHelp(kind));
  }

  async topUpInTime(): Promise<void> {
    if (this.#ui.topUp === 'asking') return;
    this.change({ topUp: 'asking' });
    const topUp = await this.#dialer.requestHelp('topUp').catch(() => 'help-failed' as const);
    this.change({ topUp });
  }

  retry(): void {
    run(this.#dialer.connect());
  }

  dismiss(): void {
    this.#dialer.dismiss();
  }

  copyDetails(details: string): void {
    // Refused without a secure context or permission; then there is nothing better to offer than the code in sight.
    if (navigator.clipboard) run(navigator.clipboard.writeText(details).then(() => this.#showCopied()));
  }

  /** The SDK and the exchange take their time: nobody is to wonder whether the press has counted. */
  #ask(asked: UiState['asked'], work: Promise<void>): void {
    this.change({ asked });
    const over = () => this.change({ asked: undefined });
    work.then(over, over);
  }

  /** A refusal belongs to the status it was told in. */
  clearHint(): void {
    clearTimeout(this.#hintTimer);
    this.change({ hint: undefined });
  }

  /** In a call it goes by itself: there is nothing to mend. */
  #showHint(hint: DialerErrorCode): void {
    clearTimeout(this.#hintTimer);
    this.change({ hint });
    if (isBusy(this.#dialer.state.call)) this.#hintTimer = setTimeout(() => this.clearHint(), HINT_MS);
  }

  #showCopied(): void {
    clearTimeout(this.#copiedTimer);
    this.change({ copied: true });
    this.#copiedTimer = setTimeout(() => this.change({ copied: false }), COPIED_MS);
  }
}

/** What fails is in the state and in an event already; nothing may reach the page as an unhandled rejection. */
function run(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

/** A field of one line leaves line breaks out, and would join the numbers of two lines. */
function onOneLine(text: string): string {
  return text.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/[\r\n\v\f\u2028\u2029]+/g, '; ');
}
