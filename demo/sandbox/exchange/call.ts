/** What calls in both directions have in common: the record, the conversation once answered, and one end. */
import { randomUUID } from 'node:crypto';
import {
  SessionState,
  type IncomingInfoRequest,
  type IncomingInviteRequest,
  type IncomingRequestMessage,
  type Session,
} from 'sip.js/lib/core/index.js';
import type { CallEnd, CallRecord, World } from '../world/world.ts';
import { AudioPeer, type AudioEvents } from './audio-peer.ts';
import { measureQuality } from './call-quality.ts';
import { Network } from './network.ts';
import { readDirection } from './sdp.ts';
import { isLoud } from './tones.ts';

const NOT_ACCEPTABLE_HERE = 488;

/** How a fault has a request within a call answered. */
export interface FaultyReply {
  readonly status?: number;
  readonly delayMs?: number;
}

export interface CallContext {
  readonly world: World;
  /** How long a paid minute lasts, in milliseconds. */
  readonly minuteMs: number;
  findReply(request: IncomingRequestMessage): FaultyReply;
  ended(call: Call): void;
}

/** What is known of a call when it begins. */
type CallStart = Pick<CallRecord, 'memberNo' | 'direction' | 'number' | 'hotline' | 'externalCallId'>;

export abstract class Call {
  readonly record: CallRecord;
  protected readonly context: CallContext;
  #session: Session | undefined;
  #hangUpOnAck = false;

  constructor(start: CallStart, context: CallContext) {
    this.record = {
      ...start,
      id: randomUUID(),
      state: 'trying',
      finalStatus: undefined,
      endedBy: undefined,
      endedWith: undefined,
      startedAt: Date.now(),
      answeredAt: undefined,
      endedAt: undefined,
      dtmf: '',
      audioPackets: 0,
      audioBytes: 0,
      loudPackets: 0,
      quality: undefined,
      isHeld: false,
      cost: 0,
    };
    this.context = context;
    context.world.calls.push(this.record);
  }

  get isOver(): boolean {
    return this.record.state === 'ended';
  }

  /** The other party hangs up, or gives up, or declines. */
  hangUp(): void {
    if (this.isOver) return;
    if (this.#session === undefined) this.giveUp();
    else this.#bye(this.#session, this.#farEnd, 'BYE');
  }

  /** A socket was closed. A call in progress lives on without it; its end may come over the next one. */
  abstract socketClosed(socketId: string): void;

  /** Ends the call from the other party's side, before it was answered. */
  protected abstract giveUp(): void;

  /** Frees what the call holds, however it ended. */
  protected abstract release(): void;

  /** A peer that counts into the record, and ends the call when the agent's page is gone without a BYE. */
  protected createPeer(): AudioPeer {
    const network = new Network(() => this.context.world.settings);
    const events: AudioEvents = {
      frame: (payload) => {
        this.record.quality = measureQuality(network);
        this.record.audioPackets += 1;
        this.record.audioBytes += payload.length;
        if (isLoud(payload)) this.record.loudPackets += 1;
      },
      gone: () => {
        // A dialer that is still there, though without audio, gets a BYE.
        if (this.#session !== undefined) this.#bye(this.#session, this.#agentEnd, 'no-audio');
      },
    };
    return new AudioPeer(events, network);
  }

  protected converse(session: Session, peer: AudioPeer): void {
    this.#session = session;
    this.record.state = 'answered';
    this.record.answeredAt = Date.now();
    this.record.finalStatus = 200;
    session.delegate = {
      onAck: () => {
        if (this.#hangUpOnAck) session.bye();
      },
      onBye: (request) => {
        request.accept();
        this.end(200, this.#agentEnd, 'BYE');
      },
      onInfo: (request) => this.#receiveTone(request),
      onInvite: (request) => this.#renegotiate(request, peer),
    };
    peer.startEcho();
  }

  protected end(status: number, by: 'caller' | 'callee', how: CallEnd): void {
    if (this.isOver) return;
    this.record.state = 'ended';
    this.record.finalStatus = status;
    this.record.endedBy = by;
    this.record.endedWith = how;
    this.record.endedAt = Date.now();
    this.release();
    this.context.ended(this);
  }

  get #agentEnd(): 'caller' | 'callee' {
    return this.record.direction === 'outgoing' ? 'caller' : 'callee';
  }

  get #farEnd(): 'caller' | 'callee' {
    return this.record.direction === 'outgoing' ? 'callee' : 'caller';
  }

  /** A BYE may not overtake the ACK of the answer. */
  #bye(session: Session, by: 'caller' | 'callee', how: CallEnd): void {
    if (session.sessionState === SessionState.AckWait) this.#hangUpOnAck = true;
    else session.bye();
    this.end(200, by, how);
  }

  #receiveTone(request: IncomingInfoRequest): void {
    const tone = /^Signal\s*=\s*([0-9A-D*#])/im.exec(request.message.body)?.[1];
    if (tone === undefined) {
      request.reject({ statusCode: 415 });
      return;
    }
    this.record.dtmf += tone;
    request.accept();
  }

  /** Hold, resume and the like: an INVITE within the call. */
  #renegotiate(request: IncomingInviteRequest, peer: AudioPeer): void {
    const { status, delayMs } = this.context.findReply(request.message);
    if (delayMs !== undefined)
      return void setTimeout(() => this.isOver || this.#answerOffer(request, peer), delayMs);
    if (status === undefined) this.#answerOffer(request, peer);
    else request.reject({ statusCode: status });
  }

  #answerOffer(request: IncomingInviteRequest, peer: AudioPeer): void {
    const offer = request.message.body;
    const answer = offer && peer.answerAgain(offer);
    if (!answer) return void request.reject({ statusCode: NOT_ACCEPTABLE_HERE });
    this.record.isHeld = readDirection(offer) !== 'sendrecv';
    request.accept({ statusCode: 200, body: sdpBody(answer) });
  }
}

export function sdpBody(content: string): {
  contentDisposition: string;
  contentType: string;
  content: string;
} {
  return { contentDisposition: 'session', contentType: 'application/sdp', content };
}
