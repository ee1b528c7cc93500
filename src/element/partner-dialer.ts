/** The tag: its attributes, properties, methods and events. */
// Must come before Lit, which creates its Trusted Types policy while it is imported.
import { restoreTrustedTypes } from '../page/trusted-types.ts';
import { LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { SessionSource } from '../broker/given-session.ts';
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
  parseBoolean,
  parseBrokerCredentials,
  parseConnectMode,
  parsedBy,
  parseFloating,
  parseLowBalance,
  parseNumberPlan,
  parseProperties,
  parseRecentCalls,
  parseText,
  parseTheme,
} from './attributes.ts';
import { Phone } from './phone.ts';

restoreTrustedTypes();

const STYLES = styles.join('\n');

/**
 * A telephone for a web page: it signs in through your broker, calls through the vendor's SDK, and tells the agent in plain
 * words why a call is not possible and what to do about it.
 *
 * @tag partner-dialer
 *
 * @fires {DialerStateChangeEvent} dialer-statechange - The state has changed.
 * @fires {DialerReadyEvent} dialer-ready - The member is registered and can call.
 * @fires {DialerBeforeCallEvent} dialer-beforecall - A call is about to be placed; cancel it to prevent the call.
 * @fires {DialerCallEvent} dialer-callstart - An outgoing call has started.
 * @fires {DialerCallEvent} dialer-callincoming - A call comes in.
 * @fires {DialerCallEvent} dialer-callconnect - The call was answered.
 * @fires {DialerCallFailEvent} dialer-callfail - An outgoing call ended without an answer, or answering an incoming call failed; not if the agent or the page ended the call.
 * @fires {DialerCallEndEvent} dialer-callend - The call is over, whatever its outcome; exactly once for each call.
 * @fires {DialerCallEndEvent} dialer-callcost - The cost of a call that is over is known, up to three minutes later: `call.cost`, in VND.
 * @fires {DialerCustomerEvent} dialer-customer - At least one customer with this number was found.
 * @fires {DialerQualityEvent} dialer-quality - The call quality has changed, or a quality warning has appeared or disappeared. `mos` and `level` are absent while the agent receives no sound.
 * @fires {DialerBlockedEvent} dialer-blocked - The member cannot call; cancel it to show your own guide.
 * @fires {DialerHelpRequestEvent} dialer-topuprequest - The agent asks for a top-up; cancel it to handle the request yourself.
 * @fires {DialerHelpRequestEvent} dialer-hotlinerequest - The agent asks for a caller number; cancel it to handle the request yourself.
 * @fires {DialerToggleEvent} dialer-toggle - The card of a floating dialer was opened or closed, by the agent, by a call or by the page itself.
 * @fires {DialerErrorEvent} dialer-error - Something failed; the dialer shows it as well.
 *
 * @csspart card - The whole dialer.
 * @csspart status - The line that says whether the agent can call.
 * @csspart number - The number: typed, or of the current call.
 * @csspart hotline - The caller number.
 * @csspart key - A key of the keypad.
 * @csspart call-button - The Call and Answer buttons.
 * @csspart hangup-button - The Hang up and Decline buttons.
 * @csspart guide - What is shown while the member cannot call.
 * @csspart guide-action - The buttons of a guide.
 * @csspart incoming - An incoming call.
 * @csspart bubble - The button that opens a floating dialer.
 * @csspart avatar - The circle with the initials of the other party.
 * @csspart control - The round buttons of a call: mute, hold, keys.
 * @csspart notice - The message above the controls; a view shows one at a time.
 * @csspart strip - How the last call ended, a missed call, or a question; only one of these at a time.
 *
 * @cssState idle - Not connected.
 * @cssState connecting - Signing in, or connecting again.
 * @cssState ready - The agent can call.
 * @cssState blocked - The agent cannot call.
 * @cssState failed - The connection failed.
 * @cssState dialing - An outgoing call is being placed, or rings.
 * @cssState incoming - A call comes in.
 * @cssState in-call - The call was answered.
 * @cssState ended - A call has just ended.
 *
 * @cssproperty [--partner-dialer-accent=#1d4ed8] - Buttons and the focus ring; also links, made darker or lighter where needed to stay readable.
 * @cssproperty [--partner-dialer-on-accent] - Text on the accent; by default black or white, whichever contrasts more.
 * @cssproperty [--partner-dialer-call=#15803d] - The Call and Answer buttons.
 * @cssproperty [--partner-dialer-danger=#c81e1e] - The Hang up and Decline buttons.
 * @cssproperty [--partner-dialer-warning=#92400e] - Warnings, such as the icon of a guide.
 * @cssproperty [--partner-dialer-surface=#fff] - The background.
 * @cssproperty [--partner-dialer-text=#171a21] - The text.
 * @cssproperty [--partner-dialer-muted=#565e6c] - Less important text.
 * @cssproperty [--partner-dialer-sunken] - Display, keys, round controls, selects; by default the text at 4 % (dark: 7 %) on the surface.
 * @cssproperty [--partner-dialer-border=#e3e6ec] - The line around the card.
 * @cssproperty [--partner-dialer-radius=12px] - Corner radius; the card uses 1.25 times this value, keys and buttons 0.83 times.
 * @cssproperty [--partner-dialer-font=inherit] - The font family.
 * @cssproperty [--partner-dialer-width=320px] - The width, limited to 280 to 400 px.
 */
export class PartnerDialer extends LitElement {
  /** URL of your broker. The dialer requests its token there, by `POST`. Required. */
  @property({ attribute: 'broker-url', converter: parsedBy(parseText) }) brokerUrl = '';
  /** When to send cookies to the broker, as in `fetch`: `same-origin`, `include` or `omit`. */
  @property({ attribute: 'broker-credentials', converter: parsedBy(parseBrokerCredentials) })
  brokerCredentials: 'same-origin' | 'include' | 'omit' = 'same-origin';
  /** Extra request headers for the broker, or a function that returns them, e.g. your page's bearer token. */
  @property({ attribute: false }) brokerHeaders: HeadersSource | undefined;
  /** Looks up customers by number, instead of the broker's `customers` link; returns the customers or a promise. */
  @property({ attribute: false }) lookup: CustomerLookup | undefined;
  /** URL of VBot's SDK script. */
  @property({ attribute: 'sdk-url', converter: parsedBy(parseText) }) sdkUrl: string = DEFAULT_SDK_URL;
  /** SRI hash of the script at `sdk-url`. */
  @property({ attribute: 'sdk-integrity', converter: parsedBy(parseText) }) sdkIntegrity = '';
  /** API base URL for the SDK, for a sandbox or a staging system. Default: VBot's own, `https://open-api-h01.vbot.vn/v3.0`. */
  @property({ attribute: 'sdk-base-url', converter: parsedBy(parseText) }) sdkBaseUrl = '';
  /** Audio file played when a call ends, by hang-up or by error. Default: VBot's own sound. */
  @property({ attribute: 'disconnect-sound-url', converter: parsedBy(parseText) }) disconnectSoundUrl = '';
  /** Ringtone: audio file played while an incoming call rings. Default: VBot's own sound; on chosen devices, the dialer's own tone. */
  @property({ attribute: 'ringtone-url', converter: parsedBy(parseText) }) ringtoneUrl = '';
  /** Ringback tone, which VBot calls hold music: audio file played while an outgoing call rings. Default: VBot's own sound. */
  @property({ attribute: 'hold-music-url', converter: parsedBy(parseText) }) holdMusicUrl = '';
  /** Preferred caller number, until the agent chooses another one. Default: the first assigned one. */
  @property({ converter: parsedBy(parseText) }) hotline = '';
  /** Your ID for the next call: up to 32 characters, a-z and 0-9. A value is used for one call; set another value for the next. */
  @property({ attribute: 'external-call-id', converter: parsedBy(parseText) }) externalCallId = '';
  /** When to sign in: `auto`, `interaction` (when the agent first points at, focuses or clicks the dialer) or `manual`. */
  @property({ attribute: 'connect-mode', converter: parsedBy(parseConnectMode) })
  connectMode: 'auto' | 'interaction' | 'manual' = 'auto';
  /** Below this call balance (in VND), the dialer warns the agent before dialling; `0` turns the warning off. */
  @property({ attribute: 'low-balance', converter: parsedBy(parseLowBalance) }) lowBalance = 500;
  /**
   * Which numbers can be dialled: `vietnam` (numbers of Vietnam, and international ones with a plus), or `any` (2 to 32 of
   * 0-9, * and #, with or without a plus in front, dialled as written).
   */
  @property({ attribute: 'number-plan', converter: parsedBy(parseNumberPlan) })
  numberPlan: 'vietnam' | 'any' = 'vietnam';
  /** `off`: no call is listed or stored in the browser, and the stored calls of the member who signs in are deleted. */
  @property({ attribute: 'recent-calls', converter: parsedBy(parseRecentCalls) }) recentCalls: 'on' | 'off' =
    'on';
  /** Shows the dialer as a bubble in this corner; an empty or unknown value means `bottom-right`. `false`: the dialer is inline. */
  @property({ reflect: true, converter: parsedBy(parseFloating) })
  floating: boolean | 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left' = false;
  /** The card of a floating dialer is open. The agent opens and closes it, too, and a call opens it. No effect without `floating`. */
  @property({ reflect: true, converter: parsedBy(parseBoolean) }) open = false;
  /**
   * Keyboard shortcuts for the whole page: Ctrl or ⌘ + Shift + A answers, + H hangs up, + M mutes and unmutes. Off by default,
   * because the page or the browser may use them. The dialer's own shortcuts work while it has the focus; `?` lists them.
   */
  @property({ converter: parsedBy(parseBoolean) }) hotkeys = false;
  /** `tel:` links anywhere on the page call through the dialer. The name shown is `data-name` or, without it, the link's text. */
  @property({ attribute: 'click-to-call', converter: parsedBy(parseBoolean) }) clickToCall = false;
  /** Shows VBot's own call screens. The dialer still shows its guides. Who mutes on one of the two is muted on both. */
  @property({ attribute: 'vendor-ui', converter: parsedBy(parseBoolean) }) vendorUi = false;
  /**
   * `vi`, `en`, or the language of your `words`. Default: the nearest `lang` of the page, then the browser's language.
   *
   * @type {'vi' | 'en' | string}
   */
  @property({ converter: parsedBy(parseText) }) override lang = '';
  /** Your own words, all or some, over those of `lang`. Missing words are English (Vietnamese for `vi`). */
  @property({ attribute: false }) words: DialerWords | null | undefined;
  /** `auto` (follows the page), `light` or `dark`. */
  @property({ reflect: true, converter: parsedBy(parseTheme) }) theme: 'auto' | 'light' | 'dark' = 'auto';

  readonly #phone = new Phone(this);
  /** From insertion to removal. In between, the element may have been moved. */
  #isInPage = false;

  /**
   * The broker's answer to a request that your page has begun itself, its `Response`, or a promise of either. The first sign-in
   * uses it; if it cannot, the dialer requests its own. It cannot be read.
   */
  @property({ attribute: false, hasChanged: () => true })
  set session(source: SessionSource | null | undefined) {
    this.#phone.dialer.useSession(source);
  }
  get session(): SessionSource | null | undefined {
    return undefined;
  }

  /** The current state; a new object after every change. */
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
   * Signs in. Resolves when the member is registered at the exchange, or when it is known that they cannot call (a guide says why).
   *
   * @throws {DialerError} what the dialer shows, e.g. `broker-unreachable`
   */
  async connect(): Promise<void> {
    await this.#phone.configuredDialer().connect();
  }

  /**
   * Signs out and ends a call in progress. If the same member signs in next, the number in the display and the last call come
   * back; if another member does, both are deleted.
   */
  disconnect(): Promise<void> {
    return this.#phone.disconnect();
  }

  /**
   * Calls a number; resolves once the call has started. The dialer keeps the number and its options, also after a guide and for
   * "Call again", until a call to that number is answered or the number is changed. While the dialer connects, the call waits, with
   * its own caller number and ID: the agent sees and can cancel it, and another number in the display or a later `call()` replaces it.
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
   * Shows a number in the display, opens a floating card and calls nobody. Resolves when the number is shown; during a call,
   * resolves at once and shows the number when the call is over. An invalid number is shown with the reason; an empty text clears
   * the display. The options belong to this number, as in `call()`.
   *
   * @throws {DialerError} `configuration` when the `externalCallId` is not valid; nothing is shown then
   */
  prefill(number: string, options?: CallOptions | null): Promise<void> {
    return this.#phone.prefill(String(number), options ?? {});
  }

  /** Answers an incoming call; resolves when the audio is connected. */
  async answer(): Promise<void> {
    await this.#phone.configuredDialer().answer();
  }

  /** Declines an incoming call; resolves when the call is over. */
  async reject(): Promise<void> {
    await this.#phone.dialer.reject();
  }

  /** Ends the call, or cancels it before it is answered. Resolves when the call is over. */
  async hangUp(): Promise<void> {
    await this.#phone.dialer.hangUp();
  }

  /** Mutes or unmutes; resolves when that is done. */
  async setMuted(on: boolean): Promise<void> {
    await this.#phone.dialer.setMuted(Boolean(on));
  }

  /** Holds the call or resumes it; resolves when the exchange has confirmed. */
  async setHeld(on: boolean): Promise<void> {
    await this.#phone.dialer.setHeld(Boolean(on));
  }

  /**
   * Sends DTMF tones (0-9, *, #), one after the other. Resolves when the last one has been sent to the exchange; rejects with
   * `network-lost` while the connection to the exchange is down.
   *
   * @throws {DialerError} `call-rejected` when the call ended before that
   */
  async sendDtmf(tones: string): Promise<void> {
    await this.#phone.dialer.sendDtmf(String(tones));
  }

  /**
   * Asks again whether the member can call.
   *
   * @throws {DialerError} `broker-…` when the broker did not say
   */
  async recheck(): Promise<void> {
    await this.#phone.configuredDialer().recheck();
  }

  /**
   * Returns the text that "Copy details" copies, for your own support form: versions, browser and network, what kept the member
   * from calling, the last five calls. It contains no tokens or customer names, and no number of more than six digits in full.
   */
  supportDetails(): string {
    return this.#phone.supportDetails();
  }

  /**
   * Moves the phone from another tab of this browser to this one: a member has one phone, in one tab at a time. Resolves when
   * the member is registered here.
   *
   * @throws {DialerError} `active-elsewhere` while the other tab has a call, or does not release the phone
   */
  async useHere(): Promise<void> {
    await this.#phone.configuredDialer().useHere();
  }

  /** @internal */
  override connectedCallback(): void {
    if (this.#isInPage) {
      // Moved: the language around it may be another one.
      this.requestUpdate();
      this.#phone.moved();
    } else {
      this.#isInPage = true;
      super.connectedCallback();
    }
    const { defaultView } = this.ownerDocument;
    if (defaultView !== window) defaultView?.addEventListener('pagehide', this.#leaveWindow);
    applyStyles(this.renderRoot as ShadowRoot, STYLES);
  }

  /**
   * To move an element, frameworks and pages remove it and insert it again: in the same task, Turbo a few promises later. A move
   * must not end a call, a ring, a timer or an open panel.
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

  /** A window for picture-in-picture, or of a frame, takes the listeners of all that is in it with it: the dialer goes before that. */
  readonly #leaveWindow = ({ persisted, target }: Event & { readonly persisted: boolean }): void => {
    const { ownerDocument } = this;
    if (persisted || target !== ownerDocument) return;
    const leave = () => this.ownerDocument === ownerDocument && document.adoptNode(this);
    // It comes after all listeners of `pagehide`: the page's own may take the dialer back.
    if (ownerDocument.hidden) leave();
    else ownerDocument.addEventListener('visibilitychange', leave, { once: true });
  };

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

parseProperties(PartnerDialer);
