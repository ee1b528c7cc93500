/** The socket that the SDK opens to the exchange. The test plays its state, what arrives on it, and who hears what is sent. */
export class PlayedSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  readonly protocol = 'sip';
  readonly sent: string[] = [];
  readyState: number = PlayedSocket.OPEN;
  heard: (message: string) => void = () => undefined;
  /** Nothing gets through any more, and the browser does not know. */
  isDead = false;

  constructor(_url: string, _protocols?: string | string[]) {
    super();
  }

  receive(data: string): void {
    if (this.isDead) return;
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  send(message: string): void {
    if (this.readyState !== PlayedSocket.OPEN || this.isDead) return;
    this.sent.push(message);
    this.heard(message);
  }

  close(): void {
    this.readyState = PlayedSocket.CLOSED;
    if (!this.isDead) this.dispatchEvent(new Event('close'));
  }
}

/** @param announce what comes right before the SDK opens it */
export function openSocket(announce: () => void): PlayedSocket {
  const original = globalThis.WebSocket;
  Object.assign(globalThis, { WebSocket: PlayedSocket });
  announce();
  const socket: unknown = new WebSocket('wss://exchange.example', 'sip');
  globalThis.WebSocket = original;
  return socket as PlayedSocket;
}
