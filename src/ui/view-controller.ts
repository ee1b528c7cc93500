/** UI state and actions: the number being typed, open keys, the last call, and what a press of a button does. */
import type { ReactiveController } from 'lit';
import type { GuideNotice } from '../dialer/block-state.ts';
import type { CallInfo, CallOptions } from '../dialer/call.ts';
import type { LoggedCall } from '../dialer/call-log.ts';
import { isBusy } from '../dialer/call-state.ts';
import { isLow } from '../dialer/host.ts';
import { numberCode } from '../dialer/number-code.ts';
import type { DialerState } from '../dialer/state.ts';
import { toDialerError, type DialerErrorCode } from '../errors.ts';
import type { KeypadWords } from '../i18n/keypad-en.ts';
import { microphonePermission } from '../page/microphone.ts';
import { LateCompanions } from './late-companions.ts';
import { Panels } from './panels.ts';
import type { DialerActions, PanelHost, View, ViewActions } from './view.ts';

/** How often the clock of a call moves, in milliseconds. */
const TICK_MS = 1000;
/** How long "copied" stays, in milliseconds. */
const COPIED_MS = 2000;
/** How long a refusal stays in a call, in milliseconds. */
const HINT_MS = 6000;

/** How many of the latest calls are listed; more where a missed one is older. */
const LISTED = 10;

type ViewHost = PanelHost & { readonly brokerUrl: string };

export class ViewController implements ReactiveController, ViewActions {
  readonly #host: ViewHost;
  readonly #dialer: DialerActions;
  readonly #closeCard: () => boolean;
  #draft = '';
  #chosenHotline: string | undefined;
  #lastCall: CallInfo | undefined;
  readonly #panels: Panels;
  readonly #companions = new LateCompanions(
    () => this.#host.requestUpdate(),
    () => this.#dialer.state,
    () => this.#owner(),
  );
  #asksMicrophone = false;
  #recentOpen = false;
  #listed = LISTED;
  #keysOpen = false;
  #tones = '';
  #helpOpen = false;
  #copied = false;
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;
  #topUp: 'asking' | GuideNotice | undefined;
  #hint: DialerErrorCode | undefined;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** @param closeCard makes a bubble of the dialer again; `false` where it is none, or closed already */
  constructor(host: ViewHost, dialer: DialerActions, closeCard: () => boolean) {
    this.#host = host;
    this.#dialer = dialer;
    this.#closeCard = closeCard;
    this.#panels = new Panels(host);
    host.addController(this);
  }

  /** The caller number the agent picked here. */
  get chosenHotline(): string | undefined {
    return this.#chosenHotline;
  }

  hostDisconnected(): void {
    this.#companions.disconnected();
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  hostConnected(): void {
    this.#companions.connected();
    this.#runClock(this.#dialer.state);
  }

  /**
   * @param hotline the caller number that the next call goes out with
   * @param lowBalance in VND; below it the agent is warned
   * @param floating has it a bubble?
   */
  view(words: KeypadWords, hotline: string | undefined, lowBalance: number, floating: boolean): View {
    const { state } = this.#dialer;
    const { calls, missed } = this.#companions;
    const panel = this.#recentOpen ? this.#panels.recentCalls() : undefined;
    const isShort = isLow(state.member?.balance, lowBalance);
    const isWanted = this.isFullWanted || missed.length > 0 || isShort;
    return {
      state,
      words,
      hotline,
      draft: this.#draft,
      numbers: this.#draft === '' ? numberCode.value : numberCode.want(() => this.#host.requestUpdate()),
      lastCall: this.#lastCall,
      lowBalance,
      topUp: this.#topUp,
      // Until the list has come, what was there stays, with its buttons.
      recent: { isOpen: panel !== undefined, panel, calls: calls.slice(0, this.#listed), missed },
      calls: this.#panels.calls(isWanted),
      guide: this.#panels.guide(!isWell(state) || isShort),
      bubble: floating ? this.#panels.bubble() : undefined,
      asks: this.#companions.asks,
      asksMicrophone: this.#asksMicrophone,
      keysOpen: this.#keysOpen,
      tones: this.#tones,
      helpOpen: this.#helpOpen,
      copied: this.#copied,
      hint: this.#hint,
      now: Date.now(),
      act: this,
    };
  }

  /** Is there more to show than the keypad and the wait? */
  get isFullWanted(): boolean {
    const { state } = this.#dialer;
    const isPlain = state.status === 'idle' || state.status === 'connecting' || state.status === 'ready';
    const hasMore =
      state.call.is !== 'none' || state.block.is !== 'none' || this.#recentOpen || this.#helpOpen;
    return !isPlain || hasMore || this.#draft !== '' || this.#hint !== undefined;
  }

  /** What is in the field is the number that is kept, whatever the browser has put there. */
  hostUpdated(): void {
    const field = this.#host.renderRoot.querySelector<HTMLInputElement>('.dialpad .number');
    if (field && field.value !== this.#draft) field.value = this.#draft;
  }

  stateChanged(state: DialerState, previous: DialerState): void {
    const { call } = state;
    if (call !== previous.call) {
      if (call.is === 'ended') this.#lastCall = call.info;
      if (call.is !== 'active') this.#keysOpen = false;
      if (call.is === 'dialing' || call.is === 'incoming') this.#tones = '';
      // The number has served; one that was never reached is kept for the next try.
      const isAnswered = call.is === 'active' && previous.call.is !== 'active';
      if (isAnswered && call.info.direction === 'outgoing') this.#draft = '';
      // A call that still rings may be answered, here or elsewhere: it is no entry yet.
      const isEntry = call.is === 'dialing' || call.is === 'active' || call.is === 'ended';
      // Whose number it is may become known at any time.
      const isNamed = 'info' in previous.call && isEntry && previous.call.info.name !== call.info.name;
      if (isEntry && (isNamed || call.is !== previous.call.is)) this.#companions.record(call.info);
      if (isBusy(call)) this.#recentOpen = false;
    }
    if (call.is === 'incoming' && previous.call.is !== 'incoming') void this.#lookAtMicrophone();
    this.#companions.stateChanged(state, previous);
    if (state.status !== previous.status) {
      clearTimeout(this.#hintTimer);
      this.#hint = undefined;
      this.#helpOpen = false;
    }
    if (state.member?.balance !== previous.member?.balance) this.#topUp = undefined;
    if (isHealed(state, previous) && numberCode.value?.readNumber(this.#draft).is !== 'number')
      this.dismiss();
    this.#runClock(state);
    this.#host.requestUpdate();
  }

  /** Somebody called while the line was taken. */
  missed(call: CallInfo): void {
    this.#companions.record(call);
  }

  /** Calls and keeps the number until the call was answered. */
  async place(number: string, options?: CallOptions): Promise<void> {
    // A number clicked on the page while somebody is on the line is refused, and leaves what was typed alone.
    if (!isBusy(this.#dialer.state.call)) this.#draft = onOneLine(number);
    this.#hint = undefined;
    this.#host.requestUpdate();
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
    this.#change(() => {
      this.#draft = onOneLine(number);
      this.#hint = undefined;
      this.#helpOpen = false;
      this.#recentOpen = false;
    });
  }

  pressKey(key: string): void {
    this.type(this.#draft + key);
  }

  erase(): void {
    this.type([...this.#draft].slice(0, -1).join(''));
  }

  call(number: string, options?: CallOptions): void {
    void this.place(number, options).catch(shown);
  }

  chooseHotline(number: string): void {
    this.#change(() => (this.#chosenHotline = number));
  }

  answer(): void {
    void this.#dialer.answer().catch(shown);
  }

  hangUp(): void {
    void this.#dialer.hangUp().catch(shown);
  }

  setMuted(on: boolean): void {
    void this.#dialer.setMuted(on).catch(shown);
  }

  setHeld(on: boolean): void {
    void this.#dialer.setHeld(on).catch(shown);
  }

  toggleKeys(): void {
    this.#change(() => (this.#keysOpen = !this.#keysOpen));
  }

  toggleHelp(): true {
    this.#change(() => (this.#helpOpen = !this.#helpOpen));
    return true;
  }

  toggleRecent(): true {
    this.#change(() => (this.#recentOpen = !this.#recentOpen));
    if (this.#recentOpen) this.#listed = Math.max(LISTED, this.#companions.seeAll());
    return true;
  }

  allowNotifications(): void {
    this.#companions.asks.allowNotifications();
  }

  declineNotifications(): void {
    this.#companions.asks.declineNotifications();
  }

  callBack({ number, name }: LoggedCall): void {
    if (isBusy(this.#dialer.state.call)) this.type(number);
    else this.call(number, { name });
  }

  /** @returns whether anything was open */
  close(): boolean {
    if (this.#helpOpen) return this.toggleHelp();
    if (this.#recentOpen) return this.toggleRecent();
    if (this.#keysOpen) this.toggleKeys();
    else return this.#closeCard();
    return true;
  }

  /** @returns whether there is a number to recall */
  recall(): boolean {
    if (!this.#lastCall) return false;
    this.type(this.#lastCall.number);
    return true;
  }

  callDraft(): void {
    // Nobody calls a number that is behind the list.
    if (!this.#recentOpen || !this.#panels.hasRecentCalls) this.call(this.#draft);
  }

  /** Shows the keys sent, which may come from the keyboard. */
  sendDtmf(key: string): void {
    this.#change(() => {
      this.#keysOpen = true;
      this.#tones += key;
    });
    void this.#dialer.sendDtmf(key).catch(shown);
  }

  recheck(): void {
    void this.#dialer.recheck().catch(shown);
  }

  useHere(): void {
    void this.#dialer.useHere().catch(shown);
  }

  requestHelp(kind: 'topUp' | 'hotline'): void {
    void this.#dialer.requestHelp(kind).catch(shown);
  }

  async topUpInTime(): Promise<void> {
    if (this.#topUp === 'asking') return;
    this.#change(() => (this.#topUp = 'asking'));
    const notice = await this.#dialer.requestHelp('topUp').catch(() => 'check-failed' as const);
    this.#change(() => (this.#topUp = notice));
  }

  retry(): void {
    void this.#dialer.connect().catch(shown);
  }

  dismiss(): void {
    void this.#dialer.dismiss();
  }

  copyDetails(details: string): void {
    // Refused without a secure context or permission; then there is nothing better to offer than the code in sight.
    void navigator.clipboard?.writeText(details).then(() => this.#showCopied(), shown);
  }

  /** In a call it goes by itself: there is nothing to mend. */
  #showHint(code: DialerErrorCode): void {
    this.#change(() => (this.#hint = code));
    if (!isBusy(this.#dialer.state.call)) return;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => this.#change(() => (this.#hint = undefined)), HINT_MS);
  }

  #showCopied(): void {
    this.#change(() => (this.#copied = true));
    clearTimeout(this.#copiedTimer);
    this.#copiedTimer = setTimeout(() => this.#change(() => (this.#copied = false)), COPIED_MS);
  }

  /** Runs while something in sight counts: a call, or the seconds to the next try. */
  #runClock({ status, line, call }: DialerState): void {
    const isRinging = call.is === 'dialing' && call.ringingSince !== undefined;
    const counts = status === 'in-call' || isRinging || (line.is === 'failed' && line.retryAt !== undefined);
    if (!counts) {
      clearInterval(this.#clock);
      this.#clock = undefined;
      return;
    }
    this.#clock ??= setInterval(() => this.#host.requestUpdate(), TICK_MS);
  }

  async #lookAtMicrophone(): Promise<void> {
    const permission = await microphonePermission();
    this.#change(() => (this.#asksMicrophone = permission === 'prompt'));
  }

  /** Agents who share a computer each have calls of their own. */
  #owner(): string | undefined {
    const origin = URL.parse(this.#host.brokerUrl, document.baseURI)?.origin;
    const { member } = this.#dialer.state;
    return origin && member && `${origin} ${member.memberNo}`;
  }

  #change(work: () => void): void {
    work();
    this.#host.requestUpdate();
  }
}

/** Is there nothing to guide the agent out of? */
function isWell({ status, block }: DialerState): boolean {
  return status !== 'failed' && status !== 'blocked' && block.is !== 'cleared';
}

/** The browser was put right: with no number waiting, there is nothing to say but the status. */
function isHealed({ block }: DialerState, previous: DialerState): boolean {
  const was = previous.block;
  return block.is === 'cleared' && was.is === 'blocked' && was.source === 'browser';
}

/** A field of one line leaves line breaks out, and would join the numbers of two lines. */
function onOneLine(text: string): string {
  return text.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/[\r\n\v\f\u2028\u2029]+/g, '; ');
}

/** What fails is in the state and in an event already; nothing may reach the page as an unhandled rejection. */
function shown(): void {}
