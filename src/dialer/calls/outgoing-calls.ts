/**
 * An outgoing call, from the request until the SDK has begun it. It can be given up at every step.
 *
 *     waiting ──ready──▶ placing ──microphone allowed──▶ dialled ──▶ the SDK's call
 *     waiting ──another call, another number in the display, cancelled──▶ given-up
 *     placing, dialled ──hung up──▶ given-up
 *
 * A call that can be placed at once begins in `placing`.
 */
import { DialerError, toDialerError } from '../../errors.ts';
import { toDialled } from '../../numbers/read.ts';
import { checkMicrophone } from '../../page/microphone.ts';
import { painted } from '../../page/visibility.ts';
import { childOf, orAbort, stopwatch } from '../../wait.ts';
import { disconnected } from '../connection/connection.ts';
import { parseCallOptions, usableExternalCallId } from './call-options.ts';
import { BROWSER_CODES, isBlockedAs, requireReady } from './call-refusal.ts';
import { isBlockedBy } from '../state/block.ts';
import { chooseCallerNumber } from '../state/hotlines.ts';
import type { Dependencies } from '../page-events.ts';
import type { CallOptions, LinkOptions } from '../state/call-info.ts';
import { isBusy } from '../state/call.ts';
import { isOtherOwner, type DialerState } from '../state/state.ts';

/** Longer than a sign-in and a request for the phone. If the machine has slept meanwhile, nobody expects the call any more. */
const LONGEST_WAIT_MS = 180_000;

interface Attempt {
  is: 'waiting' | 'placing' | 'dialled' | 'given-up';
  readonly abort: AbortController;
  readonly number: string;
  /** What the page has given for this call; while it waits, the page may already give it for another one. */
  options: LinkOptions;
  /** Caller numbers, the most preferred first. */
  preferred: () => readonly (string | undefined)[];
}

/** A call that is placed as soon as the dialer is connected. */
export type WaitingCall = Pick<CallOptions, 'name'> & {
  readonly number: string;
  readonly preferred: readonly (string | undefined)[];
};

export class OutgoingCalls {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #browser: Dependencies['browser'];
  readonly #events: Dependencies['events'];
  #attempt: Attempt | undefined;

  constructor({ store, connection, browser, events }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#events = events;
  }

  /** The options of the call that the SDK has been asked for. Any other call began on the SDK's own screen. */
  get options(): LinkOptions {
    return this.#attempt?.is === 'dialled' ? this.#attempt.options : {};
  }

  get waiting(): WaitingCall | undefined {
    if (this.#attempt?.is !== 'waiting') return undefined;
    const { number, options, preferred } = this.#attempt;
    return { number, name: options.name ?? options.linkText, preferred: preferred() };
  }

  /** @param given {@link CallOptions}, or whatever the page gave for them */
  async call(typed: string, given: unknown): Promise<void> {
    let attempt: Attempt | undefined;
    try {
      const options = parseCallOptions(given);
      this.#events.report({ is: 'call-requested', number: typed, options });
      const number = toDialled(typed, this.#connection.settings?.numberPlan);
      this.giveUpWaiting();
      this.#requireNoCall();
      const is = this.#state.canCall ? 'placing' : 'waiting';
      attempt = { is, abort: childOf(this.#connection.life), number, ...this.#withAttributes(options) };
      this.#attempt = attempt;
      await this.#place(attempt);
    } catch (error) {
      const known = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      if (attempt?.is !== 'given-up') this.#onRefused(known, attempt);
      throw known;
    } finally {
      attempt?.abort.abort();
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  giveUp(): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    if (!attempt) return;
    attempt.is = 'given-up';
    attempt.abort.abort(new DialerError('call-rejected', 'The call was cancelled before it started.'));
    this.#events.report({ is: 'call-given-up' });
    if (this.#state.call.is !== 'placing') return;
    // First: without a call, a waiting connection may close the SDK.
    this.#connection.sdk?.hangUp();
    this.#store.apply({ type: 'not-placed' });
  }

  giveUpWaiting(): void {
    if (this.waiting) this.giveUp();
  }

  /** The agent has chosen a caller number after the page. */
  useHotline(number: string): void {
    const { settings } = this.#connection;
    if (this.#attempt?.is === 'waiting') this.#attempt.preferred = () => [number, settings?.hotline];
  }

  get #state(): DialerState {
    return this.#store.state;
  }

  async #place(attempt: Attempt): Promise<void> {
    const { abort, number } = attempt;
    const { signal } = abort;
    const waited = stopwatch();
    const requireWanted = () => {
      signal.throwIfAborted();
      if (waited() > LONGEST_WAIT_MS) throw new DialerError('call-rejected', 'The call waited for too long.');
    };
    // Nothing waits while the member can call: in the same task, `canCall` becomes false.
    if (attempt.is === 'waiting') await this.#becomeReady(signal);
    requireWanted();
    // Somebody may have called meanwhile.
    this.#requireNoCall();
    attempt.is = 'placing';
    const hotline = chooseCallerNumber(this.#state.hotlines, attempt.preferred());
    const options = { ...attempt.options, hotline };
    attempt.options = options;
    if (!this.#events.emit({ name: 'beforecall', number, options }))
      throw new DialerError('call-rejected', 'The page cancelled the call (dialer-beforecall).');
    const name = options.name ?? options.linkText;
    this.#store.apply({ type: 'placing', call: { number, name, hotline } });
    // The view changes before the browser and the SDK begin their work.
    await orAbort(painted(), signal);
    const permission = await orAbort(checkMicrophone(), signal);
    requireWanted();
    // Somebody may have rung and hung up meanwhile: then `placing` may be about a later call.
    if (this.#attempt !== attempt || this.#state.call.is !== 'placing')
      throw new DialerError('busy', 'Another call came in first.');
    this.#store.apply({ type: 'microphone-checked', willAsk: permission === 'prompt' });
    const { sdk } = this.#connection;
    if (!sdk) throw disconnected();
    attempt.is = 'dialled';
    await sdk.dial(number, options.hotline, options.externalCallId);
  }

  /** Checks the browser, connects, and takes the phone from another tab, as needed. */
  async #becomeReady(signal: AbortSignal): Promise<void> {
    if (isBlockedBy(this.#state.block, 'browser')) {
      // The agent may have fixed it, and not every browser says so.
      await orAbort(this.#browser.recheck(), signal);
      signal.throwIfAborted();
      if (isBlockedBy(this.#state.block, 'browser')) requireReady(this.#state);
    }
    // Nobody knows when the SDK will reconnect, so the call fails now.
    if (this.#state.line.is === 'lost')
      throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    if (this.#state.line.is !== 'up') await orAbort(this.#connection.connectHere(signal), signal);
    requireReady(this.#state);
  }

  /** As the attributes are now. */
  #withAttributes(options: LinkOptions): Pick<Attempt, 'options' | 'preferred'> {
    const { settings } = this.#connection;
    const externalCallId = options.externalCallId ?? usableExternalCallId(settings?.externalCallId ?? '');
    const { chosenHotline, owner, hotlines } = this.#state;
    const inSight = chooseCallerNumber(hotlines, [options.hotline, chosenHotline, settings?.hotline]);
    const preferred = () => [
      options.hotline,
      // The call may wait until the next agent has signed in, or until the SDK names the numbers in another order.
      ...(isOtherOwner(this.#state.owner, owner) ? [] : [inSight, chosenHotline]),
      settings?.hotline,
    ];
    return { options: { ...options, externalCallId }, preferred };
  }

  #onRefused(error: DialerError, attempt: Attempt | undefined): void {
    if (attempt && this.#attempt === attempt) {
      this.#store.apply({ type: 'not-placed' });
      if (BROWSER_CODES.includes(error.code) && !isBlockedAs(this.#state.block, error.code))
        this.#store.apply({ type: 'blocked', reason: error.code, source: 'browser' });
    }
    const { block } = this.#state;
    // A page that draws the guide itself is told again of each call that the block refuses.
    if (block.is === 'blocked' && block.drawnByPage && isBlockedAs(block, error.code))
      this.#events.emit({ name: 'blocked', reason: block.reason, source: block.source });
    this.#events.report({ is: 'call-refused', error });
  }

  #requireNoCall(): void {
    if (isBusy(this.#state.call)) throw new DialerError('busy', 'Another call is in progress.');
  }
}
