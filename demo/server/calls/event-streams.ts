/** Call events as streams that pages read with `EventSource`: a few for each member, and none longer than the sign-in. */
import type { SignIn } from '../http/context.ts';
import type { Listener } from './live-pages.ts';

const BEAT_MS = 20_000;
/** A page that has stopped reading is let go, rather than remembered for. */
const MOST_UNREAD = 100;
/** Of one member; with one more the oldest ends, and its page comes back only if it is still there. */
const MOST_STREAMS = 5;

interface Stream extends SignIn {
  end(): void;
}

export class EventStreams {
  /** In the order in which they began. */
  readonly #streams = new Set<Stream>();

  /**
   * @param since the number of an event that counts as received, for a page that leaves before it receives one
   * @param listen told what to call with each event; returns how to stop
   */
  open(signIn: SignIn, since: number | undefined, listen: (listener: Listener) => () => void): Response {
    const encoder = new TextEncoder();
    const ended = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const stream = { ...signIn, end: () => finish() };
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
          this.#streams.delete(stream);
          stop();
          clearInterval(beat);
        });
        this.#streams.add(stream);
        send(since === undefined ? ':\n\n' : `id: ${since}\n\n`);
        const own = [...this.#streams].filter(({ memberNo }) => memberNo === signIn.memberNo);
        for (const oldest of own.slice(0, -MOST_STREAMS)) oldest.end();
      },
      cancel: () => ended.abort(),
    });
    return new Response(body, {
      headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    });
  }

  /** Those of one session, or all. */
  end(sessionId?: string): void {
    for (const stream of this.#streams)
      if (sessionId === undefined || stream.sessionId === sessionId) stream.end();
  }
}
