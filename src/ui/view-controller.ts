/** What there is to draw: the dialer's state, what the views remember, and what has come of their code. */
import type { ReactiveController } from 'lit';
import type { CallInfo } from '../dialer/state/call-info.ts';
import { isBusy, isLive } from '../dialer/state/call.ts';
import { isLow } from '../dialer/host.ts';
import { numberCode } from '../dialer/number-code.ts';
import type { DialerState } from '../dialer/state/state.ts';
import type { KeypadWords } from '../i18n/keypad-en.ts';
import { microphonePermission } from '../page/microphone.ts';
import { Actions } from './actions.ts';
import { LateCompanions } from './late-companions.ts';
import { Panels } from './panels.ts';
import type { DialerActions, PanelHost, UiState, View } from './view.ts';

/** How often the clock of a call moves, in milliseconds. */
const TICK_MS = 1000;

type ViewHost = PanelHost & { readonly brokerUrl: string };

export class ViewController implements ReactiveController {
  readonly #host: ViewHost;
  readonly #dialer: DialerActions;
  readonly #panels: Panels;
  readonly #companions = new LateCompanions(
    () => this.#host.requestUpdate(),
    () => this.#dialer.state,
    () => this.#owner(),
  );
  /** What the agent can do. */
  readonly act: Actions;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** @param closeCard makes a bubble of the dialer again; `false` where it is none, or closed already */
  constructor(host: ViewHost, dialer: DialerActions, closeCard: () => boolean) {
    this.#host = host;
    this.#dialer = dialer;
    this.#panels = new Panels(host);
    const changed = () => host.requestUpdate();
    this.act = new Actions(dialer, this.#companions, this.#panels, changed, closeCard);
    host.addController(this);
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
    const { calls, missed, asks } = this.#companions;
    const { ui, recentOpen, listed } = this.act;
    const panel = recentOpen ? this.#panels.recentCalls() : undefined;
    const isShort = isLow(state.member?.balance, lowBalance);
    const isWanted = this.isFullWanted || missed.length > 0 || isShort;
    return {
      ...ui,
      state,
      words,
      hotline,
      numbers: ui.draft === '' ? numberCode.value : numberCode.want(() => this.#host.requestUpdate()),
      lowBalance,
      // Until the list has come, what was there stays, with its buttons.
      recent: { isOpen: panel !== undefined, panel, calls: calls.slice(0, listed), missed },
      calls: this.#panels.calls(isWanted),
      guide: this.#panels.guide(!isWell(state) || isShort),
      bubble: floating ? this.#panels.bubble() : undefined,
      asks,
      now: Date.now(),
      act: this.act,
    };
  }

  /** Is there more to show than the keypad and the wait? */
  get isFullWanted(): boolean {
    const { state } = this.#dialer;
    const { ui, recentOpen } = this.act;
    const isPlain = state.status === 'idle' || state.status === 'connecting' || state.status === 'ready';
    const hasMore = state.call.is !== 'none' || state.block.is !== 'none' || recentOpen || ui.helpOpen;
    return !isPlain || hasMore || ui.draft !== '' || ui.hint !== undefined;
  }

  /** What is in the field is the number that is kept, whatever the browser has put there. */
  hostUpdated(): void {
    const { draft } = this.act.ui;
    const field = this.#host.renderRoot.querySelector<HTMLInputElement>('.dialpad .number');
    if (field && field.value !== draft) field.value = draft;
  }

  stateChanged(state: DialerState, previous: DialerState): void {
    const { call } = state;
    if (call !== previous.call) {
      // A call that still rings may be answered, here or elsewhere: it is no entry yet.
      const isEntry = call.is === 'dialing' || call.is === 'active' || call.is === 'ended';
      // Whose number it is may become known at any time.
      const isNamed = 'info' in previous.call && isEntry && previous.call.info.name !== call.info.name;
      if (isEntry && (isNamed || call.is !== previous.call.is)) this.#companions.record(call.info);
      if (isBusy(call)) this.act.closeRecent();
    }
    if (call.is === 'incoming' && previous.call.is !== 'incoming') void this.#lookAtMicrophone();
    this.#companions.stateChanged(state, previous);
    if (state.status !== previous.status) this.act.clearHint();
    this.act.change(afterMove(this.act.ui, state, previous));
    const isNumber = numberCode.value?.readNumber(this.act.ui.draft).is === 'number';
    if (isHealed(state, previous) && !isNumber) this.act.dismiss();
    this.#runClock(state);
  }

  /** Somebody called while the line was taken. */
  missed(call: CallInfo): void {
    this.#companions.record(call);
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
    this.act.change({ asksMicrophone: permission === 'prompt' });
  }

  /** Agents who share a computer each have calls of their own. */
  #owner(): string | undefined {
    const origin = URL.parse(this.#host.brokerUrl, document.baseURI)?.origin;
    const { member } = this.#dialer.state;
    return origin && member && `${origin} ${member.memberNo}`;
  }
}

/** What the views forget, and remember, of a move of the dialer's state. */
function afterMove(ui: UiState, state: DialerState, previous: DialerState): UiState {
  const { call } = state;
  const isMove = call !== previous.call;
  const isAnswered = call.is === 'active' && previous.call.is !== 'active';
  const isNew = isMove && (call.is === 'dialing' || call.is === 'incoming');
  return {
    ...ui,
    lastCall: isMove && call.is === 'ended' ? call.info : ui.lastCall,
    keysOpen: ui.keysOpen && (!isMove || call.is === 'active'),
    tones: isNew ? '' : ui.tones,
    asked: isLive(previous.call) ? ui.asked : undefined,
    // The number has served; one that was never reached is kept for the next try.
    draft: isAnswered && call.info.direction === 'outgoing' ? '' : ui.draft,
    helpOpen: ui.helpOpen && state.status === previous.status,
    // With the next call it may be asked for again.
    topUp: isNew || state.member?.balance !== previous.member?.balance ? undefined : ui.topUp,
  };
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
