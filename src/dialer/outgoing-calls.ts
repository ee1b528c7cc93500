/** The way of an outgoing call, from the request until the SDK has begun it; it can be given up at every step. */
import { DialerError, toDialerError } from '../errors.ts';
import { toDialled } from '../numbers/read.ts';
import { checkMicrophone } from '../page/microphone.ts';
import { painted } from '../page/visibility.ts';
import { childOf, orAbort } from '../wait.ts';
import type { BrowserCheck } from './browser-check.ts';
import { parseCallOptions, usableExternalCallId } from './call-options.ts';
import { isBlockedAs, isBlockedByBrowser, isOfBrowser, requireReady } from './call-refusal.ts';
import { chooseCallerNumber } from './caller-number.ts';
import type { Connection } from './connection.ts';
import type { DialerNotification } from './notifications.ts';
import { isElsewhere } from './state/block.ts';
import type { CallOptions } from './state/call-info.ts';
import { isBusy } from './state/call.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

interface Attempt {
  readonly abort: AbortController;
  /** What the call goes out with, once that is settled. */
  options: CallOptions;
}

export class OutgoingCalls {
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #browser: BrowserCheck;
  readonly #notify: (notification: DialerNotification) => boolean;
  #attempt: Attempt | undefined;

  constructor(
    store: DialerStore,
    connection: Connection,
    browser: BrowserCheck,
    notify: (notification: DialerNotification) => boolean,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#notify = notify;
  }

  /** Of the call that is being placed. */
  get options(): CallOptions {
    return this.#attempt?.options ?? {};
  }

  /** @throws {DialerError} why no call was placed */
  async call(typed: string, options: unknown): Promise<void> {
    const number = toDialled(typed);
    const attempt = { abort: childOf(this.#connection.life), options: parseCallOptions(options) };
    if (this.#attempt) throw new DialerError('busy', 'There is a call already.');
    this.#requireNoCall();
    this.#attempt = attempt;
    try {
      await this.#place(attempt, number);
    } catch (error) {
      const known = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      if (this.#attempt === attempt) this.#onRefused(known);
      throw known;
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  /** Nothing has begun yet, so nothing has to end. */
  giveUp(): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    if (!attempt) return;
    attempt.abort.abort(new DialerError('call-rejected', 'The call was given up.'));
    if (this.#state.call.is !== 'placing') return;
    const { sdk } = this.#connection;
    this.#store.apply({ type: 'not-placed' });
    sdk?.hangUp();
  }

  get #state(): DialerState {
    return this.#store.state;
  }

  async #place(attempt: Attempt, number: string): Promise<void> {
    const { signal } = attempt.abort;
    await this.#becomeReady(signal);
    signal.throwIfAborted();
    // Somebody may have called meanwhile.
    this.#requireNoCall();
    attempt.options = this.#complete(attempt.options);
    const { options } = attempt;
    if (!this.#notify({ name: 'beforecall', number, options })) {
      throw new DialerError('call-rejected', 'The page called the call off.');
    }
    this.#requireNoCall();
    this.#store.apply({ type: 'placing', number, name: options.name });
    // The press shows before the browser and the SDK begin their work.
    await orAbort(painted(), signal);
    const permission = await orAbort(checkMicrophone(), signal);
    signal.throwIfAborted();
    if (this.#state.call.is !== 'placing') throw new DialerError('busy', 'Somebody is calling.');
    if (permission === 'prompt') this.#store.apply({ type: 'microphone-asked' });
    const { sdk } = this.#connection;
    if (!sdk) throw new DialerError('not-ready', 'The dialer was disconnected.');
    await sdk.dial(number, options.hotline, options.externalCallId);
  }

  /** Brings the phone here, looks at the browser and connects, where that is needed. */
  async #becomeReady(signal: AbortSignal): Promise<void> {
    if (isElsewhere(this.#state.block)) await orAbort(this.#connection.phoneLock.take(), signal);
    signal.throwIfAborted();
    if (isBlockedByBrowser(this.#state.block)) {
      // The agent may have mended it without a word from the browser.
      await orAbort(this.#browser.lookAgain(), signal);
      signal.throwIfAborted();
      if (isBlockedByBrowser(this.#state.block)) requireReady(this.#state);
    }
    // Nobody knows when the SDK will be back: an agent would rather press again.
    if (this.#state.line.is === 'lost')
      throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    if (this.#state.line.is !== 'up') await orAbort(this.#connection.connect(), signal);
    requireReady(this.#state);
  }

  /** With a caller number of the member's, and the id of the attribute where the page gave none. */
  #complete(options: CallOptions): CallOptions {
    const { settings } = this.#connection;
    const { hotlines, chosenHotline } = this.#state;
    const preferred = [options.hotline, chosenHotline, settings?.hotline];
    const externalCallId = options.externalCallId ?? usableExternalCallId(settings?.externalCallId ?? '');
    return { ...options, hotline: chooseCallerNumber(hotlines, preferred), externalCallId };
  }

  #onRefused(error: DialerError): void {
    this.#store.apply({ type: 'not-placed' });
    if (isOfBrowser(error) && !isBlockedAs(this.#state.block, error.code)) {
      this.#store.apply({ type: 'blocked', reason: error.code, source: 'browser' });
    }
  }

  #requireNoCall(): void {
    if (isBusy(this.#state.call)) throw new DialerError('busy', 'There is a call already.');
  }
}
