/** A member's page that listens for call events, as `EventSource` does. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

export interface ListeningPage {
  /** The next event, once it comes. */
  next(): Promise<Record<string, unknown>>;
  /** What the page says when it asks again: the last `id` it was given. */
  lastId(): string;
  /** Milliseconds before it asks again, if it was told. */
  retryMs(): number | undefined;
  leave(): void;
}

export async function listen(
  t: Pick<TestContext, 'after'>,
  companion: string,
  headers: Readonly<Record<string, string>>,
): Promise<ListeningPage> {
  const closing = new AbortController();
  const answer = await fetch(`${companion}/dialer/events`, { headers, signal: closing.signal });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  t.after(() => closing.abort());
  let text = '';
  let id = '';
  let retryMs: number | undefined;
  const block = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      assert.equal(done, false, 'the stream ended');
      text += value;
    }
  };
  // A stream begins with where it begins.
  id = /^id: (.*)$/m.exec(await block())?.[1] ?? '';
  return {
    next: async () => {
      for (;;) {
        const found = await block();
        id = /^id: (.*)$/m.exec(found)?.[1] ?? id;
        const retry = /^retry: (\d+)$/m.exec(found)?.[1];
        if (retry !== undefined) retryMs = Number(retry);
        const data = /^event: call\ndata: (.*)$/m.exec(found)?.[1];
        if (data !== undefined) return JSON.parse(data) as Record<string, unknown>;
      }
    },
    lastId: () => id,
    retryMs: () => retryMs,
    leave: () => closing.abort(),
  };
}
