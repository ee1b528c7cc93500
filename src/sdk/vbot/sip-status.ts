/**
 * Hears why the exchange refused a call. The SDK tells a text only, and its session, which knows the status, does not
 * exist for a call that is refused at once; the SIP socket itself is the one place where the status always passes.
 *
 * The page's `WebSocket` is replaced for the moment in which the SDK opens its socket, and never longer.
 */

/** If the SDK announces a socket and opens none, the page has its own constructor back after this. */
const TIMEOUT_MS = 1000;

/**
 * Waits for the next SIP socket and reports every final refusal of an INVITE on it. A challenge (401, 407) is one, too:
 * if the SDK can meet it, another answer follows.
 */
export function watchNextSocket(onRefusal: (status: number) => void): void {
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
      socket.addEventListener('message', ({ data }) => {
        const status = typeof data === 'string' ? refusalOf(data) : undefined;
        if (status !== undefined) onRefusal(status);
      });
      return socket;
    },
  });
  const release = () => {
    clearTimeout(timer);
    // Somebody else's later replacement is not ours to undo.
    if (globalThis.WebSocket === tapped) globalThis.WebSocket = original;
  };
  const timer = setTimeout(release, TIMEOUT_MS);
  globalThis.WebSocket = tapped;
}

function isSip(protocols: string | string[] | undefined): boolean {
  return [protocols].flat().includes('sip');
}

/** The status of a final refusal of an INVITE; everything else on the socket is none of our business. */
export function refusalOf(message: string): number | undefined {
  const status = Number(/^SIP\/2\.0 ([3-6]\d\d)/.exec(message)?.[1] ?? 0);
  if (status === 0) return undefined;
  const [head = ''] = message.split('\r\n\r\n', 1);
  return /^cseq\s*:\s*\d+\s+invite\s*$/im.test(head) ? status : undefined;
}
