/** What works behind the tag: the dialer, its views and its keys. It comes as a chunk of its own after the first file. */
// Before Lit.
import { mayRender, restoreTrustedTypes } from '../page/trusted-types.ts';
import { adoptStyles, render, type PropertyValues, type ReactiveElement, type TemplateResult } from 'lit';
import type { CustomerLookup } from '../broker/contract.ts';
import type { CallInfo, CallOptions } from '../dialer/state/call-info.ts';
import { chooseCallerNumber } from '../dialer/caller-number.ts';
import { Dialer } from '../dialer/dialer.ts';
import type { DialerHost } from '../dialer/host.ts';
import type { DialerNotification } from '../dialer/notifications.ts';
import { numberCode } from '../dialer/number-code.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { languageOf, type Language } from '../i18n/language.ts';
import { keypadWords } from '../i18n/keypad-words.ts';
import { wordsFor } from '../i18n/words-for.ts';
import type { Words } from '../i18n/words.ts';
import { blockedByPolicy } from '../page/content-security-policy.ts';
import type { CallingSdk, SdkEvent } from '../sdk/calling-sdk.ts';
import { VbotSdk } from '../sdk/vbot/vbot-sdk.ts';
import { ViewController } from '../ui/view-controller.ts';
import { followFocus, frame } from '../ui/frame.ts';
import { chunks as companionCode } from '../ui/late-companions.ts';
import { chunks as panelCode } from '../ui/panels.ts';
import { styles } from '../ui/styles.css.ts';
import { DEFAULT_SDK_URL } from './addresses.ts';
import { floating, lowBalance } from './attributes.ts';
import type { Beginning } from './beginning.ts';
import { DialerStateChangeEvent } from './events.ts';
import { Presence } from './presence.ts';
import { parseSettings, webAddress, type RawSettings } from './settings.ts';
import { asShown, shown } from './shown.ts';
import { ElementSounds, type SoundAttributes } from './sounds.ts';
import { fetchTheRest, whenIdle } from './the-rest.ts';
import { toDomEvent } from './to-dom-event.ts';

restoreTrustedTypes();

/** Attributes that need a new connection; a change during a call waits for the next one. */
const CONNECTION_ATTRIBUTES = ['brokerUrl', 'brokerCredentials', 'sdkUrl', 'sdkBaseUrl', 'vendorUi'] as const;
const SOUND_ATTRIBUTES = ['disconnectSoundUrl', 'ringtoneUrl', 'holdMusicUrl'] as const;

/** What the phone reads of the tag. */
export interface PhoneElement extends ReactiveElement, RawSettings, SoundAttributes {
  readonly sdkUrl: string;
  readonly sdkIntegrity: string;
  readonly hotline: string;
  externalCallId: string;
  readonly lookup: CustomerLookup | undefined;
  readonly connectMode: string;
  readonly lowBalance: number;
  readonly floating: boolean | string;
  readonly hotkeys: boolean;
  readonly clickToCall: boolean;
  readonly state: DialerState;
}

export class Phone {
  readonly #element: PhoneElement;
  readonly #beginning: Beginning;
  readonly dialer: Dialer;
  readonly #view: ViewController;
  readonly #presence: Presence;
  readonly #sounds: ElementSounds;
  #isOpen: boolean;
  #isDrawn = false;
  #isGuarded = false;
  /** Of the last language that could be drawn. */
  #allWords: Words | undefined;

  constructor(element: PhoneElement, beginning: Beginning) {
    this.#element = element;
    this.#beginning = beginning;
    this.#isOpen = shown.get(element)?.isOpen ?? beginning.isOpen;
    this.#sounds = new ElementSounds(element, (sounds) => this.dialer.setSounds(sounds));
    this.dialer = new Dialer(this.#asHost());
    this.#view = new ViewController(element, this.dialer, () => this.#closeCard());
    this.#presence = new Presence(element, this.dialer, beginning);
    followFocus(element);
    const draft = shown.get(element)?.view.draft ?? beginning.draft;
    if (draft !== '') this.#view.act.type(draft);
    if (element.hasUpdated) this.dialer.setSounds(this.#sounds.read());
  }

  get state(): DialerState {
    return shown.get(this.#element)?.state ?? this.dialer.state;
  }

  /**
   * Calls, and shows it.
   *
   * @param number may be the address of a `tel:` link
   */
  async call(number: string, options: CallOptions): Promise<void> {
    this.#setOpen(true);
    if (!number.startsWith('tel:')) return this.#view.act.place(number, options);
    const code = numberCode.value ?? (await numberCode.load());
    return this.#view.act.place(code.numberOfAddress(number), options);
  }

  willUpdate(changed: PropertyValues<PhoneElement>): void {
    if (!this.#element.hasUpdated) return;
    if (CONNECTION_ATTRIBUTES.some((name) => changed.has(name))) this.#presence.reconfigure();
    if (changed.has('connectMode')) this.#presence.modeChanged();
  }

  updated(changed: PropertyValues<PhoneElement>): void {
    if (SOUND_ATTRIBUTES.some((name) => changed.has(name))) this.dialer.setSounds(this.#sounds.read());
    const { value: companions } = companionCode.companions;
    if (companions) void this.#sounds.tryOut(companions.isPlayable);
  }

  /** Does it take the place of the first view when it is drawn next? */
  get isFirstDrawing(): boolean {
    return !this.#isDrawn && !this.#isFirstViewEnough;
  }

  /** Until something but the wait can be shown. */
  get #isFirstViewEnough(): boolean {
    return !this.#isDrawn && this.state.status === 'connecting' && !shown.has(this.#element);
  }

  /** Is the card of its bubble open? */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  toggle(): void {
    this.#setOpen(!this.#isOpen);
  }

  /** @returns `false` as long as the first view serves */
  draw(root: HTMLElement | DocumentFragment): boolean {
    if (this.#isFirstViewEnough) return false;
    const drawn = this.#render();
    this.#guardPresses();
    if (!this.#isDrawn) {
      this.#isDrawn = true;
      whenIdle(() => void this.#fetchTheRest());
      root.replaceChildren();
      if (root instanceof ShadowRoot) adoptStyles(root, styles);
    }
    render(drawn, root, { host: this.#element });
    return true;
  }

  /** The keyboard's keys, and what keeps a press from acting on what it was not aimed at: once their code has come. */
  #guardPresses(): void {
    const { value: companions } = companionCode.companions;
    const { value: panel } = panelCode.calls;
    if (this.#isGuarded || !companions || !panel) return;
    this.#isGuarded = true;
    const guard = new panel.PressGuard(this.#element);
    this.#element.addController(guard);
    this.#element.addController(new companions.Shortcuts(this.#element, guard, this.#view.act));
  }

  #render(): TemplateResult | string {
    const language = languageOf(this.#element);
    const words = keypadWords[language];
    if (!mayRender()) return words.blockedByPolicy('trusted-types');
    const callerNumber = chooseCallerNumber(this.state.hotlines, [
      this.#view.act.chosenHotline,
      this.#element.hotline,
    ]);
    const floats = this.#isFloating;
    const view = this.#view.view(words, callerNumber, lowBalance.parse(this.#element.lowBalance), floats);
    return frame(asShown(this.#element, view), this.#allWordsFor(language), {
      language,
      floating: floats,
      open: this.#isOpen,
      toggle: () => this.toggle(),
    });
  }

  /** What is not in a page needs no words, and would go on asking for them. */
  #allWordsFor(language: Language): Words | undefined {
    const words = wordsFor(language);
    // Those of the language before may be in sight.
    const hasMore = this.#view.isFullWanted || this.#isFloating || this.#allWords !== undefined;
    const isWanted = this.#element.isConnected && hasMore;
    const come = isWanted ? words.want(() => this.#element.requestUpdate()) : words.value;
    return (this.#allWords = come ?? this.#allWords);
  }

  get #isFloating(): boolean {
    return floating.parse(this.#element.floating) !== false;
  }

  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#element.requestUpdate();
  }

  #closeCard(): boolean {
    if (!this.#isOpen || !this.#isFloating) return false;
    this.#setOpen(false);
    return true;
  }

  async #fetchTheRest(): Promise<void> {
    // Whatever is missing is asked for again when it is needed.
    await fetchTheRest(languageOf(this.#element)).catch(() => undefined);
    this.#element.requestUpdate();
  }

  #asHost(): DialerHost {
    return {
      isInPage: () => this.#element.isConnected,
      settings: () => {
        if (!mayRender()) throw blockedByPolicy('trusted-types', 'the policy lit-html that the dialer needs');
        return parseSettings(this.#element, this.#sounds.read(), this.#beginning.early);
      },
      createSdk: (listener) => this.#createSdk(listener),
      preferences: () => ({
        hotlines: [this.#view.act.chosenHotline, this.#element.hotline],
        externalCallId: this.#element.externalCallId,
        lookup: this.#element.lookup,
        lowBalance: lowBalance.parse(this.#element.lowBalance),
      }),
      changed: (current, previous) => this.#changed(current, previous),
      missed: (call) => this.#view.missed(call),
      notify: (notification) => this.#notify(notification),
    };
  }

  #createSdk(listener: (event: SdkEvent) => void): CallingSdk {
    const { sdkUrl, sdkIntegrity: integrity, nonce } = this.#element;
    const url = webAddress('sdk-url', sdkUrl || DEFAULT_SDK_URL);
    return new VbotSdk({ url, integrity, nonce }, listener);
  }

  #notify(notification: DialerNotification): boolean {
    if (notification.name === 'callstart') this.#spendExternalCallId(notification.call);
    const event = toDomEvent(notification, this.state);
    // Whoever has removed the element still learns what became of its call.
    const isGone = notification.name === 'callend' && !this.#element.isConnected;
    return (isGone ? this.#element.ownerDocument : this.#element).dispatchEvent(event);
  }

  /** The call with that id has begun; the next one would otherwise be booked under the same id. */
  #spendExternalCallId({ externalCallId }: CallInfo): void {
    const element = this.#element;
    if (externalCallId === undefined || externalCallId !== element.externalCallId) return;
    element.removeAttribute('external-call-id');
    element.externalCallId = '';
  }

  #changed(current: DialerState, previous: DialerState): void {
    this.#view.stateChanged(current, previous);
    if (current.status === 'incoming' && previous.status !== 'incoming') this.#setOpen(true);
    this.#element.dispatchEvent(
      new DialerStateChangeEvent('dialer-statechange', { state: current, previous }),
    );
  }
}
