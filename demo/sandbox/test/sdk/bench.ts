/** The bench one scenario is tried on: a sandbox vendor of its own, a page with the script, and a journal of both. */
import { expect, type Page } from '@playwright/test';
import type { Sandbox } from '../../sandbox.ts';
import type { CallRecord, Member, World } from '../../world/world.ts';
import { FarEnd } from './far-end.ts';
import type { Journal } from './journal.ts';

const MEMBER_NO = 'agent001';
/** VND; enough for every call of a scenario. */
const BALANCE = 100_000;

/** Rings a second, then answers. */
export const ANSWERS = '0900000200';
/** Rings for ever. */
export const RINGS = '0900000100';

/** Attributes of the element; null leaves one out that it would have. */
export type Attributes = Readonly<Record<string, string | null>>;

/** Methods of the element that take data and are done at once. */
type SdkMethod = 'answerCall' | 'hangupCall' | 'sendDTMF';

interface BenchParts {
  readonly sandbox: Sandbox;
  readonly page: Page;
  readonly journal: Journal;
  readonly origin: string;
}

export class Bench {
  readonly world: World;
  readonly member: Member;
  readonly journal: Journal;
  readonly page: Page;
  readonly exchange: FarEnd;
  readonly #origin: string;

  constructor({ sandbox, page, journal, origin }: BenchParts) {
    this.exchange = new FarEnd(sandbox, MEMBER_NO);
    this.world = sandbox.world;
    this.page = page;
    this.journal = journal;
    this.#origin = origin;
    this.member =
      this.world.members.get(MEMBER_NO) ?? this.world.createMember(MEMBER_NO, ['HL_SALES', 'HL_SUPPORT']);
    this.world.setBalance(this.member, BALANCE);
  }

  get baseUrl(): string {
    return `${this.#origin}/vendor/v3.0`;
  }

  /** Loads the bare page, with the script under test in it. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`${this.#origin}/${query}`);
  }

  /** Puts a headless element into the page; it is `widget` there. */
  async insert(attributes: Attributes = {}, place: 'body' | 'closed shadow root' = 'body'): Promise<void> {
    const all = {
      headless: '',
      token: this.world.issueToken(MEMBER_NO),
      'base-url': this.baseUrl,
      ...attributes,
    };
    await this.page.evaluate(
      ([entries, where]) => {
        const widget = document.createElement('vbot-widget') as typeof globalThis.widget;
        for (const [name, value] of entries) if (value !== null) widget.setAttribute(name, value);
        globalThis.widget = widget;
        watch(widget);
        const host = document.body.appendChild(document.createElement('div'));
        (where === 'body' ? host : host.attachShadow({ mode: 'closed' })).append(widget);
      },
      [Object.entries(all), place] as const,
    );
  }

  /** Inserts the element and waits until it can call. */
  async register(attributes: Attributes = {}): Promise<void> {
    await this.insert(attributes);
    await this.journal.until('onUserConnected');
  }

  /** Starts a call and waits for the promise; how it settled stands in the journal as `makeCall …`. */
  async dial(number: unknown, hotline?: string | null, externalCallId?: string): Promise<void> {
    await this.page.evaluate(
      async ([to, from, id]) => {
        const value = await widget.makeCall(to, from as string | null, id as string).then(
          (result) => `resolved ${String(result)}`,
          (reason) => `rejected ${String(reason)}`,
        );
        await note({ name: 'makeCall', detail: { value } });
      },
      [number, hotline, externalCallId],
    );
  }

  /** Registers, and calls a number that answers, until it has. */
  async converse(attributes: Attributes = {}): Promise<CallRecord> {
    await this.register(attributes);
    await this.dial(ANSWERS);
    await this.journal.until(/^onCallAccepted/);
    return this.exchange.call();
  }

  /** Registers, and has somebody call the member, until the page shows it. */
  async ring(name?: string): Promise<CallRecord> {
    await this.register();
    const call = await this.exchange.ring(name);
    await this.journal.until(/^onCallProgress/);
    return call;
  }

  /** Invokes a method in a task of its own; the promise it may return is not waited for. */
  invoke(method: SdkMethod, ...args: readonly string[]): Promise<unknown> {
    return this.page.evaluate(
      ([name, given]) => {
        const answer: unknown = Reflect.apply(widget[name], widget, given);
        return answer instanceof Promise ? 'a promise' : answer;
      },
      [method, args] as const,
    );
  }

  /** How much voice has arrived in this call so far: the energy of the other party's audio, 0 while it is silent. */
  audioEnergy(): Promise<number> {
    return this.page.evaluate(async () => {
      const stats = await widget.getCallData()?.session?.connection.getStats();
      const reports = [...((stats ?? new Map()) as Map<string, Record<string, unknown>>).values()];
      const inbound = reports.find(({ type }) => type === 'inbound-rtp');
      return Number(inbound?.['totalAudioEnergy'] ?? 0);
    });
  }

  /** Nothing is left of the client: no registration at the exchange, no audio element in the page. */
  async expectUnregistered(): Promise<void> {
    await expect.poll(() => this.exchange.registrations()).toEqual([]);
    await expect(this.page.locator('body > audio')).toHaveCount(0);
  }

  /** The state of every microphone track that was opened, in order. */
  microphones(): Promise<string[]> {
    return this.page.evaluate(() => microphones.map(({ readyState }) => readyState));
  }
}
