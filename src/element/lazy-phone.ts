/** The phone of one tag, from before its code is there: what is asked of it meanwhile waits, and every promise settles. */
import { INITIAL_STATE } from '../dialer/state/state.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { DialerError, toDialerError } from '../errors.ts';
import { languageOf } from '../i18n/language.ts';
import { Chunk } from '../page/chunk.ts';
import { untilNextTask, urgentTask } from '../page/next-task.ts';
import { INTENTS } from './beginning.ts';
import type { PropertyValues } from '@lit/reactive-element';
import type { EarlySession } from '../broker/early-session.ts';
import type { CallOptions } from '../dialer/state/call-info.ts';
import { connectMode, floating } from './attributes.ts';
import { DialerErrorEvent, DialerStateChangeEvent } from './events.ts';
import { drawFirstView } from './first-view.ts';
import { askForSession, preloadSdk } from './head-start.ts';
import type { Phone, PhoneElement } from './phone.ts';

/** Changeable, so that a test can have it come late or not at all. */
export const chunks = { phone: new Chunk(() => import('./phone.ts')) };
const links = new Chunk(() => import('./click-to-call.ts'));

/** The tag, as what is behind it knows it. */
export interface DialerTag extends PhoneElement {
  call(number: string, options?: CallOptions): Promise<void>;
}

interface Waiting {
  readonly work: (phone: Phone) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: DialerError) => void;
  /** There is nothing left to do for it where the phone is given up. */
  readonly isEnd: boolean;
}

export class LazyPhone {
  readonly #element: DialerTag;
  #phone: Phone | undefined;
  #state: DialerState = INITIAL_STATE;
  #waiting: Waiting[] = [];
  #isWanted = false;
  #isAsked = false;
  #isOwed = false;
  #isDisconnected = false;
  #isLoading = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;
  /** What was typed into the first view. */
  #draft = '';
  #hasLinks = false;
  #hasDrawn = false;
  #early: EarlySession | undefined;

  constructor(element: DialerTag) {
    this.#element = element;
    for (const name of INTENTS) {
      element.addEventListener(name, () => {
        this.#isWanted = true;
        // What has failed is tried again in its time: a button must not go away under the pointer.
        if (this.#state.status === 'idle' && !this.#present()) void this.#load();
      });
    }
  }

  /** `undefined` until its code has come. */
  get phone(): Phone | undefined {
    return this.#phone;
  }

  get state(): DialerState {
    return this.#phone?.state ?? this.#state;
  }

  /** Is what is drawn next the first of its kind? That takes longer than all that follows. */
  get isFirstDrawing(): boolean {
    return this.#phone?.isFirstDrawing ?? !this.#hasDrawn;
  }

  willUpdate(changed: PropertyValues<PhoneElement>): void {
    if (this.#phone) this.#phone.willUpdate(changed);
    else if (this.#element.hasUpdated && changed.has('connectMode')) this.#startAhead();
  }

  /** Draws the phone, or what there is until it is there. */
  draw(): void {
    const { renderRoot } = this.#element;
    this.#hasDrawn = true;
    this.#watchLinks();
    if (this.#phone?.draw(renderRoot)) return;
    drawFirstView(renderRoot, {
      language: languageOf(this.#element),
      isFloating: floating.parse(this.#element.floating) !== false,
      isOpen: this.#phone?.isOpen ?? this.#isOpen,
      status: this.#state.status === 'failed' ? 'failed' : this.#isAutomatic ? 'connecting' : 'idle',
      toggle: () => this.#toggle(),
      retry: () => this.#tryAgain(),
      type: (number) => (this.#draft = number),
      // What keeps the call from being placed is shown.
      call: () => void this.#element.call(this.#draft).catch(() => undefined),
    });
  }

  #toggle(): void {
    if (this.#phone) return this.#phone.toggle();
    this.#isOpen = !this.#isOpen;
    this.#element.requestUpdate();
  }

  get #isAutomatic(): boolean {
    return connectMode.parse(this.#element.connectMode) === 'auto';
  }

  /** They dial before anything else is there. */
  #watchLinks(): void {
    if (this.#hasLinks || !this.#element.clickToCall || !this.#element.isConnected) return;
    const come = links.want(() => this.#element.requestUpdate());
    if (!come) return;
    this.#hasLinks = true;
    this.#element.addController(new come.ClickToCall(this.#element));
  }

  /** The tag was inserted, or moved. */
  connected(): void {
    if (this.#present()) return;
    // Properties that a framework sets right after insertion are part of the configuration; and what defines the tag takes time.
    urgentTask(() => this.#startAhead());
  }

  /** Somebody has pressed "Try again". */
  #tryAgain(): void {
    // Shown already.
    this.do((phone) => phone.dialer.connect()).catch(() => undefined);
  }

  /** The tag was removed; a move is over before this task ends. */
  disconnected(): void {
    queueMicrotask(() => {
      if (this.#element.isConnected || this.#phone) return;
      this.#giveUp();
      this.#isDisconnected = false;
      this.#isWanted = false;
    });
  }

  /** Somebody wants the connection after all. */
  want(): this {
    this.#isDisconnected = false;
    this.#isAsked = true;
    if (!this.#phone) this.#early?.renewIfRefused();
    return this;
  }

  /** @throws {DialerError} what the phone throws; `sdk-load-failed` where it does not come; `not-ready` outside a page */
  do(work: (phone: Phone) => Promise<void>, isEnd = false): Promise<void> {
    const phone = this.#present();
    if (phone) return work(phone);
    if (!this.#element.isConnected) {
      return isEnd ? Promise.resolve() : Promise.reject(notReady('The element is not in a page.'));
    }
    const promise = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject, isEnd });
    });
    void this.#load();
    return promise;
  }

  async disconnect(): Promise<void> {
    const phone = this.#present();
    if (phone) return phone.dialer.disconnect();
    this.#giveUp();
    this.#isDisconnected = true;
  }

  /** The phone, made as soon as its code is there. */
  #present(): Phone | undefined {
    const { value } = chunks.phone;
    if (this.#phone || !value) return this.#phone;
    clearTimeout(this.#retry);
    this.#set(INITIAL_STATE);
    // A listener may have asked for it meanwhile.
    if (this.#phone) return this.#phone;
    this.#phone = new value.Phone(this.#element, {
      isWanted: this.#isWanted,
      isOwed: this.#isOwed,
      isDisconnected: this.#isDisconnected,
      isOpen: this.#isOpen,
      draft: this.#draft,
      early: this.#early,
    });
    for (const { work, resolve, reject } of this.#waiting.splice(0)) work(this.#phone).then(resolve, reject);
    this.#element.requestUpdate();
    return this.#phone;
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    clearTimeout(this.#retry);
    this.#set(INITIAL_STATE);
    const failure = await chunks.phone.load().then(
      () => undefined,
      (error: unknown) => toDialerError(error, 'sdk-load-failed', 'The dialer could not be loaded.'),
    );
    // Its code has just run.
    await untilNextTask();
    this.#isLoading = false;
    if (!this.#element.isConnected) return;
    if (failure) this.#fail(failure);
    else this.#present();
  }

  #fail(error: DialerError): void {
    this.#dropEarly();
    this.#isOwed = this.#isAsked;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    const wait = chunks.phone.waitMs;
    this.#retry = setTimeout(() => void this.#load(), wait);
    this.#set({
      ...INITIAL_STATE,
      status: 'failed',
      line: { is: 'failed', error, retryAt: Date.now() + wait },
    });
    this.#element.dispatchEvent(new DialerErrorEvent('dialer-error', { error }));
  }

  /** Only where the phone is going to connect as soon as it comes; else it is not fetched before somebody wants it. */
  #startAhead(): void {
    if (!this.#isToStart) return;
    if (!this.#isDisconnected && !this.#early) {
      // The SDK first: the first one to ask gets the connection that is open. Each in a task of its own, which is short.
      preloadSdk(this.#element);
      urgentTask(() => this.#askAhead());
    }
    void this.#load();
  }

  #askAhead(): void {
    if (this.#isToStart && !this.#isDisconnected) this.#early ??= askForSession(this.#element);
  }

  get #isToStart(): boolean {
    return !this.#phone && this.#isAutomatic && this.#element.isConnected;
  }

  #dropEarly(): void {
    this.#early?.drop();
    this.#early = undefined;
  }

  #giveUp(): void {
    clearTimeout(this.#retry);
    this.#dropEarly();
    this.#isAsked = this.#isOwed = false;
    for (const { isEnd, resolve, reject } of this.#waiting.splice(0)) {
      if (isEnd) resolve();
      else reject(notReady('The dialer was disconnected meanwhile.'));
    }
    this.#set(INITIAL_STATE);
  }

  #set(state: DialerState): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    this.#element.dispatchEvent(new DialerStateChangeEvent('dialer-statechange', { state, previous }));
    this.#element.requestUpdate();
  }
}

function notReady(why: string): DialerError {
  return new DialerError('not-ready', why);
}
