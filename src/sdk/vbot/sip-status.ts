/**
 * Reads why the exchange refused a call. The SDK tells a text only, and its session, which knows the status, does not
 * exist for a call that is refused at once; the SIP socket itself is the one place where the status always passes.
 *
 * The page's `WebSocket` is replaced for the moment in which the SDK opens its socket, and never longer.
 */

import { BusyCallers, type Caller } from './busy-callers.ts';
import { headOf } from './sip-headers.ts';

/** If the SDK reports a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

export interface SipWatcher {
  readonly onSocket: (socket: WebSocket) => void;
  /** A final refusal of an INVITE. */
  readonly onRefusal: (status: number) => void;
  /** An incoming call is cancelled because another device of the member's has answered it. */
  readonly onAnsweredElsewhere: () => void;
  /** Somebody called during a call, and was told that the member is busy. */
  readonly onBusyCaller: (caller: Caller) => void;
}

/** Ends the wait for a socket. */
let stopWaiting: () => void = () => undefined;

/** Waits for the next SIP socket and reports what passes on it; in place of whoever waited before. */
export function watchNextSocket(watcher: SipWatcher): void {
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
    // Somebody else's later replacement is not ours to undo.
    if (globalThis.WebSocket === tapped) globalThis.WebSocket = original;
  };
  const timer = setTimeout(release, TIMEOUT_MS);
  stopWaiting = release;
  globalThis.WebSocket = tapped;
}

function watch(
  socket: WebSocket,
  { onSocket, onRefusal, onAnsweredElsewhere, onBusyCaller }: SipWatcher,
): void {
  onSocket(socket);
  const callers = new BusyCallers();
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    callers.received(data);
    const status = refusalOf(data);
    if (status !== undefined) onRefusal(status);
    if (isAnsweredElsewhere(data)) onAnsweredElsewhere();
  });
  const send = socket.send.bind(socket);
  socket.send = (data) => {
    send(data);
    const caller = typeof data === 'string' ? callers.sent(data) : undefined;
    if (caller) onBusyCaller(caller);
  };
}

function isSip(protocols: string | string[] | undefined): boolean {
  return [protocols].flat().includes('sip');
}

/**
 * The status of a final refusal of an INVITE. A challenge is none: the SDK meets it, and another answer follows. The
 * vendor's own 407 ("member of another project") challenges nobody.
 */
export function refusalOf(message: string): number | undefined {
  const status = Number(/^SIP\/2\.0 ([3-6]\d\d)/.exec(message)?.[1] ?? 0);
  if (status === 0) return undefined;
  const head = headOf(message);
  if (/^(www|proxy)-authenticate\s*:/im.test(head)) return undefined;
  return /^cseq\s*:\s*\d+\s+invite\s*$/im.test(head) ? status : undefined;
}

/** RFC 3326: the reason of the CANCEL is the final answer that another branch of the call got. */
export function isAnsweredElsewhere(message: string): boolean {
  if (!message.startsWith('CANCEL ')) return false;
  return /^reason\s*:.*\bsip\s*;.*\bcause\s*=\s*200\b/im.test(headOf(message));
}
