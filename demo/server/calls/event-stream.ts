/** Call events as a stream that a page reads with `EventSource`. */
import type { Listener } from './live-pages.ts';

const BEAT_MS = 20_000;
/** A page that has stopped reading is let go, rather than remembered for. */
const MOST_UNREAD = 100;

/**
 * Ends when the page goes, or when `closing` says so.
 *
 * @param since the number of an event that counts as heard, for a page that leaves before it hears one
 */
export function streamEvents(
  since: number | undefined,
  listen: (listener: Listener) => () => void,
  closing: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const finish = () => {
        if (ended.signal.aborted) return;
        ended.abort();
        controller.close();
      };
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) < -MOST_UNREAD) finish();
        else controller.enqueue(encoder.encode(text));
      };
      const stop = listen((event, number) =>
        send(`id: ${number}\nevent: call\ndata: ${JSON.stringify(event)}\n\n`),
      );
      // Proxies cut what is silent, and a comment is no event.
      const beat = setInterval(() => send(':\n\n'), BEAT_MS);
      ended.signal.addEventListener('abort', () => {
        stop();
        clearInterval(beat);
      });
      closing.addEventListener('abort', finish, { signal: ended.signal });
      send(since === undefined ? ':\n\n' : `id: ${since}\n\n`);
      if (closing.aborted) finish();
    },
    cancel: () => ended.abort(),
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } });
}
