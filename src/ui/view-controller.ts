/** Keeps the UI state and draws it with the dialer's state. Facts of the dialer come in, commands go out. */
import type { ReactiveController, ReactiveElement, TemplateResult } from 'lit';
import { chooseCallerNumber } from '../dialer/state/hotlines.ts';
import { CallLog } from '../dialer/calls/call-log.ts';
import type { Dialer } from '../dialer/dialer.ts';
import type { DialerFact } from '../dialer/page-events.ts';
import { isBusy } from '../dialer/state/call.ts';
import type { CallInfo, LinkOptions } from '../dialer/state/call-info.ts';
import { INITIAL_STATE, presentOwner, type DialerState } from '../dialer/state/state.ts';
import type { Devices } from '../devices/devices.ts';
import type { Words } from '../i18n/words.ts';
import { isSameNumber, readNumber } from '../numbers/read.ts';
import { microphonePermission } from '../page/microphone.ts';
import { Actions } from './actions.ts';
import { dialerView } from './views/dialer-view.ts';
import { FocusFollower } from './focus-follower.ts';
import { PermissionPrompts } from './permission-prompts.ts';
import { PressGuard } from './press-guard.ts';
import { Ringing } from './ringing.ts';
import { Shortcuts } from './shortcuts.ts';
import { logReadiness, supportDetails, type ReadinessEntry } from './support-details.ts';
import {
  callRefused,
  callRequested,
  costKnown,
  displayInSight,
  prefilled,
  stateChanged,
  UiStore,
  type Display,
  type Refusal,
  type UiState,
} from './ui-state.ts';
import type { ViewSettings } from './view.ts';

/** How often a running clock is drawn. */
const TICK_MS = 1000;
/** In a call, a refusal disappears after this time. */
const REFUSAL_MS = 6000;

interface ViewControllerOptions {
  readonly dialer: Dialer;
  readonly devices: Devices;
  /** The page changes them. */
  readonly settings: ViewSettings;
  /** The card was opened or closed. */
  readonly cardToggled: () => void;
}

export class ViewController implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #options: ViewControllerOptions;
  readonly #ui = new UiStore((previous) => this.#uiChanged(previous));
  readonly #log = new CallLog(() => this.#host.requestUpdate());
  readonly #prompts = new PermissionPrompts(() => this.#host.requestUpdate());
  readonly #ringing = new Ringing(() => this.openCard(true));
  readonly #actions: Actions;
  #state = INITIAL_STATE;
  #readiness: readonly ReadinessEntry[] = [];
  #clock: ReturnType<typeof setInterval> | undefined;
  #refusalTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveElement, options: ViewControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#actions = new Actions({
      dialer: options.dialer,
      ui: this.#ui,
      log: this.#log,
      prompts: this.#prompts,
      devices: options.devices,
      refused: (code) => this.#showRefusal(code),
      supportDetails: (code) => this.supportDetails(code),
    });
    const guard = new PressGuard(host, this);
    host.addController(this);
    host.addController(new FocusFollower(host, this));
    host.addController(guard);
    host.addController(new Shortcuts(host, { guard, actions: this.#actions, view: this }));
  }

  get state(): DialerState {
    return this.#state;
  }

  get settings(): ViewSettings {
    return this.#options.settings;
  }

  get #dialer(): Dialer {
    return this.#options.dialer;
  }

  get #display(): Display {
    return displayInSight(this.#ui.state, this.#state);
  }

  get isCardOpen(): boolean {
    return this.#ui.state.cardOpen;
  }

  openCard(open: boolean): void {
    if (open !== this.isCardOpen) this.#ui.set({ cardOpen: open });
  }

  hostConnected(): void {
    this.#prompts.connected();
    this.followCallLog();
    this.#runClock();
  }

  /** While the panel is not drawn, also in a closed card, the microphone is not measured and no test is played. */
  hostUpdate(): void {
    const { devices, settings } = this.#options;
    const { panel, cardOpen } = this.#ui.state;
    const isDrawn = panel === 'devices' && (cardOpen || settings.floating === false);
    if (isDrawn === devices.isOpen) return;
    if (isDrawn) devices.open(() => this.#dialer.microphone);
    else devices.close();
  }

  hostDisconnected(): void {
    this.#prompts.disconnected();
    this.#log.close();
    clearTimeout(this.#refusalTimer);
    this.#ui.set({ refusal: undefined });
    this.#stopClock();
  }

  /** @param code what the agent can read out */
  supportDetails(code?: string): string {
    const { brokerUrl, sdkUrl } = this.settings;
    const { calls } = this.#log;
    return supportDetails({ state: this.#state, readiness: this.#readiness, calls, brokerUrl, sdkUrl, code });
  }

  render(words: Words): TemplateResult {
    const { settings } = this;
    const { waitingCall } = this.#dialer;
    const display = this.#display;
    const preferred = [display.callOptions.hotline, this.#state.chosenHotline, settings.hotline];
    this.#ringing.follow(this.#state, words);
    return dialerView({
      state: this.#state,
      ui: this.#ui.state,
      display,
      settings,
      words,
      callerNumber: chooseCallerNumber(this.#state.hotlines, waitingCall?.preferred ?? preferred),
      waitingCall,
      calls: this.#log.calls,
      prompts: this.#prompts,
      devices: this.#options.devices.state,
      now: this.#dialer.now,
      actions: this.#actions,
    });
  }

  stateChanged(to: DialerState, from: DialerState): void {
    this.#state = to;
    this.#readiness = logReadiness(this.#readiness, to, Date.now());
    this.#record(to, from);
    this.#prompts.stateChanged(to);
    if (presentOwner(to) !== presentOwner(from)) this.followCallLog();
    else if (from.status === 'connecting' && to.status !== 'connecting')
      queueMicrotask(() => this.followCallLog());
    if (to.call.is === 'incoming' && from.call.is !== 'incoming') void this.#checkMicrophone();
    this.#ui.set(stateChanged(this.#ui.state, from, to));
    if (this.#wouldInterrupt(to, from)) void this.#dialer.dismiss();
    this.#runClock();
  }

  report(fact: DialerFact): void {
    switch (fact.is) {
      case 'missed':
        return this.#log.record(fact.call);
      case 'top-up-answered':
        return this.#ui.set({ topUp: fact.notice });
      case 'call-requested':
        clearTimeout(this.#refusalTimer);
        return this.#show(callRequested(this.#ui.state, fact.number, fact.options, this.#state));
      case 'call-refused':
        return this.#showRefusal(fact.error.code);
      case 'call-given-up':
        return this.#host.requestUpdate();
    }
  }

  /** Of a call that is over. */
  costKnown(call: CallInfo): void {
    this.#log.addCost(call);
    this.#ui.set(costKnown(this.#ui.state, call));
  }

  /** The page shows a number. */
  prefill(number: string, options: LinkOptions): void {
    const change = prefilled(this.#ui.state, number, options, this.#state);
    if (number.trim() === '') this.#ui.set(change);
    else this.#show(change);
  }

  /** If the page has closed the card in this task, it is still drawn as open: the later wish counts. */
  #show(change: Partial<UiState>): void {
    // "You can call again" would cover it.
    if (this.#state.block.is === 'cleared') void this.#dialer.dismiss();
    this.#ui.set(change);
    this.#options.cardToggled();
  }

  /** No call was placed, or a press in a call changed nothing. */
  #showRefusal(code: Refusal): void {
    clearTimeout(this.#refusalTimer);
    this.#ui.set(callRefused(this.#ui.state, code, this.#state));
    if (!isBusy(this.#state.call)) return;
    const expire = () => this.#ui.set({ refusal: undefined });
    this.#refusalTimer = setTimeout(expire, REFUSAL_MS);
  }

  #record({ call }: DialerState, from: DialerState): void {
    // An incoming call is logged when it is answered or over.
    if (call === from.call || (call.is !== 'dialing' && call.is !== 'active' && call.is !== 'ended')) return;
    // The caller's name may become known at any time.
    const isNamed = 'info' in from.call && from.call.info.name !== call.info.name;
    if (isNamed || call.is !== from.call.is) this.#log.record(call.info);
  }

  /** The agent has allowed the microphone, and no number was typed: "You can call again" would only interrupt. */
  #wouldInterrupt({ block }: DialerState, { block: before }: DialerState): boolean {
    const isBrowserFixed = block.is === 'cleared' && before.is === 'blocked' && before.source === 'browser';
    return isBrowserFixed && readNumber(this.#display.typedNumber, this.settings.numberPlan).is !== 'number';
  }

  async #checkMicrophone(): Promise<void> {
    const permission = await microphonePermission();
    this.#ui.set({ microphoneWillAsk: permission === 'prompt' });
  }

  #uiChanged(previous: UiState): void {
    this.#followDisplay();
    if (previous.cardOpen !== this.isCardOpen) this.#options.cardToggled();
    this.#host.requestUpdate();
  }

  /** What waits is what is shown: another number in the display gives the waiting call up. */
  #followDisplay(): void {
    const { waitingCall } = this.#dialer;
    if (waitingCall && !isSameNumber(waitingCall.number, this.#display.typedNumber))
      this.#dialer.giveUpWaitingCall();
  }

  /** The page may switch the call log off. Each agent of a shared computer has their own call log. */
  followCallLog(): void {
    const owner = presentOwner(this.#state);
    // To open the storage takes long: the start comes first.
    const isStarting = this.#state.status === 'connecting' && owner !== this.#log.owner;
    this.#log.useOwner(isStarting ? undefined : owner, this.settings.recentCalls === 'on');
  }

  /** Runs while a duration or a countdown is visible. */
  #runClock(): void {
    const { status, line, call } = this.#state;
    const isRinging = call.is === 'dialing' && call.ringingSince !== undefined;
    const counts = status === 'in-call' || isRinging || (line.is === 'failed' && line.retryAt !== undefined);
    if (!counts) this.#stopClock();
    else this.#clock ??= setInterval(() => this.#host.requestUpdate(), TICK_MS);
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
