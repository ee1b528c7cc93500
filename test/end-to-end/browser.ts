/** The browser of the tests: one for all files of a worker, whose pages go from test to test. */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../chromium.ts';

/**
 * `SDK_FILE=PATH npm test -- end-to-end` puts another build of the SDK in the place of the stand-in, the vendor's own for
 * one. That speaks SIP over TLS only and logs to the console as it likes.
 */
export const SDK_FILE = process.env['SDK_FILE'];

/** The one of this worker; to start one takes longer than most tests; it ends with the worker. */
let shared: Promise<Browser> | undefined;

export async function findBrowser(): Promise<Browser> {
  // A file that is run by itself ends when nothing is left open.
  if (process.send === undefined) return launch();
  const browser = await shared;
  if (browser?.isConnected()) return browser;
  shared = launch();
  return shared;
}

/** Unless it is for the next file, too. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  if (browser !== (await shared)) await browser.close();
}

/** What all pages of a pool have in common. */
export interface PageKind {
  readonly options: BrowserContextOptions;
  /** For each new one, before its first page: further tabs of a test have it, too. */
  readonly prepare: (context: BrowserContext) => Promise<void>;
}

const pools = new WeakMap<Browser, Map<PageKind, PagePool>>();

export function poolOf(browser: Browser, kind: PageKind): PagePool {
  const ofBrowser = pools.get(browser) ?? new Map<PageKind, PagePool>();
  pools.set(browser, ofBrowser);
  const pool = ofBrowser.get(kind) ?? new PagePool(browser, kind);
  ofBrowser.set(kind, pool);
  return pool;
}

/** Pages left by earlier tests, also of other files: to open one costs more than what most tests do in it. */
export class PagePool {
  readonly #browser: Browser;
  readonly #kind: PageKind;
  readonly #idle: Page[] = [];
  readonly #used = new Set<BrowserContext>();

  constructor(browser: Browser, kind: PageKind) {
    this.#browser = browser;
    this.#kind = kind;
  }

  /** As in a browser of its own: nobody is signed in, and nothing stored. */
  async take(): Promise<Page> {
    const page = this.#idle.pop() ?? (await this.#open());
    this.#used.add(page.context());
    return page;
  }

  async #open(): Promise<Page> {
    const context = await this.#browser.newContext(this.#kind.options);
    await this.#kind.prepare(context);
    return context.newPage();
  }

  /** Takes back whatever a test has changed in it, or ends it where that cannot be. */
  async giveBack(page: Page, isSpent: boolean): Promise<void> {
    const context = page.context();
    // A test has closed it, and what comes after each test does so once more.
    if (!this.#used.delete(context)) return undefined;
    page.removeAllListeners();
    if (isSpent || page.isClosed()) return context.close();
    const others = context.pages().filter((each) => each !== page);
    await Promise.all(others.map((each) => each.close()));
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.unrouteAll();
    await page.goto('about:blank');
    await context.clearCookies();
    const { viewport, reducedMotion } = this.#kind.options;
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: null, reducedMotion: reducedMotion ?? null });
    this.#idle.push(page);
    return undefined;
  }

  /** Ends what nobody has given back. */
  async closeUsed(): Promise<void> {
    await Promise.all([...this.#used].map((context) => context.close()));
    this.#used.clear();
  }
}

export function launch({ keepsPages = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
    args: [
      ...CHROMIUM_ARGS,
      // A machine whose only network is loopback has no other address to send audio from.
      '--allow-loopback-in-peer-connection',
      ...(SDK_FILE ? ['--ignore-certificate-errors'] : []),
    ],
  });
}
