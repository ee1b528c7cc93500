/** Everything that was seen of one page, in the order it happened: SDK events, SIP messages, HTTP requests, notes. */
import assert from 'node:assert/strict';
import type { Page, Request as PageRequest } from '@playwright/test';
import { observerScript, type Microphone, type PageEvent } from './observer.ts';

export interface Entry {
  /**
   * `sdk`: an event of the element, but for `second`, the clock of a call; `sent` and `received`: SIP; `note`: what the
   * page itself did or noticed.
   */
  readonly kind: 'sdk' | 'second' | 'sent' | 'received' | 'http' | 'note';
  /** One line to compare: `onCallStateChange dialing`, `INVITE`, `200 REGISTER`, `POST /api/sdk/info`. */
  readonly text: string;
  /** The event's detail as data, or the SIP message as it stands. */
  readonly detail: unknown;
  /** In milliseconds: of an SDK event by the clock of the page, which knows best; of the others since the beginning. */
  readonly at: number;
}

/** A text to be equal to, or a pattern to match. */
type Wanted = string | RegExp;

const TIMEOUT_MS = 10_000;

/** Events about calls and what is said about them; the rest is the connection's own chatter. */
const ABOUT_CALLS = /^on(?:Call|Error|Warning|Info)/;

export class Journal {
  readonly entries: Entry[] = [];
  readonly #began = performance.now();
  readonly #readers = new Set<() => void>();

  add(kind: Entry['kind'], text: string, detail?: unknown, at = performance.now() - this.#began): void {
    this.entries.push({ kind, text, detail, at });
    for (const read of this.#readers) read();
  }

  /** Notes what happens in this page from now on. */
  async watch(page: Page, microphone: Microphone): Promise<void> {
    await page.exposeBinding('note', (_source, event: PageEvent) => this.#addEvent(event));
    await page.addInitScript(observerScript(microphone));
    page.on('request', (request) => this.add('http', describeRequest(request)));
    page.on('pageerror', (error) => this.add('note', `page error ${error.message}`));
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => this.#addSip('sent', String(payload)));
      socket.on('framereceived', ({ payload }) => this.#addSip('received', String(payload)));
    });
  }

  #addEvent({ name, at, detail }: PageEvent): void {
    const kind = name === 'onCallDuration' ? 'second' : 'sdk';
    const text = [name, summarise(detail)].join(' ').trim();
    this.add(name.startsWith('on') ? kind : 'note', text, detail, at);
  }

  /** `INVITE sip:…` or `200 INVITE`; a keep-alive is nothing to note. */
  #addSip(kind: 'sent' | 'received', message: string): void {
    const request = /^([A-Z]+ \S+) SIP\/2\.0\r\n/.exec(message)?.[1];
    const status = /^SIP\/2\.0 (\d{3})/.exec(message)?.[1];
    const method = /^cseq:\s*\d+\s+(\w+)/im.exec(message)?.[1];
    const text = request ?? (status && `${status} ${method ?? ''}`);
    if (text !== undefined) this.add(kind, text, message);
  }

  /** The place where the journal is now, to read on from later. */
  mark(): number {
    return this.entries.length;
  }

  /** The texts of one kind, from the mark on. */
  texts(kind: Entry['kind'], from = 0): string[] {
    return this.entries.slice(from).flatMap((entry) => (entry.kind === kind ? [entry.text] : []));
  }

  callEvents(from = 0): string[] {
    return this.texts('sdk', from).filter((text) => ABOUT_CALLS.test(text));
  }

  /** The first matching entry from the mark on, waited for. Rejects after so many milliseconds. */
  async until(wanted: Wanted, from = 0, timeoutMs = TIMEOUT_MS): Promise<Entry> {
    const find = () => this.entries.slice(from).find(({ text }) => matches(text, wanted));
    return (await this.#wait(find, timeoutMs)) ?? assert.fail(this.#missed(String(wanted), from));
  }

  /** Waits until nothing has been noted for a while: the only way to see that something does not happen. */
  async quiet(forMs = 300): Promise<void> {
    for (let seen = -1; seen !== this.#spoken();) {
      seen = this.#spoken();
      await this.#wait(() => (this.#spoken() === seen ? undefined : true), forMs);
    }
  }

  /** Waits for the last of the wanted call events and a silence, then compares them all, from the mark on. */
  async expectCall(wanted: readonly string[], from = 0): Promise<void> {
    const last = wanted.at(-1);
    const enough = () => {
      const seen = this.callEvents(from);
      return seen.length >= wanted.length && seen.at(-1) === last ? true : undefined;
    };
    await this.#wait(enough, TIMEOUT_MS);
    await this.quiet();
    assert.deepEqual(this.callEvents(from), wanted);
  }

  /** Asserts that nothing of the kind is in the journal from the mark on, and stays out of it for a while. */
  async expectNone(kind: Entry['kind'], unwanted: RegExp, from = 0): Promise<void> {
    await this.quiet();
    const found = this.texts(kind, from).filter((text) => unwanted.test(text));
    assert.deepEqual(found, [], `Nobody expected ${String(unwanted)}`);
  }

  /** Asserts that the texts appear in this order, other things between them or not. */
  expectOrder(wanted: readonly Wanted[], from = 0): void {
    const rest = this.entries.slice(from).map(({ text }) => text);
    for (const one of wanted) {
      const index = rest.findIndex((text) => matches(text, one));
      assert.notEqual(index, -1, this.#missed(`${String(one)} (in this order)`, from));
      rest.splice(0, index + 1);
    }
  }

  #spoken(): number {
    return this.entries.filter(({ kind }) => kind !== 'second').length;
  }

  #missed(wanted: string, from: number): string {
    const seen = this.entries.slice(from).map(({ text }) => `  ${text}`);
    return [`Not seen: ${wanted}. Seen:`, ...seen].join('\n');
  }

  #wait<T>(find: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (found: T | undefined) => {
        clearTimeout(timer);
        this.#readers.delete(read);
        resolve(found);
      };
      const read = () => {
        const found = find();
        if (found !== undefined) end(found);
      };
      const timer = setTimeout(end, timeoutMs, undefined);
      this.#readers.add(read);
      read();
    });
  }
}

function matches(text: string, wanted: Wanted): boolean {
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}

function summarise(detail: PageEvent['detail']): string {
  const { state, error, message, hotlines, call, value, on } = detail;
  const words = [state, error, message, hotlines?.length, value, on].filter((word) => word !== undefined);
  if (call) words.push(call.direction, call.session ? 'with session' : 'without session');
  return words.join(' ');
}

/** `POST /vendor/v3.0/api/sdk/info`; of another host with its address. */
function describeRequest(request: PageRequest): string {
  const { hostname, pathname, href } = new URL(request.url());
  return `${request.method()} ${hostname === '127.0.0.1' ? pathname : href}`;
}
