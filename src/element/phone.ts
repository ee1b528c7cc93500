/** Puts the dialer, its view and the page together. */
import { mayRender } from '../page/trusted-types.ts';
import type { PropertyValues, ReactiveElement, TemplateResult } from 'lit';
import type { CallInfo, LinkOptions } from '../dialer/state/call-info.ts';
import { parseCallOptions } from '../dialer/calls/call-options.ts';
import { Dialer } from '../dialer/dialer.ts';
import type { DialerListener, PageEvent } from '../dialer/page-events.ts';
import type { Settings } from '../dialer/settings.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { attempt, DialerError } from '../errors.ts';
import { followLanguage, findLanguage } from '../i18n/language.ts';
import { chooseWords, type Words } from '../i18n/words.ts';
import { readTelAddress, type NumberPlan } from '../numbers/read.ts';
import { errorOnce } from '../page/console.ts';
import { blockedByPolicy } from '../page/content-security-policy.ts';
import { VbotSdk } from '../sdk/vbot/sdk.ts';
import { ViewController } from '../ui/view-controller.ts';
import type { ViewSettings } from '../ui/view.ts';
import { ClickToCall } from './click-to-call.ts';
import { DialerStateChangeEvent, DialerToggleEvent, toDomEvent } from './events.ts';
import { PhoneDevices } from './phone-devices.ts';
import { parseSettings, SETTING_NAMES, type RawSettings } from './settings.ts';
import { SignIn } from './sign-in.ts';
import { SoundCheck } from './sound-check.ts';

/** What the phone reads of the tag. */
interface PhoneElement extends ReactiveElement, RawSettings, ViewSettings {
  readonly hotline: string;
  readonly connectMode: string;
  open: boolean;
  readonly clickToCall: boolean;
  readonly words: unknown;
  readonly state: DialerState;
  call(number: string, options: LinkOptions): Promise<void>;
}

export class Phone {
  readonly #element: PhoneElement;
  readonly #dialer: Dialer;
  readonly #devices: PhoneDevices;
  readonly #view: ViewController;
  readonly #signIn: SignIn;
  readonly #customStates: CustomStateSet | undefined;
  readonly #soundCheck = new SoundCheck(() => this.#configure());
  #ownWords: unknown;
  #words: Words = chooseWords('en');
  /** The `external-call-id` of a call that has begun, until the page sets another one. */
  #usedCallId = '';
  /** A number was shown since the last update, when the dialer did not float: it may float in the next one. */
  #isShownInline = false;
  /** What the dialer's settings are parsed from. */
  #inputs: readonly unknown[] = [];

  constructor(element: PhoneElement) {
    this.#element = element;
    const listener: DialerListener = {
      changed: (current, previous) => this.#changed(current, previous),
      emit: (event) => this.#emit(event),
      report: (fact) => this.#view.report(fact),
    };
    this.#dialer = new Dialer(listener, (...parts) => new VbotSdk(...parts));
    // Lit tells controllers in the order in which they are added: the devices are there when the view opens their panel.
    this.#devices = new PhoneDevices(element, this.#dialer, () => this.#configure());
    this.#view = new ViewController(element, {
      dialer: this.#dialer,
      devices: this.#devices.devices,
      settings: element,
      cardToggled: () => this.#followCard(),
    });
    this.#signIn = new SignIn(element, this.#dialer, () => this.#connectAutomatically());
    element.addController(new ClickToCall(element));
    followLanguage(element);
    // Absent in browsers of tests, such as jsdom.
    this.#customStates = 'attachInternals' in element ? element.attachInternals().states : undefined;
    this.#showStatus();
  }

  get state(): DialerState {
    return this.#dialer.state;
  }

  /** For what the present call needs. The element may be in no page: on its way to its next place, with that call. */
  get dialer(): Dialer {
    return this.#dialer;
  }

  /** The dialer, with the latest properties. @throws {DialerError} `not-ready` outside a page */
  configuredDialer(): Dialer {
    if (!this.#element.isConnected) throw notInPage();
    this.#configure();
    return this.#dialer;
  }

  supportDetails(): string {
    return this.#view.supportDetails();
  }

  async disconnect(): Promise<void> {
    this.#signIn.cancel();
    await this.#dialer.disconnect();
  }

  /** Calls a number, and shows it in the display. */
  async call(number: string, options: LinkOptions): Promise<void> {
    await this.configuredDialer().call(phoneNumber(number, this.#element.numberPlan), options);
  }

  /** Shows a number, and calls nobody. */
  async prefill(number: string, options: LinkOptions): Promise<void> {
    if (!this.#element.isConnected) throw notInPage();
    this.#view.prefill(phoneNumber(number, this.#element.numberPlan), parseCallOptions(options));
    await this.#element.updateComplete;
  }

  /** The element was in no page for a moment, perhaps in the moment of its sign-in. */
  moved(): void {
    this.#signIn.planAgain();
  }

  willUpdate(changed: PropertyValues<PhoneElement>): void {
    if (!this.#element.hasUpdated) {
      // The agent may call before the page connects.
      this.#configure();
      this.#signIn.start();
    }
    if (this.#isFloating) {
      this.#element.open ||= this.#isShownInline;
      this.#view.openCard(this.#element.open);
    }
    this.#isShownInline = false;
    if (!this.#element.hasUpdated) return;
    if (changed.has('externalCallId')) this.#usedCallId = '';
    if (changed.size > 0) queueMicrotask(() => this.#configure());
    if (changed.has('connectMode')) this.#signIn.planAgain();
    if (changed.has('recentCalls')) this.#view.followCallLog();
  }

  updated(changed: PropertyValues<PhoneElement>): void {
    const { open } = this.#element;
    if (this.#isFloating && changed.has('open') && open !== Boolean(changed.get('open')))
      queueMicrotask(() => this.#element.dispatchEvent(new DialerToggleEvent('dialer-toggle', { open })));
    if (this.state.line.is === 'up') this.#soundCheck.check(this.#element);
  }

  render(): TemplateResult | string {
    const { words: own } = this.#element;
    const language = findLanguage(this.#element, own != null);
    // During a call this runs every second: build the words only after a change.
    if (own !== this.#ownWords || language !== this.#words.language) this.#words = chooseWords(language, own);
    this.#ownWords = own;
    const words = this.#words;
    return mayRender() ? this.#view.render(words) : words.blockedByPolicy('trusted-types');
  }

  get #isFloating(): boolean {
    return this.#element.floating !== false;
  }

  /** The agent or a call has opened or closed the card. */
  #followCard(): void {
    if (this.#isFloating) this.#element.open = this.#view.isCardOpen;
    else this.#isShownInline = this.#view.isCardOpen;
  }

  #connectAutomatically(): void {
    this.#configure();
    // The view shows an error, and `dialer-error` reports it.
    this.#dialer.connect().catch(() => undefined);
  }

  /** The dialer gets the settings whenever what they are parsed from has changed. */
  #configure(): void {
    const inputs = [
      ...SETTING_NAMES.map((name) => this.#element[name]),
      ...Object.values(this.#soundCheck.parse(this.#element)),
      this.#devices.ringsItself,
      this.#usedCallId,
    ];
    if (inputs.every((value, index) => value === this.#inputs[index])) return;
    this.#inputs = inputs;
    this.#dialer.configure(() => this.#parse());
  }

  #parse(): Settings | DialerError {
    if (!mayRender()) return blockedByPolicy('trusted-types', 'the policy lit-html that the dialer needs');
    const { devices, ringsItself } = this.#devices;
    const sounds = this.#soundCheck.parse(this.#element);
    devices.useRingtone(sounds.ringtone);
    return parseSettings(this.#element, { ...sounds, ringsItself }, this.#usedCallId);
  }

  #emit(event: PageEvent): boolean {
    if (event.name === 'error' && event.error.code === 'configuration') errorOnce(event.error);
    if (event.name === 'callstart') this.#onCallStart(event.call);
    if (event.name === 'callcost') this.#view.costKnown(event.call);
    const dispatch = (target: EventTarget) => target.dispatchEvent(toDomEvent(event, this.state));
    // If a listener removes the element, this event still bubbles: its path is fixed.
    const bubbles = this.#element.isConnected;
    const isOurs = dispatch(this.#element);
    // An event of a removed element does not bubble, but the document must hear of a call and of a request for money, and can prevent both.
    if (bubbles || !/call|request/.test(event.name)) return isOurs;
    return dispatch(this.#element.ownerDocument) && isOurs;
  }

  /** The call with this id has begun: the next call must not be booked under the same id. */
  #onCallStart({ externalCallId }: CallInfo): void {
    if (externalCallId === undefined || externalCallId !== this.#element.externalCallId) return;
    this.#usedCallId = externalCallId;
    this.#configure();
  }

  /** As `:state(ready)`. Chrome before 125 throws: its states have two dashes in front, and nothing can be styled by this one. */
  #showStatus(): void {
    this.#customStates?.clear();
    attempt(() => this.#customStates?.add(this.state.status));
  }

  #changed(current: DialerState, previous: DialerState): void {
    this.#showStatus();
    this.#view.stateChanged(current, previous);
    this.#devices.stateChanged(current, previous);
    if (current.line.is === 'up' && previous.line.is !== 'up') this.#soundCheck.retry();
    this.#element.dispatchEvent(
      new DialerStateChangeEvent('dialer-statechange', { state: current, previous }),
    );
  }
}

/** @param number a number, or the address of a `tel:` link */
function phoneNumber(number: string, plan: NumberPlan): string {
  return number.startsWith('tel:') ? readTelAddress(number, plan) : number;
}

function notInPage(): DialerError {
  return new DialerError('not-ready', 'The element is not connected to a document.');
}
