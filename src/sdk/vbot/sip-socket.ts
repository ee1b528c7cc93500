/** The SDK's socket to the exchange. Its messages tell more than the SDK does. */
import { aborted, within } from '../../wait.ts';
import { SentKeys } from './keys.ts';
import { isOfCall, OpenCalls, type SipEvent } from './sip.ts';

/** `WebSocket.OPEN`, which a page's own wrapper may lack. */
const OPEN = 1;

/** If the SDK announces a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

/** Without a reply for so long, a SIP request has failed (RFC 3261, timer F). */
const REPLY_TIMEOUT_MS = 32_000;

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
  /** The SDK is still at work when this comes. */
  onSip(event: SipEvent): void;
}

export class SipSocket {
  readonly keys = new SentKeys();
  readonly #openCalls = new OpenCalls();
  #socket: WebSocket | undefined;

  /** To be called in the very task in which the SDK opens its socket. */
  watchNext(listener: SipListener): void {
    watchNextSocket({
      onSocket: (socket) => (this.#socket = socket),
      // The SDK may have a new socket already.
      onClosed: () => this.isOpen || this.#onLost(listener),
      onReceived: (message) => this.#onMessage(message, false, listener),
      onSent: (message) => this.#onMessage(message, true, listener),
    });
  }

  /** A socket that was not seen counts as open. */
  get isOpen(): boolean {
    return this.#socket === undefined || this.#socket.readyState === OPEN;
  }

  /** Registered without the socket that we know: the SDK has opened another one, which was not seen. */
  registered(): void {
    if (!this.isOpen) this.#socket = undefined;
    // The earlier socket may have taken a BYE when its network was gone already; JsSIP does not repeat it.
    for (const bye of this.#openCalls.byes) this.#socket?.send(bye);
  }

  /** Present while the exchange has a call open with this SDK: resolves when it has none, or does not reply. */
  get replying(): Promise<void> | undefined {
    const { signal } = this.#openCalls;
    return signal && within(aborted(signal), REPLY_TIMEOUT_MS).then(() => this.#openCalls.forget());
  }

  /** No reply comes any more. */
  close(): void {
    this.#socket?.close();
    this.#openCalls.forget();
  }

  #onLost(listener: SipListener): void {
    this.#openCalls.noteLost();
    listener.socketLost();
  }

  #onMessage(message: string, isSent: boolean, listener: SipListener): void {
    if (!isOfCall(message)) return;
    if (isSent) this.keys.noteSent(message);
    const event = this.#openCalls.note(message, isSent);
    if (event) listener.onSip(event);
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
