/**
 * The vendor's element, played by the test: it says what the test lets it say, in the order the real one was measured
 * to say it, and remembers what it was told.
 */

const BOOT_FAILED = 'Khởi tạo SDK thất bại';

/** A session as JsSIP gives it, as far as the adapter looks. */
export class FakeSession {
  readonly connection = null;
  held = false;
  readonly #listeners = new Map<string, (data: unknown) => void>();

  on(event: string, listener: (data: unknown) => void): this {
    this.#listeners.set(event, listener);
    return this;
  }

  emit(event: string, data: unknown): void {
    this.#listeners.get(event)?.(data);
  }

  /** What the exchange does about a hold; tests that care replace it. */
  onHold: (agree: () => void, refuse: () => void) => void = (agree) => agree();
  /** Another offer is under way. */
  isBusy = false;
  /** With which status it was ended from this side, `undefined` being none. */
  readonly terminations: (number | undefined)[] = [];

  hold(_options: object, done: () => void): boolean {
    return this.#offer('hold', true, done);
  }

  unhold(_options: object, done: () => void): boolean {
    return this.#offer('unhold', false, done);
  }

  isOnHold(): { local: boolean } {
    return { local: this.held };
  }

  renegotiate(_options: object, done: () => void): boolean {
    if (!this.isBusy) this.#ask(done, 'Media Renegotiation Failed');
    return !this.isBusy;
  }

  terminate(options?: { status_code?: number; reason_phrase?: string }): void {
    this.terminations.push(options?.status_code);
  }

  /** It takes itself for held before the exchange has agreed, and ends the call when that refuses. */
  #offer(name: 'hold' | 'unhold', on: boolean, done: () => void): boolean {
    if (this.isBusy || this.held === on) return false;
    this.held = on;
    this.emit(name, { originator: 'local' });
    this.#ask(done, on ? 'Hold Failed' : 'Unhold Failed');
    return true;
  }

  #ask(done: () => void, reason_phrase: string): void {
    this.onHold(done, () => this.terminate({ status_code: 500, reason_phrase }));
  }
}

export class FakeVbot extends HTMLElement {
  /** The one on the page, or the last that was. */
  static current: FakeVbot | undefined;
  static boots = 0;
  /** What happens at insertion; tests that care replace it. */
  static onBoot: (vbot: FakeVbot) => void = (vbot) => vbot.register();

  readonly told: string[] = [];
  session = new FakeSession();
  /** Replaced by tests in which a call is not placed. */
  onMakeCall: (number: string) => void = (number) => this.dial(number);
  #data: object | null = null;
  #state = 'idle';

  connectedCallback(): void {
    FakeVbot.current = this;
    FakeVbot.boots += 1;
    this.emit('onHotlinesUpdated', { hotlines: [] });
    setTimeout(() => this.isConnected && FakeVbot.onBoot(this));
  }

  emit(name: string, detail?: object): void {
    if (name === 'onCallStateChange') this.#state = Reflect.get({ ...detail }, 'state');
    this.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail }));
  }

  register(hotlines = [{ name: 'Sales', phoneNumber: '842899990001' }]): void {
    this.emit('onHotlinesUpdated', { hotlines });
    this.emit('onConnecting');
    this.emit('onConnected');
    this.emit('onUserConnected');
  }

  refuse(): void {
    this.emit('onError', { message: BOOT_FAILED });
    this.emit('onUserConnectionFailed', { error: BOOT_FAILED });
  }

  dial(number: string): void {
    this.#data = { id: 'out-1', phoneNumber: number, direction: 'outgoing', startTime: new Date() };
    this.emit('onCallStateChange', { state: 'dialing' });
    this.emit('onCallProgress', { callData: this.#data });
  }

  ring(number: string, displayName?: string, id = 'in-1'): void {
    this.#data = {
      id,
      phoneNumber: number,
      displayName,
      direction: 'incoming',
      session: this.session,
    };
    this.emit('onCallStateChange', { state: 'ringing' });
    this.emit('onCallIncoming', { callData: this.#data });
    this.emit('onCallStateChange', { state: 'dialing' });
    this.emit('onCallProgress', { callData: this.#data });
  }

  accept(): void {
    this.#data = { ...this.#data, session: this.session };
    this.emit('onCallStateChange', { state: 'in-call' });
    this.emit('onCallAccepted', { callData: this.#data });
  }

  /** Every end passes here; with a text it is a failure. */
  end(text?: string): void {
    const callData = this.#data;
    this.#data = null;
    this.emit('onCallStateChange', { state: 'idle' });
    this.emit('onCallEnded', { callData });
    if (text === undefined) return;
    this.emit('onCallFailed', { error: text });
    this.emit('onError', { message: text });
  }

  async makeCall(number: string, hotline?: string, externalCallId?: string): Promise<void> {
    this.told.push(['makeCall', number, hotline ?? '', externalCallId ?? ''].join(' ').trim());
    this.onMakeCall(number);
  }

  async answerCall(): Promise<void> {
    this.told.push('answerCall');
    this.accept();
  }

  hangupCall(): void {
    this.told.push('hangupCall');
    this.end();
  }

  toggleMuteMicrophone(): void {
    this.told.push('toggleMuteMicrophone');
  }

  sendDTMF(tone: string): void {
    this.told.push(`sendDTMF ${tone}`);
  }

  getCallState(): unknown {
    return this.#state;
  }

  getCallData(): unknown {
    return this.#data;
  }
}

customElements.define('vbot-widget', FakeVbot);
