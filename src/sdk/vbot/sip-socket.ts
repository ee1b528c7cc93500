/** The SDK's socket to the exchange. Its messages tell more than the SDK does. */
import { DialerError } from '../../errors.ts';
import { replaceUntil } from '../../page/replacement.ts';
import { later, pause } from '../../wait.ts';
import { OpenCalls, type SipEvent } from './sip.ts';

/** `WebSocket.OPEN`, which a page's own wrapper may lack. */
const OPEN = 1;

/** If the SDK announces a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

/** If nothing at all has come for so long after a BYE or a CANCEL, the socket is dead. The browser notices that minutes later. */
const SILENCE_MS = 5000;

/** From one key of the queue to the next. */
const KEY_TIMEOUT_MS = 2000;

/** For the next socket. */
let waiting = new AbortController();

/** The SDK is still at work when this is called. What it sends is on its way only after that. */
type SipListener = (event: SipEvent) => void;

export class SipSocket {
  readonly openCalls = new OpenCalls();
  #socket: WebSocket | undefined;
  /** Absent until this socket has been seen to send: a page's own wrapper of `WebSocket` may hide it. */
  keys: SentKeys | undefined;

  /** To be called in the very task in which the SDK opens its socket; replaces an earlier wait. */
  watchNext(listener: SipListener): void {
    waiting.abort();
    const over = (waiting = new AbortController());
    const tapped = new Proxy(globalThis.WebSocket, {
      construct: (target, parameters: ConstructorParameters<typeof WebSocket>, newTarget) => {
        const constructor = newTarget === tapped ? target : newTarget;
        const socket: WebSocket = Reflect.construct(target, parameters, constructor);
        if (![parameters[1]].flat().includes('sip')) return socket;
        over.abort();
        this.#watch(socket, listener);
        return socket;
      },
    });
    replaceUntil(over.signal, globalThis, 'WebSocket', tapped);
    later(TIMEOUT_MS, over.signal, () => over.abort());
  }

  /** A socket that was not seen counts as open. */
  get isOpen(): boolean {
    return this.#socket === undefined || this.#socket.readyState === OPEN;
  }

  /** Can a BYE be sent? JsSIP keeps one until its answer is acknowledged, and loses it with the socket. */
  get canEndCall(): boolean {
    return this.isOpen && !this.openCalls.isAwaitingAck;
  }

  /** Registered without the socket that we know: the SDK has opened another one, which was not seen. */
  registered(): void {
    if (!this.isOpen) this.#socket = this.keys = undefined;
    // JsSIP repeats nothing that an earlier socket has lost.
    for (const ending of this.openCalls.endings) this.#socket?.send(ending);
  }

  /** No reply comes any more. */
  close(): void {
    this.#socket?.close();
    this.openCalls.forget();
  }

  #watch(socket: WebSocket, listener: SipListener): void {
    this.#socket = socket;
    // Those that an earlier socket has lost delay none of this one.
    this.keys = undefined;
    socket.addEventListener('close', () => {
      silence.abort();
      // The SDK may have a new socket already.
      if (this.isOpen) return;
      this.openCalls.noteLost();
      listener({ type: 'lost' });
    });
    const send = socket.send.bind(socket);
    // The SDK opens another one, over which the exchange is told.
    const drop = () => {
      socket.close();
      socket.dispatchEvent(new CloseEvent('close'));
    };
    let silence = new AbortController();
    const read = (message: unknown, isSent: boolean) => {
      const isEnding = isSent && /^(?:BYE|CANCEL)\b/.test(String(message));
      if (!isSent || isEnding) silence.abort();
      if (isEnding) later(SILENCE_MS, (silence = new AbortController()).signal, drop);
      if (typeof message !== 'string') return;
      if (isSent) (this.keys ??= new SentKeys()).noteSent(message);
      const event = this.openCalls.note(message, isSent);
      if (event?.type === 'owed') for (const request of event.requests) send(request);
      else if (event) listener(event);
    };
    socket.addEventListener('message', ({ data }) => read(data, false));
    socket.send = (data) => {
      read(data, true);
      send(typeof data === 'string' ? this.openCalls.correctAck(data) : data);
    };
  }
}

/** The SDK queues keys and sends each in a SIP INFO of its own, about 600 ms apart: a key counts as sent when it passes here. */
class SentKeys {
  #sent = 0;
  /** How many are sent when the SDK's queue is empty. */
  #queued = 0;
  /** Aborts when the next key is sent. */
  #next = new AbortController();

  noteSent(message: string): void {
    if (!/^INFO\b[^]*\nSignal\s*=/i.test(message)) return;
    this.#sent += 1;
    this.#next.abort();
    this.#next = new AbortController();
  }

  /**
   * @param give hands the keys to the SDK
   * @throws {DialerError} `call-rejected` when the call ends before all of them were sent, or they are not sent in time
   */
  async send(count: number, give: () => void, over: AbortSignal): Promise<void> {
    const last = Math.max(this.#sent, this.#queued) + count;
    give();
    this.#queued = last;
    while (this.#sent < last) {
      const sent = this.#sent;
      await pause(KEY_TIMEOUT_MS, AbortSignal.any([this.#next.signal, over]));
      if (this.#sent > sent) continue;
      // Later ones do not wait for what was lost.
      if (this.#queued === last) this.#queued = sent;
      throw new DialerError('call-rejected', 'Not all keys were sent.');
    }
  }
}
