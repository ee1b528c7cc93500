/** The calls of the played SDK: one at a time, in or out, with the orders and the texts that were measured. */
import type { PlayedClient } from './client.ts';
import type { Ender, ExchangeCall } from './exchange.ts';
import type { Manners } from './manners.ts';
import type { PlayedStream } from './microphone.ts';
import { PlayedSession } from './session.ts';

const CANCELLED = 'Cuộc gọi đã bị hủy';
const ENDED = 'Cuộc gọi đã kết thúc';
const PHRASES: Readonly<Record<number, string>> = {
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  480: 'Người gọi Không thể liên lạc được',
  484: 'Address Incomplete',
  486: 'Thuê bao đang bận',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
};
const INVITE_MS = 130;
const NO_REPLY_MS = 32_000;
const RINGING_MS = 60_000;

interface CallData {
  readonly id: string;
  readonly phoneNumber: string;
  readonly displayName?: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly startTime: Date;
  readonly externalCallId: string | undefined;
  readonly session?: PlayedSession;
}

/** What the SDK says of an end; without a failure, it is an ordinary one. */
interface End {
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
  readonly #client: PlayedClient;
  readonly #streams: PlayedStream[] = [];
  #isDialing = false;
  #isAnswering = false;
  #isEnding = false;
  #count = 0;

  constructor(client: PlayedClient) {
    this.#client = client;
  }

  blur(): void {
    if (this.call) this.call.isBlurred = true;
  }

  /** A call is being placed or answered: the microphone may be open already. */
  get isOpening(): boolean {
    return this.#isDialing || this.#isAnswering;
  }

  /** Resolves whatever happens. */
  async make(number: unknown, hotline: unknown, externalCallId: unknown): Promise<void> {
    const client = this.#client;
    const { world, manners, life } = client;
    const askedAt = world.next();
    this.#checkDial(number, hotline, externalCallId);
    this.dials += 1;
    if (!life) return client.notify('error', 'Client chưa được khởi tạo');
    if (!client.isRegistered) return client.notify('error', 'Client chưa đăng ký');
    if (this.state !== 'idle') {
      if (!this.call?.isBlurred) world.violate('e a dial during a call');
      return client.notify('error', 'Đang trong cuộc gọi khác');
    }
    // A call that is just ending is in the way, and nobody is told.
    if (this.#isEnding || manners.dial === 'lost') return;
    if (this.#isDialing) world.violate('e two dials at once');
    this.#isDialing = true;
    if (manners.dial === 'late') await this.#wait(3000);
    const stream = await this.#openMicrophone('to place');
    this.#isDialing = false;
    if (!stream) return;
    if (client.life !== life || this.state !== 'idle') return this.#closeMicrophones();
    this.#count += 1;
    const id = `out-${this.#count}`;
    const call = world.exchange.begin('outgoing', String(number), id, askedAt);
    this.#start(call, {
      id,
      phoneNumber: String(number),
      direction: 'outgoing',
      startTime: new Date(),
      externalCallId: typeof externalCallId === 'string' ? externalCallId : undefined,
    });
    this.#become('dialing', 'onCallProgress');
    this.#later(call, INVITE_MS, () => this.#invite(call, stream));
    if (manners.dial === 'never-resolves') await new Promise<void>(() => undefined);
  }

  /** Somebody calls; a second call is refused without an event. */
  ring(number: string): void {
    const client = this.#client;
    if (!client.isRegistered || this.call || this.#isDialing) return;
    this.#count += 1;
    const id = `in-${this.#count}`;
    const call = client.world.exchange.begin('incoming', number, id);
    const session = this.#createSession(call, undefined);
    this.#start(call, {
      id,
      phoneNumber: number,
      displayName: 'Trần Văn Bình',
      direction: 'incoming',
      startTime: new Date(),
      externalCallId: undefined,
      session,
    });
    this.#become('ringing', 'onCallIncoming');
    this.#later(call, 4, () => this.state === 'ringing' && this.#become('dialing', 'onCallProgress'));
    this.#later(call, RINGING_MS, () => {
      if (!call.answered)
        this.#finish({ by: 'far', status: 408, failure: { text: 'No Answer', kind: 'error' } });
    });
  }

  async answer(): Promise<void> {
    const { call, session } = this;
    const { world, manners } = this.#client;
    if (!call || call.direction !== 'incoming' || call.answered) return;
    if (this.#isAnswering) world.violate('e answered twice');
    if (manners.answer === 'lost') return;
    this.#isAnswering = true;
    if (manners.answer === 'late') await this.#wait(4000);
    const isReady = await this.#openMicrophone('to answer');
    const isWithout = world.page.microphone.state === 'missing';
    this.#isAnswering = false;
    if (this.call !== call) throw new TypeError('There is no call to answer any more');
    if (isWithout) {
      return this.#finish({
        by: 'sdk',
        status: 480,
        failure: { text: 'User Denied Media Access', kind: 'error' },
      });
    }
    const stream = isReady && (await this.#openMicrophone('to answer'));
    if (!stream || this.call !== call) return;
    session?.connect(stream);
    this.#later(call, 80, () => this.#connect(call));
  }

  /** Ends, cancels or rejects; too early, it is ignored. */
  hangUp(): void {
    const { call } = this;
    const { manners } = this.#client;
    this.#client.world.next();
    if (!call) return;
    if (manners.hangUp === 'ignored') return this.blur();
    if (manners.hangUp === 'late') return this.#later(call, 3000, () => this.#endHere(call));
    this.#endHere(call);
  }

  /** The far phone rings; from here on the session can be reached. */
  farRings(): void {
    if (!this.call || !this.data || !this.session || !this.call.invited || this.data.session) return;
    this.data = { ...this.data, session: this.session };
  }

  farAnswers(): void {
    const { call } = this;
    if (call?.direction !== 'outgoing' || !call.invited || call.answered) return;
    this.farRings();
    this.#connect(call);
  }

  farRefuses(status: number): void {
    const { call } = this;
    if (call?.direction !== 'outgoing' || !call.invited || call.answered) return;
    const text = PHRASES[status] ?? 'Rejected';
    this.#client.socket?.say(`SIP/2.0 ${status} ${text}\r\nCSeq: ${this.#count} INVITE\r\n\r\n`);
    this.#finish({
      by: 'far',
      status,
      failure: { text, kind: status === 480 || status === 486 ? 'info' : 'error' },
    });
  }

  /** BYE in a call, CANCEL while it rings here. */
  farEnds(): void {
    const { call } = this;
    if (!call || (call.direction === 'outgoing' && !call.answered)) return;
    if (call.answered) return this.#finish({ by: 'far' });
    this.#finish({ by: 'far', failure: { text: CANCELLED, kind: 'info' } });
  }

  onSocketLost(): void {
    if (this.call && !this.call.answered)
      this.#finish({ by: 'lost', failure: { text: CANCELLED, kind: 'info' } });
  }

  /** The client goes away: BYE or CANCEL, and no event. */
  destroy(): void {
    if (this.call) this.#client.world.exchange.end(this.call, 'here');
    this.state = 'idle';
    this.data = null;
    this.call = undefined;
    this.session = undefined;
    this.#isAnswering = false;
    this.#closeMicrophones();
  }

  #checkDial(number: unknown, hotline: unknown, externalCallId: unknown): void {
    const { world, hotlines } = this.#client;
    if (typeof number !== 'string' || !/^\+?\d{3,15}$/.test(number))
      world.violate('e dialled what is no number', String(number));
    const isOwn =
      hotline === undefined || hotlines.length === 0 || hotlines.some((own) => own.number === hotline);
    if (!isOwn) world.violate('e dialled with a foreign hotline', String(hotline));
    const isSafe = externalCallId === undefined || /^[a-z0-9]{1,32}$/.test(String(externalCallId));
    if (!isSafe) world.violate('e dialled with an unsafe id', String(externalCallId));
  }

  #start(call: ExchangeCall, data: CallData): void {
    this.call = call;
    this.data = data;
    if (this.#client.delivery.isBlurring) call.isBlurred = true;
  }

  #become(state: 'ringing' | 'dialing' | 'in-call', event: string): void {
    const { data } = this;
    this.state = state;
    this.#client.say('onCallStateChange', { state });
    if (this.state === state) this.#client.say(event, { callData: data });
  }

  #invite(call: ExchangeCall, stream: PlayedStream): void {
    const { world, manners } = this.#client;
    world.exchange.invite(call);
    this.session = this.#createSession(call, stream);
    const after = (ms: number, work: () => void) => this.#later(call, ms, work);
    const { far } = manners;
    after(NO_REPLY_MS, () => {
      if (!this.data?.session) this.#finish({ by: 'lost', failure: { text: CANCELLED, kind: 'info' } });
    });
    const status = refusalOf(far);
    if (far !== 'silence' && (!status || far.endsWith('ringing'))) after(300, () => this.farRings());
    if (status) after(far.endsWith('ringing') ? 1500 : 400, () => this.farRefuses(status));
    if (far === 'answers' || far === 'answers-and-ends') after(3000, () => this.farAnswers());
    if (far === 'answers-and-ends') after(9000, () => this.farEnds());
  }

  #createSession(call: ExchangeCall, stream: PlayedStream | undefined): PlayedSession {
    const { world, manners } = this.#client;
    const session = new PlayedSession({
      world,
      manners,
      call,
      stream,
      breakOff: () => this.call === call && this.#finish({ by: 'sdk' }),
    });
    this.session = session;
    return session;
  }

  #connect(call: ExchangeCall): void {
    if (call.answered || !this.data || !this.session) return;
    call.answered = true;
    this.data = { ...this.data, session: this.session };
    this.#become('in-call', 'onCallAccepted');
    this.#tellDuration(call, 0);
  }

  #tellDuration(call: ExchangeCall, duration: number): void {
    if (this.call !== call) return;
    this.#client.say('onCallDuration', { duration });
    this.#later(call, 1000, () => this.#tellDuration(call, duration + 1));
  }

  #endHere(call: ExchangeCall): void {
    if (call.answered) {
      this.#client.notify('info', `Cuộc gọi với ${call.number} đã kết thúc`);
      return this.#finish({ by: 'here' });
    }
    const isRejected = call.direction === 'incoming';
    const failure = isRejected
      ? ({ text: 'Rejected', kind: 'error' } as const)
      : ({ text: CANCELLED, kind: 'info' } as const);
    this.#finish({ by: 'here', failure });
  }

  #finish({ by, failure, status }: End): void {
    const client = this.#client;
    const { call, data, session } = this;
    if (!call) return;
    client.world.exchange.end(call, by, status);
    this.#closeMicrophones();
    this.state = 'idle';
    this.call = undefined;
    this.data = null;
    this.lastData = data;
    this.session = undefined;
    this.#isAnswering = false;
    this.#isEnding = true;
    client.say('onCallStateChange', { state: 'idle' });
    client.say('onCallEnded', { callData: data });
    this.#isEnding = false;
    if (failure) client.say('onCallFailed', { error: failure.text });
    session?.emit(failure ? 'failed' : 'ended', {
      cause: failure?.text,
      message: status ? { status_code: status } : null,
    });
    client.notify(failure?.kind ?? 'info', failure?.text ?? ENDED);
  }

  async #openMicrophone(why: 'to place' | 'to answer'): Promise<PlayedStream | undefined> {
    const { microphone } = this.#client.world.page;
    try {
      const stream = await microphone.getUserMedia();
      this.#streams.push(stream);
      return stream;
    } catch (error) {
      const isMissing = error instanceof DOMException && error.name === 'NotFoundError';
      if (isMissing && why === 'to answer')
        this.#client.notify('warning', 'Không tìm thấy thiết bị microphone');
      else {
        const text = isMissing
          ? 'Không tìm thấy thiết bị microphone. Hãy kết nối micro và thử lại.'
          : 'Trình duyệt đang chặn quyền microphone. Vui lòng cho phép quyền để tiếp tục.';
        this.#client.notify('error', text);
        if (why === 'to place')
          this.#client.notify('error', 'Vui lòng cấp quyền truy cập microphone để thực hiện cuộc gọi');
      }
      return undefined;
    }
  }

  #closeMicrophones(): void {
    for (const { track } of this.#streams.splice(0)) track.stop();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#client.world.clock.later(ms, resolve);
    });
  }

  #later(call: ExchangeCall, ms: number, work: () => unknown): void {
    this.#client.world.clock.later(ms, () => this.call === call && work());
  }
}

function refusalOf(far: Manners['far']): number | undefined {
  const status = Number(/^refuses-(\d+)/.exec(far)?.[1] ?? 0);
  return status === 0 ? undefined : status;
}
