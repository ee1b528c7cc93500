/** The SDK's socket to the exchange. Its messages tell more than the SDK does. */
import { SentKeys } from './keys.ts';
import {
  BusyCallers,
  callIdOf,
  isAnsweredElsewhere,
  isFirstInvite,
  isOfCall,
  OpenCalls,
  readRefusal,
  type Caller,
} from './sip.ts';

/** `WebSocket.OPEN`, which a page's own wrapper may lack. */
const OPEN = 1;

/** If the SDK announces a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

/** Statuses with which the SDK rejects a caller because somebody pressed so. */
const DECLINED: ReadonlySet<number | undefined> = new Set([480, 603]);

interface SocketWatcher {
  readonly onSocket: (socket: WebSocket) => void;
  readonly onClosed: () => void;
  /** A message from the exchange. */
  readonly onReceived: (message: string) => void;
  /** A message to the exchange. */
  readonly onSent: (message: string) => void;
}

export interface SipListener {
  socketLost(): void;
  /** The SDK places a call. @param id the Call-ID, as below */
  invited(id: string): void;
  /** The exchange refuses an outgoing call with this SIP status. */
  refused(id: string, status: number): void;
  /** The SDK cancels an outgoing call. */
  cancelled(id: string): void;
  /** The SDK rejects an incoming call. */
  declined(): void;
  /** Another device of the member has answered the incoming call. */
  answeredElsewhere(): void;
  /** The SDK has turned this caller away. */
  missed(caller: Caller): void;
}

export class SipSocket {
  readonly keys = new SentKeys();
  readonly #busyCallers = new BusyCallers();
  readonly #openCalls = new OpenCalls();
  #socket: WebSocket | undefined;

  /** To be called in the very task in which the SDK opens its socket. */
  watchNext(listener: SipListener): void {
    watchNextSocket({
      onSocket: (socket) => (this.#socket = socket),
      // The SDK may have a new socket already.
      onClosed: () => this.isOpen || this.#onLost(listener),
      onReceived: (message) => isOfCall(message) && this.#onReceived(message, listener),
      onSent: (message) => isOfCall(message) && this.#onSent(message, listener),
    });
  }

  /** A socket that was not seen counts as open. */
  get isOpen(): boolean {
    return this.#socket === undefined || this.#socket.readyState === OPEN;
  }

  /** Registered without the socket that we know: the SDK has opened another one, which was not seen. */
  registered(): void {
    if (!this.isOpen) this.#socket = undefined;
  }

  /** Present while the exchange has a call open with this SDK; aborts when it has none. */
  get openCalls(): AbortSignal | undefined {
    return this.#openCalls.signal;
  }

  /** The exchange cannot be told any more of those that it has open. */
  forgetCalls(): void {
    this.#openCalls.forget();
  }

  close(): void {
    this.#socket?.close();
  }

  #onLost(listener: SipListener): void {
    this.#openCalls.noteLost();
    listener.socketLost();
  }

  #onReceived(message: string, listener: SipListener): void {
    this.#busyCallers.noteReceived(message);
    this.#openCalls.noteReceived(message);
    const status = readRefusal(message);
    if (status !== undefined) listener.refused(callIdOf(message), status);
    if (isAnsweredElsewhere(message)) listener.answeredElsewhere();
  }

  #onSent(message: string, listener: SipListener): void {
    this.keys.noteSent(message);
    this.#openCalls.noteSent(message);
    const caller = this.#busyCallers.noteSent(message);
    if (caller) listener.missed(caller);
    if (isFirstInvite(message)) listener.invited(callIdOf(message));
    if (message.startsWith('CANCEL ')) listener.cancelled(callIdOf(message));
    if (DECLINED.has(readRefusal(message))) listener.declined();
  }
}

/** Ends the wait for a socket. */
let stopWaiting: () => void = () => undefined;

/**
 * Waits for the next SIP socket and reports the messages on it; replaces an earlier wait. Until the SDK has opened the
 * socket, the page's `WebSocket` is replaced.
 */
export function watchNextSocket(watcher: SocketWatcher): void {
  stopWaiting();
  const original = globalThis.WebSocket;
  const tapped = new Proxy(original, {
    construct(target, parameters: ConstructorParameters<typeof WebSocket>, newTarget) {
      const socket: WebSocket = Reflect.construct(
        target,
        parameters,
        newTarget === tapped ? target : newTarget,
      );
      if (!isSip(parameters[1])) return socket;
      release();
      watch(socket, watcher);
      return socket;
    },
  });
  const release = () => {
    clearTimeout(timer);
    // Keep a replacement that somebody else has made later.
    if (globalThis.WebSocket === tapped) globalThis.WebSocket = original;
  };
  const timer = setTimeout(release, TIMEOUT_MS);
  stopWaiting = release;
  // A page may have frozen it.
  Reflect.set(globalThis, 'WebSocket', tapped);
}

function watch(socket: WebSocket, { onSocket, onClosed, onReceived, onSent }: SocketWatcher): void {
  onSocket(socket);
  socket.addEventListener('close', onClosed);
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') onReceived(data);
  });
  const send = socket.send.bind(socket);
  socket.send = (data) => {
    send(data);
    if (typeof data === 'string') onSent(data);
  };
}

function isSip(protocols: string | string[] | undefined): boolean {
  return [protocols].flat().includes('sip');
}
