/**
 * Finds the socket that the SDK opens to the exchange. The page's `WebSocket` is replaced only while the SDK opens its
 * socket.
 */

/** If the SDK announces a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

export interface SocketWatcher {
  readonly onSocket: (socket: WebSocket) => void;
  readonly onClosed: () => void;
  /** A message from the exchange. */
  readonly onReceived: (message: string) => void;
  /** A message to the exchange. */
  readonly onSent: (message: string) => void;
}

/** Ends the wait for a socket. */
let stopWaiting: () => void = () => undefined;

/** Waits for the next SIP socket and reports the messages on it; replaces an earlier wait. */
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
    // Never undo a replacement that somebody else has made later.
    if (globalThis.WebSocket === tapped) globalThis.WebSocket = original;
  };
  const timer = setTimeout(release, TIMEOUT_MS);
  stopWaiting = release;
  globalThis.WebSocket = tapped;
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
