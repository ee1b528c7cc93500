/** The demo as a newcomer starts it, with a browser in front of it and the sandbox's controls at hand. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  JSHandle,
  Locator,
  Page,
} from '@playwright/test';
import type { CallRecord } from '../../demo/sandbox/world/world.ts';
import { askSandbox } from './demo.ts';
import { eventually } from './eventually.ts';

/**
 * `SDK_FILE=PATH npm run test:e2e` puts another build of the SDK in the place of the stand-in, the vendor's own for one. That
 * speaks SIP over TLS only and logs to the console as it likes.
 */
const SDK_FILE = process.env['SDK_FILE'];

interface Spy {
  readonly connections: RTCPeerConnection[];
  readonly played: string[];
  readonly errors: string[];
  /** Presses that reached the page around the dialer: those that it holds back do not. */
  presses: number;
  /** Milliseconds by which all that is measured between two events is longer than in truth. */
  skipped: number;
}

/** Sees to sound, to audio, to presses and to errors inside the page; nothing of it belongs to the product. */
const PROBE = () => {
  const spy: Spy = { connections: [], played: [], errors: [], presses: 0, skipped: 0 };
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
  addEventListener('error', (event) => spy.errors.push(event.message));
  addEventListener('unhandledrejection', (event) => spy.errors.push(String(event.reason)));
};

const CONTEXT: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  permissions: ['microphone'],
  locale: 'en-GB',
  // Drawn by the processor, what moves without end takes it from the audio.
  reducedMotion: 'reduce',
  ignoreHTTPSErrors: SDK_FILE !== undefined,
};

/** Longer than the dialer holds a press back after its view has changed. */
const LOOK_MS = 600;
/** How often somebody presses what does not take it. */
const MOST_PRESSES = 10;
const PRESS_AGAIN_MS = 100;

export class Site {
  readonly origin: string;
  readonly #browser: Browser;
  readonly #contexts = new Set<BrowserContext>();

  constructor(origin: string, browser: Browser) {
    this.origin = origin;
    this.#browser = browser;
  }

  /** `GET` or, with a body, `POST` at the sandbox. */
  sandbox<T = unknown>(path: string, body?: object): Promise<T> {
    return askSandbox<T>(this.origin, path, body);
  }

  /** Undoes what the test before has done: no faults, and an agent with money and a caller number. */
  async prepare(): Promise<void> {
    await Promise.all([
      this.sandbox('faults/clear', {}),
      this.sandbox('members/agent001', { balance: 50_000, hotlines: ['842899990001'] }),
    ]);
  }

  async calls(): Promise<CallRecord[]> {
    return this.sandbox<CallRecord[]>('calls');
  }

  /** Waits until the newest call is as wanted. */
  async call(holds: (call: CallRecord) => boolean): Promise<CallRecord> {
    return eventually(async () => {
      const call = (await this.calls()).at(-1);
      return call && holds(call) ? call : undefined;
    }, 'a call at the exchange');
  }

  /** As in a browser of its own: nobody is signed in, and nothing stored. */
  async open(path = '/'): Promise<AgentPage> {
    const context = await this.#browser.newContext(CONTEXT);
    this.#contexts.add(context);
    // tsx names functions through this helper, which the page does not have.
    await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' });
    await context.addInitScript(PROBE);
    const page = await context.newPage();
    const agent = new AgentPage(page, () => context.close());
    if (SDK_FILE) await replaceSdk(page, SDK_FILE);
    await page.goto(`${this.origin}${path}`);
    return agent;
  }

  /** With all its pages. */
  async close(): Promise<void> {
    await Promise.all([...this.#contexts].map((context) => context.close()));
  }
}

export class AgentPage {
  readonly page: Page;
  /** Everything the page's console showed. */
  readonly consoleOutput: string[] = [];
  /** Addresses, those of sockets too. */
  readonly requested: string[] = [];
  /** Ends whatever the test has begun. */
  readonly close: () => Promise<void>;

  constructor(page: Page, close: () => Promise<void>) {
    this.page = page;
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

  /** From the next page load on, `pass` moves time. */
  async installClock(): Promise<void> {
    await this.page.clock.install();
  }

  /** To the page that many milliseconds pass at once, in addition to those that pass anyway. */
  async pass(ms: number): Promise<void> {
    await this.page.clock.fastForward(ms);
  }

  /** Waits until the page has asked for an address that ends so. */
  async asked(ending: string): Promise<void> {
    await eventually(
      async () => this.requested.some((url) => new URL(url).pathname.endsWith(ending)),
      `a request for ${ending}`,
    );
  }

  /** Another tab of the same browser, at the same address. */
  async openTab(): Promise<AgentPage> {
    const page = await this.page.context().newPage();
    const agent = new AgentPage(page, () => page.close());
    if (SDK_FILE) await replaceSdk(page, SDK_FILE);
    await page.goto(this.page.url());
    return agent;
  }

  async see(text: string | RegExp, timeout = 15_000): Promise<void> {
    const found = this.page.locator('partner-dialer').getByText(text).first();
    await found.waitFor({ timeout }).catch(async (cause: unknown) => {
      const drawn = await this.page.evaluate(
        () => document.querySelector('partner-dialer')?.shadowRoot?.textContent ?? '',
      );
      throw new Error(`The dialer never showed ${text}, but: ${drawn.replaceAll(/\s+/g, ' ')}`, { cause });
    });
  }

  /** Looks first, and once more where the dialer has changed in the same moment and holds the press back. */
  async press(name: string | RegExp): Promise<void> {
    const button = this.#button(name);
    for (let count = 0; count < MOST_PRESSES; count += 1) {
      await button.waitFor({ timeout: 15_000 });
      if (await this.#lookAndClick(button, 15_000)) return;
      await sleep(PRESS_AGAIN_MS);
    }
    throw new Error(`The dialer takes no press of ${String(name)}.`);
  }

  /** Keys of the keypad, as fast as they come. */
  async pressKeys(keys: string): Promise<void> {
    await this.#look();
    for (const name of keys) await this.#button(name).click({ timeout: 15_000 });
  }

  /** Presses "Try again", unless the dialer has tried by itself in the same moment. */
  async tryAgain(): Promise<void> {
    await this.#lookAndClick(this.#button('Try again'), 1500).catch(() => undefined);
  }

  #button(name: string | RegExp): Locator {
    return this.page.locator('partner-dialer').getByRole('button', { name, exact: true });
  }

  /** Resolves with whether the dialer has taken the press. */
  async #lookAndClick(button: Locator, timeout: number): Promise<boolean> {
    const spy = await this.#look();
    await button.click({ timeout });
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
    await this.see('Answered');
  }

  /** The proof that all is well again. */
  async reachSomebody(): Promise<void> {
    await this.clickCustomer('0900 000 200');
    await this.see('In call');
    await this.hangUp();
  }

  async clickCustomer(number: string): Promise<void> {
    await this.page.getByRole('row').getByRole('button', { name: number }).first().click({ timeout: 15_000 });
  }

  /** Audio bytes received so far, over all connections of the page. */
  async audioBytes(): Promise<number> {
    return this.page.evaluate(async () => {
      const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
      const reports = await Promise.all(connections.map((connection) => connection.getStats()));
      return reports
        .flatMap((report) => [...report.values()])
        .filter(
          (stat: { type: string; kind?: string }) => stat.type === 'inbound-rtp' && stat.kind === 'audio',
        )
        .reduce((sum, stat: { bytesReceived?: number }) => sum + (stat.bytesReceived ?? 0), 0);
    });
  }

  async played(): Promise<string[]> {
    return this.page.evaluate(() => (Reflect.get(globalThis, 'spy') as { played: string[] }).played);
  }

  /** Nothing may have been thrown into the page meanwhile. */
  async closeWithoutErrors(): Promise<void> {
    assert.deepEqual(await this.errors(), [], 'thrown into the page');
    await this.close();
  }

  async errors(): Promise<string[]> {
    return this.page.evaluate(() => (Reflect.get(globalThis, 'spy') as { errors: string[] }).errors);
  }
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
