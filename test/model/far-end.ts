/** The other side of the call, and the exchange between: what they do by themselves, and what a step makes them do. */
import type { PlayedCalls } from './calls.ts';
import type { PlayedClient } from './client.ts';
import type { ExchangeCall } from './exchange.ts';

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
const CROSSING_MS = 200;
const UNANSWERED_MS = 60_000;

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

  /** The answer has left the exchange, and arrives later. */
  crosses(): void {
    const { call, session } = this.#calls;
    const { socket, world } = this.#client;
    if (call?.direction !== 'outgoing' || !session || !socket || call.answered || call.isCrossing) return;
    // Without a reply that it rings, nobody could reach the session, and nobody could end such an answer.
    this.rings();
    call.isCrossing = true;
    world.clock.later(CROSSING_MS, () => {
      // It was answered otherwise.
      if (!call.isCrossing) return;
      // Without the socket, nothing arrives: the exchange misses the ACK.
      if (socket.readyState !== 1) return void (call.isExcused = true);
      socket.receive('SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\n\r\n');
      call.isCrossing = false;
      if (this.#calls.call === call) return this.#calls.connect(call);
      if (call.endedBy === undefined) return;
      world.exchange.crossings += 1;
      // JsSIP sends ACK and BYE, or ignores the answer.
      if (session.isCanceled) world.exchange.hear(call);
      else world.exchange.strand(call);
    });
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
    if (call.answered) return this.#calls.finish({ by: 'far' });
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
