/** The demo as a newcomer starts it, with a browser in front of it and the sandbox's controls at hand. */
import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type JSHandle,
  type Locator,
  type Page,
} from '@playwright/test';
import type { CallRecord } from '../../demo/sandbox/world/world.ts';
import type { PartnerDialer } from '../../src/index.ts';
import { askSandbox } from './demo.ts';

type CallState = PartnerDialer['state']['call'];

/**
 * `SDK_FILE=PATH npm test -- e2e` puts another build of the SDK in the place of the stand-in, the vendor's own for one. That
 * speaks SIP over TLS only and logs to the console as it likes.
 */
const SDK_FILE = process.env['SDK_FILE'];

interface Spy {
  readonly connections: RTCPeerConnection[];
  readonly played: string[];
  /** Presses that reached the page around the dialer: those that it holds back do not. */
  presses: number;
  /** Milliseconds by which all that is measured between two events is longer than in truth. */
  skipped: number;
}

/** Sees to sound, to audio and to presses inside the page; nothing of it belongs to the product. */
const PROBE = () => {
  const spy: Spy = { connections: [], played: [], presses: 0, skipped: 0 };
  Reflect.set(globalThis, 'spy', spy);
  const now = performance.now.bind(performance);
  performance.now = () => now() + spy.skipped;
  const timeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')?.get;
  Object.defineProperty(Event.prototype, 'timeStamp', {
    configurable: true,
    get(this: Event) {
      return (timeStamp?.call(this) as number) + spy.skipped;
    },
  });
  addEventListener('click', () => (spy.presses += 1));
  const Original = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      spy.connections.push(this);
    }
  };
  const play = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'play')
    ?.value as () => Promise<void>;
  HTMLMediaElement.prototype.play = function watched() {
    const playing = play.call(this);
    playing.then(
      () => spy.played.push(this.currentSrc),
      () => undefined,
    );
    return playing;
  };
};

const CONTEXT: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  permissions: ['microphone'],
  locale: 'en-GB',
  // Drawn by the processor, what moves without end takes it from the audio.
  reducedMotion: 'reduce',
  ignoreHTTPSErrors: SDK_FILE !== undefined,
};

/** What the dialer asks for when it connects. */
const ATTEMPT = /\/(?:dialer\/session|vendor\/.+|ws)$/;
/** Longer than the dialer holds a press back after its view has changed. */
export const LOOK_MS = 600;
const FRAME_MS = 20;

export class Site {
  readonly origin: string;
  readonly #browser: Browser;
  readonly #contexts = new Set<BrowserContext>();
  /** Errors thrown in any page, in its frames and in the tabs that it opens. */
  readonly #errors: string[] = [];

  constructor(origin: string, browser: Browser) {
    this.origin = origin;
    this.#browser = browser;
  }

  /** `GET` or, with a body, `POST` at the sandbox. */
  sandbox<T = unknown>(path: string, body?: object): Promise<T> {
    return askSandbox<T>(this.origin, path, body);
  }

  async calls(): Promise<CallRecord[]> {
    return this.sandbox<CallRecord[]>('calls');
  }

  /** The newest call, once it is as expected. */
  async call(expected: Partial<CallRecord> = {}): Promise<CallRecord> {
    let call: CallRecord | undefined;
    await expect(async () => {
      call = (await this.calls()).at(-1);
      expect(call).toMatchObject(expected);
    }).toPass();
    return call as CallRecord;
  }

  /** Somebody calls the agent. */
  async ring(from = '0912345678', name?: string): Promise<{ readonly id: string }> {
    return this.sandbox('calls', { memberNo: 'agent001', from, ...(name !== undefined && { name }) });
  }

  /** At the CRM, signed in and registered. */
  async openReady(): Promise<AgentPage> {
    const agent = await this.open();
    await expect(agent.text('Ready')).toBeVisible();
    return agent;
  }

  /** As in a browser of its own: nobody is signed in, and nothing stored. */
  open(path = '/'): Promise<AgentPage> {
    return this.#open(path, async () => {});
  }

  /** The same, where `pass` and `tryAgain` move the page's time. */
  openWithClock(path = '/'): Promise<AgentPage> {
    return this.#open(path, (page) => page.clock.install());
  }

  async #open(path: string, prepare: (page: Page) => Promise<void>): Promise<AgentPage> {
    const context = await this.#browser.newContext(CONTEXT);
    this.#contexts.add(context);
    // tsx names functions through this helper, which the page does not have.
    await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' });
    await context.addInitScript(PROBE);
    context.on('weberror', (error) => this.#errors.push(String(error.error())));
    const page = await context.newPage();
    const agent = new AgentPage(page, () => closeContext(context));
    if (SDK_FILE) await replaceSdk(page, SDK_FILE);
    await prepare(page);
    await page.goto(`${this.origin}${path}`);
    return agent;
  }

  /** With all its pages, into none of which anything was thrown. */
  async close(): Promise<void> {
    await Promise.all([...this.#contexts].map(closeContext));
    expect(this.#errors, 'thrown into a page').toEqual([]);
  }
}

/** What a route is still answering fails no test; a page that has crashed answers nothing. */
async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.allSettled(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

export class AgentPage {
  readonly page: Page;
  readonly dialer: Locator;
  /** Everything the page's console showed. */
  readonly consoleOutput: string[] = [];
  /** Addresses, those of sockets too. */
  readonly requested: string[] = [];
  /** Ends whatever the test has begun. */
  readonly close: () => Promise<void>;

  constructor(page: Page, close: () => Promise<void>) {
    this.page = page;
    this.dialer = page.locator('partner-dialer');
    this.close = close;
    page.on('console', (message) => {
      // Vite's own client talks at debug level in development.
      // The SDK's own sounds are at the vendor's, which a test cannot reach.
      const isOfSdk = SDK_FILE !== undefined && /vbot/.test(`${message.location().url} ${message.text()}`);
      if (message.type() !== 'debug' && !isOfSdk)
        this.consoleOutput.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => this.requested.push(request.url()));
    page.on('websocket', (socket) => this.requested.push(socket.url()));
  }

  /** To the page that many milliseconds pass at once, in addition to those that pass anyway. */
  async pass(ms: number): Promise<void> {
    await this.page.clock.fastForward(ms);
  }

  /** Presses "Try again" while the page's time stands: a retry of the dialer's own cannot come first. */
  async tryAgain(mend: () => Promise<unknown> = async () => {}): Promise<void> {
    const attempts = () => this.requested.filter((url) => ATTEMPT.test(url)).length;
    const button = this.button('Try again');
    await expect(async () => {
      await this.page.clock.resume();
      await expect(button).toBeVisible();
      await this.page.clock.pauseAt((await this.page.evaluate(() => Date.now())) + LOOK_MS);
      await expect(button, 'no retry in that time').toBeVisible({ timeout: 1 });
    }).toPass();
    await mend();
    const earlier = attempts();
    // A view that changes while the time stands is painted by the next frame.
    await this.press('Try again', () => this.page.clock.runFor(FRAME_MS));
    await expect.poll(attempts, 'requests by the press').toBeGreaterThan(earlier);
    await this.page.clock.resume();
  }

  /** Waits until the page has asked for an address that ends so. */
  async asked(ending: string): Promise<void> {
    await expect
      .poll(() => this.requested.map((url) => new URL(url).pathname))
      .toContainEqual(expect.stringMatching(new RegExp(`${ending}$`)));
  }

  /** Another tab of the same browser, at the same address. */
  async openTab(): Promise<AgentPage> {
    const page = await this.page.context().newPage();
    const agent = new AgentPage(page, () => page.close());
    if (SDK_FILE) await replaceSdk(page, SDK_FILE);
    await page.goto(this.page.url());
    return agent;
  }

  /** Where the dialer shows it. */
  text(text: string | RegExp): Locator {
    return this.dialer.getByText(text).first();
  }

  /** What the dialer tells pages: its status, and its call. */
  status(): Promise<string | undefined> {
    return this.page.evaluate(() => document.querySelector('partner-dialer')?.state.status);
  }

  liveCall(): Promise<CallState | undefined> {
    return this.page.evaluate(() => document.querySelector('partner-dialer')?.state.call);
  }

  button(name: string | RegExp): Locator {
    return this.dialer.getByRole('button', { name, exact: true });
  }

  /** Looks first, and once more where the dialer has changed in the same moment and holds the press back. */
  async press(name: string | RegExp, look = async () => {}): Promise<void> {
    const button = this.button(name);
    await expect(async () => {
      await look();
      expect(await this.#lookAndClick(button), `the dialer takes a press of ${String(name)}`).toBe(true);
    }).toPass();
  }

  /** Keys of the keypad, as fast as they come. */
  async pressKeys(keys: string): Promise<void> {
    await this.#look();
    for (const name of keys) await this.button(name).click({ timeout: 15_000 });
  }

  /** Resolves with whether the dialer has taken the press. */
  async #lookAndClick(button: Locator): Promise<boolean> {
    await expect(button).toBeVisible();
    const spy = await this.#look();
    await button.click({ timeout: 15_000 });
    // With a page that has gone elsewhere its spy is gone, too.
    return spy.evaluate(({ presses }) => presses > 0).catch(() => true);
  }

  /** To the dialer it takes as long as a person takes to see what has just appeared: until then it ignores presses. */
  #look(): Promise<JSHandle<Spy>> {
    return this.page.evaluateHandle((ms) => {
      const spy = Reflect.get(globalThis, 'spy') as Spy;
      spy.skipped += ms;
      spy.presses = 0;
      return spy;
    }, LOOK_MS);
  }

  /** To its end: the next test begins without a call. */
  async hangUp(): Promise<void> {
    await this.press('Hang up');
    await expect.poll(() => this.liveCall()).toMatchObject({ is: 'ended', info: { outcome: 'answered' } });
  }

  /** The proof that all is well again. */
  async reachSomebody(): Promise<void> {
    await this.clickCustomer('0900 000 200');
    await expect(this.text('In call')).toBeVisible();
    await this.hangUp();
  }

  async clickCustomer(number: string): Promise<void> {
    await this.page.getByRole('row').getByRole('button', { name: number }).first().click({ timeout: 15_000 });
  }

  /** Waits for more audio than has arrived until now. */
  async hearsMore(bytes = 0): Promise<void> {
    const earlier = await this.audioBytes();
    await expect.poll(() => this.audioBytes(), 'audio bytes').toBeGreaterThan(earlier + bytes);
  }

  /** Audio bytes received so far, over all connections of the page. */
  async audioBytes(): Promise<number> {
    return this.page.evaluate(readAudioBytes);
  }

  async played(): Promise<string[]> {
    return this.page.evaluate(() => (Reflect.get(globalThis, 'spy') as { played: string[] }).played);
  }
}

/** In a page with a spy. */
export async function readAudioBytes(): Promise<number> {
  const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
  const reports = await Promise.all(connections.map((connection) => connection.getStats()));
  return reports
    .flatMap((report) => [...report.values()])
    .filter((stat: { type: string; kind?: string }) => stat.type === 'inbound-rtp' && stat.kind === 'audio')
    .reduce((sum, stat: { bytesReceived?: number }) => sum + (stat.bytesReceived ?? 0), 0);
}

async function replaceSdk(page: Page, path: string): Promise<void> {
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  await page.route('**/vendor/vbot-sdk.js', async (route) => {
    // A fault of the script's own address stays one.
    const answer = await route.fetch();
    await route.fulfill(answer.ok() ? { path, contentType: 'text/javascript' } : { response: answer });
  });
}
