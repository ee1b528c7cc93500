/** The calls of the played SDK: one at a time, in or out, with the orders and the texts that were measured. */
import type { PlayedClient } from './client.ts';
import type { Ender, ExchangeCall } from './exchange.ts';
import { CANCELLED, FarEnd } from './far-end.ts';
import type { PlayedStream } from './microphone.ts';
import { askBrowser, SdkMicrophone } from './sdk-microphone.ts';
import { PlayedSession } from './session.ts';

const INVITE_MS = 130;
const LATE_DIAL_MS = 3000;
const LATE_ANSWER_MS = 4000;
const LATE_HANG_UP_MS = 3000;

export interface CallData {
  readonly id: string;
  readonly phoneNumber: string;
  readonly displayName?: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly startTime: Date;
  readonly externalCallId: string | undefined;
  readonly session?: PlayedSession;
}

/** What the SDK says of an end; without a failure, it is an ordinary one. */
export interface End {
  readonly by: Ender;
  readonly failure?: { readonly text: string; readonly kind: 'error' | 'info' };
  readonly status?: number;
}

export class PlayedCalls {
  state: 'idle' | 'ringing' | 'dialing' | 'in-call' = 'idle';
  data: CallData | null = null;
  call: ExchangeCall | undefined;
  session: PlayedSession | undefined;
  /** What was said of the last call that is over. */
  lastData: CallData | null = null;
  dials = 0;
  readonly far: FarEnd;
  readonly #client: PlayedClient;
  readonly #microphone: SdkMicrophone;
  #isDialing = false;
  #answering: ExchangeCall | undefined;
  #isEnding = false;
  #count = 0;

  constructor(client: PlayedClient) {
    this.#client = client;
    this.#microphone = new SdkMicrophone(client);
    this.far = new FarEnd(client, this);
  }

  /** A call is being placed or answered: the microphone may be open already. */
  get isOpening(): boolean {
    return this.#isDialing || this.#answering !== undefined;
  }

  blur(): void {
    if (this.call) this.call.isBlurred = true;
  }

  /** Resolves whatever happens. */
  async make(number: unknown, hotline: unknown, externalCallId: unknown): Promise<void> {
    const client = this.#client;
    const { world, behavior, life } = client;
    const askedAt = world.next();
    const placedAt = world.clock.counted;
    world.exchange.checkDial(number, hotline, externalCallId);
    this.dials += 1;
    if (!life) return client.notify('error', 'Client chưa được khởi tạo');
    if (!client.isRegistered) return client.notify('error', 'Client chưa đăng ký');
    if (this.state !== 'idle') {
      if (!this.call?.isBlurred) world.violate('e a dial during a call');
      return client.notify('error', 'Đang trong cuộc gọi khác');
    }
    // A call that is just ending is in the way, and nobody is told.
    if (this.#isEnding || behavior.dial === 'lost') return;
    if (this.#isDialing) world.violate('e two dials at once');
    this.#isDialing = true;
    const stream = await this.#microphone.openToCall();
    if (behavior.dial === 'late') await this.#wait(LATE_DIAL_MS);
    if (client.life !== life) return;
    this.#isDialing = false;
    if (!stream || this.call) return;
    this.#count += 1;
    const id = `out-${this.#count}`;
    const call = world.exchange.begin('outgoing', String(number), id, askedAt);
    call.placedAt = placedAt;
    this.#start(call, {
      id,
      phoneNumber: String(number),
      direction: 'outgoing',
      startTime: new Date(),
      externalCallId: typeof externalCallId === 'string' ? externalCallId : undefined,
    });
    this.#become('dialing', 'onCallProgress');
    this.later(call, INVITE_MS, () => this.#invite(call, stream));
    if (behavior.dial === 'never-resolves') await new Promise<void>(() => undefined);
  }

  /** Somebody calls; a second call is refused without an event. */
  ring(number: string): void {
    const client = this.#client;
    if (!client.isRegistered || this.call) return;
    this.#count += 1;
    const id = `in-${this.#count}`;
    const call = client.world.exchange.begin('incoming', number, id);
    this.#start(call, {
      id,
      phoneNumber: number,
      displayName: 'Trần Văn Bình',
      direction: 'incoming',
      startTime: new Date(),
      externalCallId: undefined,
      session: this.#createSession(call),
    });
    this.#become('ringing', 'onCallIncoming');
    this.later(call, 4, () => this.state === 'ringing' && this.#become('dialing', 'onCallProgress'));
    this.far.onRinging(call);
  }

  /** Opens a microphone of its own, then has JsSIP open the one that is sent: by then, to whatever call there is. */
  async answer(): Promise<void> {
    const asked = this.call;
    const { world, behavior } = this.#client;
    if (asked?.direction !== 'incoming' || asked.answered) return;
    asked.tried = true;
    if (behavior.answer === 'lost') return;
    if (this.#answering === asked) world.violate('e answered twice');
    this.#answering = asked;
    const opened = await this.#microphone.openToAnswer();
    const { call, session } = this;
    if (this.#answering === asked) this.#answering = undefined;
    if (opened === 'refused') return;
    if (call?.direction !== 'incoming' || call.answered) throw new TypeError('There is no call to answer');
    world.exchange.checkOrder('answer', call);
    call.tried = true;
    if (behavior.answer === 'late') await this.#wait(LATE_ANSWER_MS);
    if (this.call !== call) throw new TypeError('There is no call to answer any more');
    const stream = opened === 'open' ? await askBrowser().catch(() => undefined) : undefined;
    if (this.call !== call) return stream?.track.stop();
    if (!stream) {
      return this.finish({
        by: 'sdk',
        status: 480,
        failure: { text: 'User Denied Media Access', kind: 'error' },
      });
    }
    session?.use(stream);
    this.later(call, 80, () => {
      if (call.endedBy !== undefined) return;
      this.far.acknowledges(call);
      this.connect(call);
    });
  }

  sendKeys(): void {
    if (this.state !== 'in-call') return;
    if (this.call) this.#client.world.exchange.checkOrder('sendDtmf', this.call);
    this.session?.sendKeys();
  }

  /** Ends, cancels or rejects; too early, it is ignored. */
  hangUp(): void {
    const { call } = this;
    const { behavior, world } = this.#client;
    if (!call) return;
    if (call.direction === 'incoming' && !call.endedBy) world.exchange.checkEnd(call);
    call.isHeldUp ||= behavior.hangUp !== 'ok';
    // It was told in time, and takes too long.
    call.isExcused ||= call.isHeldUp && this.#client.hasSocket;
    if (behavior.hangUp === 'ignored') return;
    if (behavior.hangUp === 'late') return this.later(call, LATE_HANG_UP_MS, () => this.endHere(call));
    this.endHere(call);
  }

  endHere(call: ExchangeCall): void {
    if (call.answered) {
      this.#client.notify('info', `Cuộc gọi với ${call.number} đã kết thúc`);
      return this.finish({ by: 'here' });
    }
    const isRejected = call.direction === 'incoming';
    const failure = isRejected
      ? ({ text: 'Rejected', kind: 'error' } as const)
      : ({ text: CANCELLED, kind: 'info' } as const);
    this.finish({ by: 'here', failure });
  }

  onSocketLost(): void {
    if (this.call?.answered) return this.session?.onSocketLost();
    if (!this.call) return;
    // The SDK rings on, but nothing that it sends of this call reaches anybody.
    if (this.call.direction === 'incoming') return this.#client.world.exchange.end(this.call, 'lost');
    this.finish({ by: 'lost', failure: { text: CANCELLED, kind: 'info' } });
  }

  /** The client goes away: BYE or CANCEL, and no event. */
  destroy(): void {
    const { call, session } = this;
    this.state = 'idle';
    this.data = null;
    this.call = undefined;
    this.session = undefined;
    if (call) this.#tell(call);
    if (call) this.#client.world.exchange.end(call, this.#client.isTakenAway ? 'sdk' : 'here');
    session?.close();
    session?.emit(call?.answered ? 'ended' : 'failed', { message: null });
    this.#answering = undefined;
    this.#isDialing = false;
    this.#microphone.close();
  }

  get isMuted(): boolean {
    return this.#microphone.isMuted;
  }

  toggleMute(): void {
    this.#microphone.toggleMute();
  }

  exchangeMicrophone(): Promise<boolean> {
    return this.#microphone.exchange(async ({ track }) => {
      await this.session?.connection?.getSenders()[0]?.replaceTrack(track);
    });
  }

  attachSession(): void {
    if (this.data && this.session && !this.data.session) this.data = { ...this.data, session: this.session };
  }

  connect(call: ExchangeCall): void {
    if (call.answered || !this.session) return;
    this.attachSession();
    call.answered = true;
    call.answeredAt = this.#client.world.clock.lasted;
    this.far.endCrossing(call);
    this.#become('in-call', 'onCallAccepted');
    this.#tellDuration(call, 0);
  }

  finish({ by, failure, status }: End): void {
    const client = this.#client;
    const { call, data, session } = this;
    if (!call) return;
    if (by === 'here') this.#tell(call);
    // Since the call began, the events may have got another way.
    if (client.delivery.isBlurring) call.isBlurred = true;
    client.world.exchange.end(call, by, status);
    this.#microphone.close();
    session?.close();
    this.state = 'idle';
    this.call = undefined;
    this.data = null;
    this.lastData = data;
    this.session = undefined;
    this.#isEnding = true;
    client.emit('onCallStateChange', { state: 'idle' });
    client.emit('onCallEnded', { callData: data });
    this.#isEnding = false;
    if (failure) client.emit('onCallFailed', { error: failure.text });
    const message = status === undefined ? null : { status_code: status };
    session?.emit(failure ? 'failed' : 'ended', { cause: failure?.text, message });
    client.notify(failure?.kind ?? 'info', failure?.text ?? 'Cuộc gọi đã kết thúc');
  }

  /** A BYE in a call, before that a CANCEL or a refusal; a CANCEL does not end what is answered already. */
  #tell(call: ExchangeCall): void {
    const { exchange } = this.#client.world;
    if (!call.invited) call.isOn = false;
    else if (!this.#client.hasSocket) exchange.strand(call);
    else if (call.isCrossing) this.far.isTold('CANCEL', call);
    // Else JsSIP keeps the BYE until the ACK, and loses it with the socket.
    else if (call.answeredOver?.readyState !== 1) this.far.isTold('BYE', call);
  }

  later(call: ExchangeCall, ms: number, work: () => unknown): void {
    this.#client.world.clock.later(ms, () => this.call === call && work());
  }

  #start(call: ExchangeCall, data: CallData): void {
    this.call = call;
    this.data = data;
    if (this.#client.delivery.isBlurring) call.isBlurred = true;
  }

  #become(state: 'ringing' | 'dialing' | 'in-call', event: string): void {
    const { data } = this;
    this.state = state;
    this.#client.emit('onCallStateChange', { state });
    if (this.state === state) this.#client.emit(event, { callData: data });
  }

  #invite(call: ExchangeCall, stream: PlayedStream): void {
    // A late dial comes to a socket that is gone.
    if (!this.#client.hasSocket)
      return this.finish({ by: 'lost', failure: { text: CANCELLED, kind: 'info' } });
    if (this.#client.behavior.far === 'gets-it-late') this.far.stalls(call);
    else this.#client.world.exchange.invite(call);
    this.#createSession(call).use(stream);
    this.far.onInvite(call);
  }

  #createSession(call: ExchangeCall): PlayedSession {
    const { world, behavior } = this.#client;
    this.session = new PlayedSession({
      hasSocket: () => this.#client.hasSocket,
      world,
      behavior,
      call,
      end: (by) => {
        if (this.call !== call) return;
        if (by === 'here') this.endHere(call);
        else this.finish({ by });
      },
    });
    return this.session;
  }

  #tellDuration(call: ExchangeCall, duration: number): void {
    if (this.call !== call) return;
    this.#client.emit('onCallDuration', { duration });
    this.later(call, 1000, () => this.#tellDuration(call, duration + 1));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#client.world.clock.later(ms, resolve);
    });
  }
}
