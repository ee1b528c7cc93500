/** The other side of the call, and the exchange between: what they do by themselves, and what a step makes them do. */
import type { PlayedCalls } from './calls.ts';
import type { PlayedClient } from './client.ts';
import type { ExchangeCall } from './exchange.ts';
import type { PlayedSocket } from '../support/socket.ts';

export const CANCELLED = 'Cuộc gọi đã bị hủy';
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
const NO_REPLY_MS = 32_000;
/** After that long, nobody expects a call that was asked for. */
const LONGEST_PLACING_MS = 600_000;
const CROSSING_MS = 200;
const UNANSWERED_MS = 60_000;
const ACKS_MS = [20, 400] as const;
export const STALLED_MS = 40_000;

const CANCEL_ELSEWHERE = 'CANCEL sip:agent SIP/2.0\r\nReason: SIP;cause=200;text="Call completed elsewhere"';

export class FarEnd {
  readonly #client: PlayedClient;
  readonly #calls: PlayedCalls;

  constructor(client: PlayedClient, calls: PlayedCalls) {
    this.#client = client;
    this.#calls = calls;
  }

  /** An INVITE has arrived there. */
  onInvite(call: ExchangeCall): void {
    const { far } = this.#client.behavior;
    const after = (ms: number, work: () => void) => this.#calls.later(call, ms, work);
    after(NO_REPLY_MS, () => {
      if (!this.#calls.data?.session)
        this.#calls.finish({ by: 'lost', failure: { text: CANCELLED, kind: 'info' } });
    });
    const status = Number(/^refuses-(\d+)/.exec(far)?.[1] ?? 0);
    const isLate = far.endsWith('ringing');
    if (far !== 'silence' && (status === 0 || isLate)) after(300, () => this.rings());
    if (status > 0) after(isLate ? 1500 : 400, () => this.refuses(status));
    if (far === 'answers' || far === 'answers-and-ends') after(3000, () => this.answers());
    if (far === 'answers-and-ends') after(9000, () => this.ends());
  }

  /** A call that rings here; the SDK itself ends it after a minute. */
  onRinging(call: ExchangeCall): void {
    this.#calls.later(call, UNANSWERED_MS, () => {
      if (call.answered) return;
      this.#calls.finish({ by: 'far', status: 408, failure: { text: 'No Answer', kind: 'error' } });
    });
  }

  /** From here on the session can be reached. */
  rings(): void {
    if (this.#calls.call?.invited) this.#calls.attachSession();
  }

  answers(): void {
    const { call } = this.#calls;
    if (call?.direction !== 'outgoing' || !call.invited || call.answered) return;
    this.#calls.connect(call);
  }

  /** The network stands still: the INVITE arrives when JsSIP waits for no reply to it any more. */
  stalls(call: ExchangeCall): void {
    const { socket, world, life } = this.#client;
    const receive = (status: string) =>
      socket?.receive(
        `SIP/2.0 ${status}\r\nCall-ID: ${call.id}\r\nCSeq: 1 INVITE\r\nContact: <sip:x>\r\n\r\n`,
      );
    socket?.send(`INVITE sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
    world.clock.later(STALLED_MS, () => {
      // It is lost with its socket. The SDK is kept for 32 s without a reply.
      if (socket?.readyState !== 1 || this.#client.life !== life) return;
      world.exchange.lateInvites += 1;
      call.isOn = true;
      call.isExcused = false;
      receive('180 Ringing');
      if (call.isOn) receive('200 OK');
      else receive('487 Request Terminated');
      world.exchange.strand(call);
    });
  }

  /** The answer has left the exchange, and arrives later. Only such a call is played as messages. */
  crosses(): void {
    const { call } = this.#calls;
    const { socket, world } = this.#client;
    if (call?.direction !== 'outgoing' || !call.invited || !socket || call.answered || call.isCrossing)
      return;
    // The INVITE is played only now. So late, the dialer would not let it out.
    if (world.clock.counted - (call.placedAt ?? 0) > LONGEST_PLACING_MS) return;
    call.isCrossing = true;
    socket.send(`INVITE sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
    world.clock.later(CROSSING_MS, () => {
      // It was answered otherwise.
      if (!call.isCrossing) return;
      // Without the socket, nothing arrives: the exchange misses the ACK.
      if (socket.readyState !== 1) return void (call.isExcused = true);
      socket.receive(`SIP/2.0 200 OK\r\nCall-ID: ${call.id}\r\nCSeq: 1 INVITE\r\nContact: <sip:x>\r\n\r\n`);
      if (this.#calls.call === call) return this.#calls.connect(call);
      call.isCrossing = false;
      if (call.endedBy === undefined) return;
      world.exchange.crossings += 1;
      // JsSIP ignores the answer: somebody else has to send ACK and BYE.
      world.exchange.strand(call);
    });
  }

  /** Without the socket, the ACK does not arrive. After 32 s, JsSIP ends the call. */
  acknowledges(call: ExchangeCall): void {
    const { socket, world } = this.#client;
    const { clock, exchange } = world;
    if (!socket) return;
    call.answeredOver = socket;
    socket.receive(`INVITE sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
    socket.send(`SIP/2.0 200 OK\r\nCall-ID: ${call.id}\r\nCSeq: 1 INVITE\r\n\r\n`);
    clock.later(ACKS_MS[Math.random() < 0.5 ? 0 : 1], () => {
      if (socket.readyState !== 1) return void (exchange.lostAcks += 1);
      call.answeredOver = undefined;
      // What follows is not played as messages.
      for (const method of ['ACK', 'BYE'])
        socket.receive(`${method} sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
      if (call.endedBy === 'here') exchange.hear(call);
    });
    this.#calls.later(call, NO_REPLY_MS, () => {
      if (!call.answeredOver) return;
      if (this.#client.hasSocket) exchange.hear(call);
      else exchange.strand(call);
      this.#calls.finish({ by: 'sdk' });
    });
  }

  /** What was not played as messages when it was answered. */
  plays({ id, direction }: ExchangeCall): void {
    const { socket } = this.#client;
    const invite = `INVITE sip:x SIP/2.0\r\nCall-ID: ${id}\r\n\r\n`;
    const answer = `SIP/2.0 200 OK\r\nCall-ID: ${id}\r\nCSeq: 1 INVITE\r\nContact: <sip:x>\r\n\r\n`;
    if (direction === 'outgoing') socket?.send(invite);
    else socket?.receive(invite);
    if (direction === 'outgoing') return socket?.receive(answer);
    socket?.send(answer);
    socket?.receive(`ACK sip:x SIP/2.0\r\nCall-ID: ${id}\r\n\r\n`);
  }

  /** JsSIP ends a call: if the answer is still on its way, by a CANCEL. */
  isTold(method: 'BYE' | 'CANCEL', call: ExchangeCall): void {
    this.#client.socket?.send(`${method} sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
  }

  /** The answer is there. What follows is not played as messages. */
  endCrossing(call: ExchangeCall): void {
    if (!call.isCrossing) return;
    call.isCrossing = false;
    this.#client.socket?.receive(`BYE sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
  }

  hears(message: string, socket: PlayedSocket): void {
    const { exchange } = this.#client.world;
    const method = /^(?:BYE|CANCEL)/.exec(message)?.[0];
    const call = exchange.calls.findLast(({ id }) => message.includes(`Call-ID: ${id}\r\n`));
    if (!call || method === undefined) return;
    // A CANCEL does not end what is answered already.
    if (method === 'BYE' || !call.invited) exchange.hear(call);
    socket.receive(`SIP/2.0 200 OK\r\nCall-ID: ${call.id}\r\nCSeq: 1 ${method}\r\n\r\n`);
  }

  refuses(status: number): void {
    const { call } = this.#calls;
    if (call?.direction !== 'outgoing' || !call.invited || call.answered || call.isCrossing) return;
    const text = PHRASES[status] ?? 'Rejected';
    this.#client.socket?.receive(`SIP/2.0 ${status} ${text}\r\nCSeq: 1 INVITE\r\n\r\n`);
    const kind = status === 480 || status === 486 ? 'info' : 'error';
    this.#calls.finish({ by: 'far', status, failure: { text, kind } });
  }

  /** BYE in a call, CANCEL while it rings here. */
  ends(): void {
    const { call } = this.#calls;
    if (!call || call.endedBy || (call.direction === 'outgoing' && !call.answered)) return;
    if (call.answered) {
      this.#client.socket?.receive(`BYE sip:x SIP/2.0\r\nCall-ID: ${call.id}\r\n\r\n`);
      return this.#calls.finish({ by: 'far' });
    }
    this.#calls.finish({ by: 'far', failure: { text: CANCELLED, kind: 'info' } });
  }

  /** Another phone of the member's has answered. */
  answersElsewhere(): void {
    const { call } = this.#calls;
    if (call?.direction !== 'incoming' || call.answered || call.endedBy) return;
    call.elsewhere = true;
    // A CANCEL counts only after its INVITE.
    for (const message of ['INVITE sip:agent SIP/2.0', CANCEL_ELSEWHERE])
      this.#client.socket?.receive(`${message}\r\n\r\n`);
    this.ends();
  }
}
