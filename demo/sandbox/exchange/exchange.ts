/** The vendor's telephone exchange: SIP over WebSocket with real audio, and the rules of who may call whom. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  IncomingRequestMessage,
  LoggerFactory,
  Parser,
  type IncomingInviteRequest,
  type UserAgentCore,
} from 'sip.js/lib/core/index.js';
import type { CallRecord, Fault, RegistrationRecord, World } from '../world/world.ts';
import type { Call, CallContext, FaultyReply } from './call.ts';
import { IncomingCall, type Caller } from './incoming.ts';
import { OutgoingCall, readDialled, refusalFor } from './outgoing.ts';
import { Registrar } from './registrar.ts';
import { createCore } from './sip-core.ts';
import { SipSockets } from './sockets.ts';

interface ExchangeOptions {
  /** How long a paid minute lasts, in milliseconds; 60 000 unless a test is in a hurry. */
  readonly minuteMs?: number;
}

export class Exchange {
  readonly #world: World;
  readonly #registrar: Registrar;
  readonly #sockets: SipSockets;
  readonly #core: UserAgentCore;
  readonly #logger: LoggerFactory;
  readonly #calls = new Map<string, Call>();
  readonly #context: CallContext;
  /** How a fault has a request answered. */
  readonly #replies = new WeakMap<IncomingRequestMessage, FaultyReply>();

  constructor(world: World, { minuteMs = 60_000 }: ExchangeOptions = {}) {
    this.#world = world;
    this.#registrar = new Registrar(world);
    this.#logger = new LoggerFactory();
    this.#logger.builtinEnabled = false;
    this.#sockets = new SipSockets(world, {
      message: (text, socketId) => {
        try {
          this.#receive(text, socketId);
        } catch {
          // The core throws at a message that it cannot parse, which must not end the server.
        }
      },
      closed: (socketId) => {
        this.#registrar.socketClosed(socketId);
        for (const call of this.#calls.values()) call.socketClosed(socketId);
      },
    });
    this.#core = createCore(this.#sockets, this.#logger);
    const ended = (call: Call) => {
      this.#calls.delete(call.record.id);
      world.emitCall(call.record);
    };
    const findReply = (request: IncomingRequestMessage) => this.#replies.get(request) ?? {};
    this.#context = { world, minuteMs, findReply, ended };
  }

  /** Takes an upgrade request for `/ws`; any other one is left untouched: false. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    return this.#sockets.handleUpgrade(request, socket, head);
  }

  /** Serves `/ws` on this HTTP(S) server, beside whatever else it upgrades; returns how to stop that. */
  attach(server: Server): () => void {
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.handleUpgrade(request, socket, head);
    };
    server.on('upgrade', onUpgrade);
    return () => server.off('upgrade', onUpgrade);
  }

  /**
   * Calls a member: all of their dialers ring, for 60 s at most. Throws when none is registered, or when the caller's
   * number or external call id is not well formed.
   */
  ringMember(memberNo: string, caller: Caller): CallRecord {
    if (!/^\+?\d{3,15}$/.test(caller.from)) throw new TypeError(`Not a telephone number: ${caller.from}`);
    if (caller.externalCallId !== undefined && !/^[a-z0-9]{1,32}$/.test(caller.externalCallId)) {
      throw new TypeError(`Not an external call id: ${caller.externalCallId}`);
    }
    const registrations = this.#registrar.forMember(memberNo);
    if (registrations.length === 0) throw new Error(`No dialer of ${memberNo} is registered`);
    const call = new IncomingCall(this.#core, memberNo, caller, this.#context);
    this.#calls.set(call.record.id, call);
    call.ring(registrations);
    return call.record;
  }

  /** The other party hangs up, or stops ringing; false: the call is over already. */
  hangUp(callId: string): boolean {
    const call = this.#calls.get(callId);
    call?.hangUp();
    return call !== undefined;
  }

  /** Another device of the member answers a call that rings here; false: it does not ring. */
  answerElsewhere(callId: string): boolean {
    const call = this.#calls.get(callId);
    return call instanceof IncomingCall && call.answerElsewhere();
  }

  /** Cuts the sockets of one member, or all of them, as a failing network does. */
  dropSockets(memberNo?: string): void {
    if (memberNo === undefined) this.#sockets.dropAll();
    else for (const { socketId } of this.#registrar.forMember(memberNo)) this.#sockets.drop(socketId);
  }

  /** The dialers that can be called now. */
  registrations(): RegistrationRecord[] {
    return this.#registrar.current().map(({ record }) => record);
  }

  close(): void {
    for (const call of this.#calls.values()) call.hangUp();
    this.#core.dispose();
    this.#sockets.close();
  }

  #receive(text: string, socketId: string): void {
    const message = Parser.parseMessage(text, this.#logger.getLogger('sip.parser'));
    if (message === undefined) return;
    if (!(message instanceof IncomingRequestMessage)) {
      this.#core.receiveIncomingResponseFromTransport(message);
      return;
    }
    const fault = this.#faultFor(message);
    const deliver = () => this.#deliver(message, socketId, fault);
    if (fault === undefined || fault.kind === 'status' || fault.kind === 'error') deliver();
    // A request within a call is received in order, and its reply is late.
    else if (fault.kind === 'slow' && message.toTag) {
      this.#replies.set(message, { delayMs: fault.value ?? 3000 });
      deliver();
    } else if (fault.kind === 'slow') setTimeout(deliver, fault.value ?? 3000);
    else if (fault.kind === 'drop') this.#sockets.drop(socketId);
    else if (fault.kind === 'drop-after') {
      deliver();
      this.#sockets.drop(socketId);
    }
  }

  /** Faults are set for registrations (not for their removal), for new calls and for changes within a call. */
  #faultFor(message: IncomingRequestMessage): Fault | undefined {
    const { faults } = this.#world;
    if (message.method === 'INVITE') return faults.take(message.toTag ? 'reinvite' : 'invite');
    if (message.method !== 'REGISTER' || /expires[=:]\s*0\b/i.test(message.data)) return undefined;
    const refresh = this.#registrar.isRefresh(message) ? faults.take('refresh') : undefined;
    return refresh ?? faults.take('register');
  }

  /** The core calls its delegate before it returns, so one delegate per message can know its socket. */
  #deliver(message: IncomingRequestMessage, socketId: string, fault: Fault | undefined): void {
    const refused = fault?.kind === 'status' || fault?.kind === 'error';
    const status = refused ? (fault.value ?? (message.toTag ? 488 : 503)) : undefined;
    if (status !== undefined) this.#replies.set(message, { status });
    this.#core.delegate = {
      onRegister: (request) => {
        // A slow registration may outlive its socket: a call would reach nobody there.
        if (status === undefined && this.#sockets.isOpen(socketId))
          this.#registrar.register(request, socketId);
        else request.reject({ statusCode: status ?? 503 });
      },
      onInvite: (request) => this.#connect(request, socketId, status),
    };
    // A user agent refuses requests addressed to others, which are the ones that an exchange has to take.
    if (message.ruri !== undefined) this.#core.configuration.aor = message.ruri;
    this.#core.receiveIncomingRequestFromTransport(message);
  }

  #connect(request: IncomingInviteRequest, socketId: string, faultStatus: number | undefined): void {
    const { from, ruri } = request.message;
    const member = this.#registrar.memberOn(socketId, from.uri.user);
    const dialled = readDialled(ruri?.user);
    if (member === undefined || dialled === undefined) {
      request.reject({ statusCode: member === undefined ? 403 : 404 });
      return;
    }
    const call = new OutgoingCall(request, socketId, member, dialled, this.#context);
    this.#calls.set(call.record.id, call);
    call.start(faultStatus ?? refusalFor(this.#world, member, dialled.hotline));
  }
}

/** The exchange on this world. Nothing listens until an HTTP server hands it upgrades. */
export function createExchange(world: World, options?: ExchangeOptions): Exchange {
  return new Exchange(world, options);
}
