/** The tag: its attributes, properties, methods and events. */
// Must come before Lit, which creates its Trusted Types policy while it is imported.
import { restoreTrustedTypes } from '../page/trusted-types.ts';
import { LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { HeadersSource } from '../broker/headers.ts';
import type { CustomerLookup, Hotline, Member } from '../broker/contract.ts';
import type { CallOptions } from '../dialer/state/call-info.ts';
import type { DialerState } from '../dialer/state/state.ts';
import type { DialerWords } from '../i18n/page-words.ts';
import { applyStyles } from '../page/style-sheet.ts';
import { styles } from '../ui/views/styles.ts';
import { nextTask } from '../wait.ts';
import {
  DEFAULT_SDK_URL,
  floatingConverter,
  openConverter,
  parseBoolean,
  parseBrokerCredentials,
  parseConnectMode,
  parseLowBalance,
  parseText,
  parsedBy,
  themeConverter,
} from './attributes.ts';
import { Phone } from './phone.ts';
import { warnIfIgnored } from './settings.ts';

restoreTrustedTypes();

const STYLES = styles.join('\n');

/**
 * A telephone for a web page: it signs in through the page's broker, calls through the vendor's SDK, and tells the
 * agent in plain words why a call is not possible and what to do about it.
 *
 * @tag partner-dialer
 *
 * @fires {DialerStateChangeEvent} dialer-statechange - The state has changed.
 * @fires {DialerReadyEvent} dialer-ready - The member is registered and can call.
 * @fires {DialerBeforeCallEvent} dialer-beforecall - A call is about to be placed; cancelable.
 * @fires {DialerCallEvent} dialer-callstart - An outgoing call is under way.
 * @fires {DialerCallEvent} dialer-callincoming - Somebody calls.
 * @fires {DialerCallEvent} dialer-callconnect - The call was answered.
 * @fires {DialerCallFailEvent} dialer-callfail - The call failed, and nobody on this side chose that.
 * @fires {DialerCallEndEvent} dialer-callend - The call is over, whatever became of it; exactly once per call.
 * @fires {DialerCustomerEvent} dialer-customer - Whose number it is became known; never without a customer.
 * @fires {DialerQualityEvent} dialer-quality - How the call sounds has changed, or a warning about it has come or gone.
 * @fires {DialerBlockedEvent} dialer-blocked - The member cannot call; cancelable, to draw a guide of one's own.
 * @fires {DialerHelpRequestEvent} dialer-topuprequest - The agent asks for money; cancelable, to handle it oneself.
 * @fires {DialerHelpRequestEvent} dialer-hotlinerequest - The agent asks for a caller number; cancelable likewise.
 * @fires {DialerToggleEvent} dialer-toggle - The card of a floating dialer was opened or closed, by the agent, by a call or by the page itself.
 * @fires {DialerErrorEvent} dialer-error - Something failed; the dialer shows it as well.
 *
 * @csspart card - The whole dialer.
 * @csspart status - The line that answers "can I call?".
 * @csspart number - The number, typed or in call.
 * @csspart hotline - The caller number.
 * @csspart key - A key of the keypad.
 * @csspart call-button - Call and answer.
 * @csspart hangup-button - Hang up and decline.
 * @csspart guide - What is shown while the member cannot call.
 * @csspart guide-action - The buttons of a guide.
 * @csspart incoming - An incoming call.
 * @csspart bubble - The button that opens a floating dialer.
 * @csspart avatar - The circle with the initials of who is in the call.
 * @csspart control - The round buttons of a call: mute, hold, keys.
 * @csspart notice - The one sentence that a view has to say now.
 * @csspart strip - How the last call ended, a missed call, or a question; one at a time.
 *
 * @cssproperty [--partner-dialer-accent=#1d4ed8] - Buttons and focus; links, as far as they can be read in it.
 * @cssproperty [--partner-dialer-on-accent] - Text on the accent; by default black or white, whichever contrasts more.
 * @cssproperty [--partner-dialer-call=#15803d] - Call and answer.
 * @cssproperty [--partner-dialer-danger=#c81e1e] - Hang up and decline.
 * @cssproperty [--partner-dialer-warning=#92400e] - The sign of what keeps the member from calling.
 * @cssproperty [--partner-dialer-surface=#fff] - The background.
 * @cssproperty [--partner-dialer-text=#171a21] - The text.
 * @cssproperty [--partner-dialer-muted=#565e6c] - Less important text.
 * @cssproperty [--partner-dialer-sunken] - Display, keys, round controls, selects; by default the text at 4 % on the surface.
 * @cssproperty [--partner-dialer-border=#e3e6ec] - The line around the card.
 * @cssproperty [--partner-dialer-radius=12px] - Corners: the card's are 1.25 times as large, those of keys and buttons 0.83 times.
 * @cssproperty [--partner-dialer-font=inherit] - The font family.
 * @cssproperty [--partner-dialer-width=320px] - The width, kept between 280 and 400 px.
 */
export class PartnerDialer extends LitElement {
  /** Where a session is requested by POST. Required. */
  @property({ attribute: 'broker-url', converter: parsedBy(parseText) }) brokerUrl = '';
  /** Cookies for the broker: `same-origin`, `include` or `omit`. */
  @property({ attribute: 'broker-credentials', converter: parsedBy(parseBrokerCredentials) })
  brokerCredentials: 'same-origin' | 'include' | 'omit' = 'same-origin';
  /** Extra request headers for the broker, or a function that gives them, e.g. a bearer token of the page's. */
  @property({ attribute: false }) brokerHeaders: HeadersSource | undefined;
  /** The page's own answer to whose number it is, in place of the broker's link: number → customers, or a promise. */
  @property({ attribute: false }) lookup: CustomerLookup | undefined;
  /** The vendor SDK's script. */
  @property({ attribute: 'sdk-url', converter: parsedBy(parseText) }) sdkUrl: string = DEFAULT_SDK_URL;
  /** SRI hash of that script. */
  @property({ attribute: 'sdk-integrity', converter: parsedBy(parseText) }) sdkIntegrity = '';
  /** API base handed to the SDK, for a sandbox or staging; else the vendor's own. */
  @property({ attribute: 'sdk-base-url', converter: parsedBy(parseText) }) sdkBaseUrl = '';
  /** Audio file played when a call ends, by hang-up or by error; else the vendor's own sound. */
  @property({ attribute: 'disconnect-sound-url', converter: parsedBy(parseText) }) disconnectSoundUrl = '';
  /** Audio file played while somebody calls. */
  @property({ attribute: 'ringtone-url', converter: parsedBy(parseText) }) ringtoneUrl = '';
  /** Audio file played while calling out. */
  @property({ attribute: 'hold-music-url', converter: parsedBy(parseText) }) holdMusicUrl = '';
  /** Caller number to prefer, until the agent chooses another one; else the first one. */
  @property({ converter: parsedBy(parseText) }) hotline = '';
  /** The CRM's id for the next call: at most 32 of a-z0-9. A value counts for one call; set another value for the next one. */
  @property({ attribute: 'external-call-id', converter: parsedBy(parseText) }) externalCallId = '';
  /** When to sign in: `auto`, `interaction` (on the first sign of interest) or `manual`; read when it is inserted. */
  @property({ attribute: 'connect-mode', converter: parsedBy(parseConnectMode) })
  connectMode: 'auto' | 'interaction' | 'manual' = 'auto';
  /** Call balance in VND below which the agent is warned before dialling; `0`: never. */
  @property({ attribute: 'low-balance', converter: parsedBy(parseLowBalance) }) lowBalance = 500;
  /** A bubble that opens to the dialer, in the corner it names: `bottom-right` when empty; `false` is inline. */
  @property({ reflect: true, converter: floatingConverter })
  floating: boolean | 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left' = false;
  /** The card of a floating dialer is open. The agent and a call change it, too; without `floating` it has no effect. */
  @property({ reflect: true, converter: openConverter }) open = false;
  /**
   * Keys for the whole page: Ctrl or ⌘ + Shift + A answers, + H hangs up, + M mutes and unmutes. Off by default, because
   * the page or the browser may use them. The dialer's own keys (`?` shows them) work while it has the focus.
   */
  @property({ converter: parsedBy(parseBoolean) }) hotkeys = false;
  /** `tel:` links anywhere on the page dial through the dialer; `data-name`, else the link's text, says who is called. */
  @property({ attribute: 'click-to-call', converter: parsedBy(parseBoolean) }) clickToCall = false;
  /** The vendor's own call screens; the guides stay ours. */
  @property({ attribute: 'vendor-ui', converter: parsedBy(parseBoolean) }) vendorUi = false;
  /** `vi`, `en`, or the language of your `words`; else the nearest `lang` of the page, else the browser's. */
  @property({ converter: parsedBy(parseText) }) override lang = '';
  /** The page's own words over those of `lang`, in part or as a whole. What is missing is English, in Vietnamese Vietnamese. */
  @property({ attribute: false }) words: DialerWords | null | undefined;
  /** `auto` (the page's), `light` or `dark`. */
  @property({ reflect: true, converter: themeConverter }) theme: 'auto' | 'light' | 'dark' = 'auto';

  readonly #phone = new Phone(this);
  /** From insertion to removal. In between, the element may have been moved. */
  #isInPage = false;

  /** What is going on; a new object whenever something changed. */
  get state(): DialerState {
    return this.#phone.state;
  }

  /** The caller numbers assigned to the member. */
  get hotlines(): readonly Hotline[] {
    return this.state.hotlines;
  }

  /** The signed-in member, as the broker describes it. */
  get member(): Member | undefined {
    return this.state.member;
  }

  /**
   * Signs in. Resolves when the member is registered, or cannot call (a guide says why).
   *
   * @throws {DialerError} what the dialer shows, e.g. `broker-unreachable`
   */
  async connect(): Promise<void> {
    await this.#phone.dialer.connect();
  }

  /** Signs out; ends a call in progress. */
  disconnect(): Promise<void> {
    return this.#phone.disconnect();
  }

  /**
   * Calls a number; resolves as soon as the call is under way. The number is kept with its options, also through a guide and
   * for "Call again", until a call to it was answered or the agent changes it.
   *
   * @throws {DialerError} when no call was placed: `insufficient-funds`, `no-hotline`, `busy`, `invalid-number`,
   *   `microphone-denied`, `not-ready`, … as its `code` says. The agent already sees the reason.
   * @example
   * dialer.call('0912345678').catch(({ code }) => console.info(code));
   */
  call(number: string, options?: CallOptions | null): Promise<void> {
    return this.#phone.call(String(number), options ?? {});
  }

  /**
   * Shows a number in the display, opens a floating card and calls nobody. Resolves when it is shown; in a call, it is shown
   * once the call is over. A number that cannot be called is shown, too, with what is wrong with it; an empty one clears the
   * display. The options belong to this number as those of `call()`.
   *
   * @throws {DialerError} `configuration` when the `externalCallId` is none; nothing is shown then
   */
  prefill(number: string, options?: CallOptions | null): Promise<void> {
    return this.#phone.prefill(String(number), options ?? {});
  }

  /** Answers; resolves when the audio is connected. */
  async answer(): Promise<void> {
    await this.#phone.dialer.answer();
  }

  /** Declines an incoming call; resolves when it is over. */
  async reject(): Promise<void> {
    await this.#phone.dialer.reject();
  }

  /** Ends or cancels the call; resolves when it is over. */
  async hangUp(): Promise<void> {
    if (this.isConnected) await this.#phone.dialer.hangUp();
  }

  /** Resolves when it is so. */
  async setMuted(on: boolean): Promise<void> {
    await this.#phone.dialer.setMuted(on);
  }

  /** Resolves when the exchange has agreed. */
  async setHeld(on: boolean): Promise<void> {
    await this.#phone.dialer.setHeld(on);
  }

  /**
   * Sends keys (0-9, *, #) into the call, one after the other; resolves when the last one has left for the exchange, and
   * rejects with `network-lost` while the socket to it is away.
   *
   * @throws {DialerError} `call-rejected` when the call ended before
   */
  async sendDtmf(tones: string): Promise<void> {
    await this.#phone.dialer.sendDtmf(tones);
  }

  /**
   * Asks again whether the member can call.
   *
   * @throws {DialerError} `broker-…` when nobody could tell
   */
  async recheck(): Promise<void> {
    await this.#phone.dialer.recheck();
  }

  /**
   * What "Copy details" copies, for a support form of the page's own: versions, browser and network, what has kept the member
   * from calling, the last five calls. Without tokens, names of customers and whole numbers.
   */
  supportDetails(): string {
    return this.#phone.supportDetails();
  }

  /**
   * Brings the phone into this tab when another tab of this browser has it: the same member has one phone, in one tab at
   * a time. Resolves when the member is registered here.
   *
   * @throws {DialerError} `active-elsewhere` while the other tab has a call, or does not let go
   */
  async useHere(): Promise<void> {
    await this.#phone.dialer.useHere();
  }

  /** @internal */
  override connectedCallback(): void {
    if (this.#isInPage) {
      // Moved: the language around it may be another one.
      this.requestUpdate();
    } else {
      this.#isInPage = true;
      super.connectedCallback();
    }
    applyStyles(this.renderRoot as ShadowRoot, STYLES);
  }

  /**
   * Frameworks and pages move an element by a removal and an insertion in one task, Turbo with promises in between. A move must
   * end nothing: neither the call nor the ring, a timer or an open panel.
   *
   * @internal
   */
  override disconnectedCallback(): void {
    nextTask(() => {
      if (this.isConnected || !this.#isInPage) return;
      this.#isInPage = false;
      super.disconnectedCallback();
    });
  }

  /** @internal */
  override attributeChangedCallback(name: string, previous: string | null, value: string | null): void {
    super.attributeChangedCallback(name, previous, value);
    warnIfIgnored(name, value);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#phone.willUpdate(changed);
  }

  protected override render(): unknown {
    return this.#phone.render();
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#phone.updated(changed);
  }
}
