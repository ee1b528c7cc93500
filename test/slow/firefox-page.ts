/** The demo in Firefox, driven by WebDriver BiDi with a real pointer and real keys. */
import { existsSync } from 'node:fs';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { until } from '../../demo/companion/test/app.ts';
import { readAudioBytes } from '../end-to-end/site.ts';

const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
/** In CI its absence is a failure. */
export const missingFirefox =
  !existsSync(FIREFOX) &&
  !process.env['CI'] &&
  `No Firefox is at ${FIREFOX}: apt-get install firefox-esr, as root, or its program in FIREFOX_PATH.`;
/** Longer than the dialer holds a press back after its view has changed. */
const LOOK_MS = 600;
const PATIENCE_MS = 20_000;
/** A microphone that plays a tone and needs no permission, and audio over loopback, the only network there is. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'intl.accept_languages': 'en-GB',
};

/** Keeps the page's connections for `audioBytes`, and what was thrown into the page. */
const PROBE = () => {
  const spy = { connections: [] as RTCPeerConnection[], errors: [] as string[] };
  Reflect.set(globalThis, 'spy', spy);
  const Original = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      spy.connections.push(this);
    }
  };
  addEventListener('error', (event) => spy.errors.push(event.message));
  addEventListener('unhandledrejection', (event) => spy.errors.push(String(event.reason)));
};

export async function launchFirefox(): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
  });
}

export class FirefoxPage {
  readonly consoleOutput: string[] = [];
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
    page.on('console', (message) => {
      if (message.type() !== 'debug') this.consoleOutput.push(`${message.type()}: ${message.text()}`);
    });
  }

  static async open(browser: Browser, origin: string): Promise<FirefoxPage> {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    const opened = new FirefoxPage(page);
    await page.evaluateOnNewDocument('globalThis.__name ??= (named) => named');
    await page.evaluateOnNewDocument(PROBE);
    await page.goto(origin);
    return opened;
  }

  async see(text: string): Promise<void> {
    await until(async () => (await this.#text()).includes(text), PATIENCE_MS).catch(
      async (cause: unknown) => {
        throw new Error(`Firefox never showed "${text}" but: ${await this.#text()}`, { cause });
      },
    );
  }

  async #text(): Promise<string> {
    return this.#page.evaluate(
      () => document.querySelector('partner-dialer')?.shadowRoot?.textContent?.replaceAll(/\s+/g, ' ') ?? '',
    );
  }

  /** Where the button of this name is drawn. */
  async #place(name: string): Promise<{ x: number; y: number } | undefined> {
    return this.#page.evaluate((wanted) => {
      const root = document.querySelector('partner-dialer')?.shadowRoot;
      const button = [...(root?.querySelectorAll('button') ?? [])].find((candidate) => {
        const label = candidate.getAttribute('aria-label') ?? candidate.textContent;
        return label.replaceAll(/\s+/g, ' ').trim() === wanted && candidate.checkVisibility();
      });
      if (!button) return undefined;
      button.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = button.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }, name);
  }

  /** Looks first: what has just appeared in the dialer ignores presses for a moment. */
  async press(name: string): Promise<void> {
    await until(() => this.#place(name), PATIENCE_MS);
    await this.rest();
    const place = await this.#place(name);
    if (!place) throw new Error(`The button "${name}" has gone again.`);
    await this.#page.mouse.click(place.x, place.y);
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** Into the number field, as an agent types: Enter calls. */
  async type(number: string): Promise<void> {
    await this.rest();
    await this.#page.evaluate(() => document.querySelector('partner-dialer')?.focus());
    await this.#page.evaluate(() =>
      document.querySelector('partner-dialer')?.shadowRoot?.querySelector('input')?.select(),
    );
    await this.#page.keyboard.type(number);
    await this.#page.keyboard.press('Enter');
  }

  async keys(keys: string): Promise<void> {
    await this.#page.keyboard.type(keys);
  }

  async audioBytes(): Promise<number> {
    return this.#page.evaluate(readAudioBytes);
  }

  async errors(): Promise<string[]> {
    return this.#page.evaluate(() => (Reflect.get(globalThis, 'spy') as { errors: string[] }).errors);
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}
