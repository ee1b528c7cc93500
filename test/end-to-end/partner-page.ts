/** A partner's own page around the built package, with its own headers, broker and SDK script. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { Browser, BrowserContext } from '@playwright/test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import { AgentPage } from './site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs scripts with the nonce alone, and requires Trusted Types. */
export const STRICT =
  "default-src 'none'; script-src 'nonce-n0nce'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html partner-dialer";

/** As `integrity` takes it. */
export function hashOf(file: Buffer | string): string {
  return `sha384-${createHash('sha384').update(file).digest('base64')}`;
}

export interface Package {
  /** `dist/index.js`, put into one script as a partner's bundler does. */
  readonly bundle: string;
  remove(): Promise<void>;
}

export async function buildPackage(): Promise<Package> {
  const folder = join(ROOT, 'node_modules/.cache', `package-${process.pid}`);
  const modules = join(folder, 'index.js');
  const common = { root: ROOT, logLevel: 'error', publicDir: false } as const;
  await build({ ...common, configFile: join(ROOT, 'vite.config.ts'), build: { outDir: folder } });
  const output = await build({
    ...common,
    configFile: false,
    build: { write: false, target: 'es2022', lib: { entry: modules, name: 'Partner', formats: ['iife'] } },
  });
  const [file] = Array.isArray(output) ? output : [];
  const chunk = file?.output[0];
  if (!chunk) throw new Error('Nothing was built.');
  return { bundle: chunk.code, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Registers, unless its API is out of reach; then it says so in the vendor's words. */
export const SDK = `customElements.define('vbot-widget', class extends HTMLElement {
  connectedCallback() {
    const say = (name, detail) => this.dispatchEvent(new CustomEvent('vbot:' + name, { detail }));
    fetch(this.getAttribute('base-url') + '/sdk-info').then(
      () => {
        say('onHotlinesUpdated', { hotlines: [{ name: 'Sales', phoneNumber: '842899990001' }] });
        say('onUserConnected');
      },
      () => say('onUserConnectionFailed', { error: 'Khởi tạo SDK thất bại' }),
    );
  }
});`;

const BUNDLE_TAG = '<script nonce="n0nce" src="/package.js" defer></script>';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface PageOptions {
  /** Headers of the page, e.g. its content security policy. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Runs in the page below the element, before the package does. */
  readonly script?: string;
  /** The package's script tag; else that of the bundle. */
  readonly tag?: string;
}

/** Collects what is thrown into a page, and what its policy blocks, from the first moment on. */
const WATCH = () => {
  const seen: string[] = [];
  Reflect.set(globalThis, 'seen', seen);
  addEventListener('error', (event) => seen.push(`error: ${event.message}`));
  addEventListener('unhandledrejection', (event) => seen.push(`unhandled: ${String(event.reason)}`));
  document.addEventListener('securitypolicyviolation', (event) =>
    seen.push(`violation: ${event.effectiveDirective} ${event.blockedURI}`),
  );
};

export class PartnerSite {
  readonly #browser: Browser;
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #bundle: string;
  readonly #handlers = new Map<string, Handler>();
  readonly #contexts = new Set<BrowserContext>();
  #page: PageOptions = {};
  origin = '';

  constructor(browser: Browser, bundle: string) {
    this.#browser = browser;
    this.#bundle = bundle;
  }

  static async open(browser: Browser, bundle: string): Promise<PartnerSite> {
    const site = new PartnerSite(browser, bundle);
    site.origin = await startServer(site.#server);
    return site;
  }

  on(path: string, handler: Handler): this {
    this.#handlers.set(path, handler);
    return this;
  }

  /** A fresh page. */
  async visit(options: PageOptions = {}): Promise<Visit> {
    this.#page = options;
    const context = await this.#browser.newContext({ locale: 'en-GB' });
    this.#contexts.add(context);
    context.setDefaultTimeout(10_000);
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    await page.goto(this.origin);
    return new Visit(page, () => context.close());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#contexts].map((context) => context.close()));
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const handler = this.#handlers.get(pathname);
    if (handler) return handler(request, response);
    const html = (text: string) => response.setHeader('Content-Type', 'text/html').end(text);
    const script = (text: string) => response.setHeader('Content-Type', 'text/javascript').end(text);
    switch (pathname) {
      case '/':
        for (const [name, value] of Object.entries(this.#page.headers ?? {})) response.setHeader(name, value);
        return void html(this.#html());
      case '/package.js':
        return void script(this.#bundle);
      case '/sdk.js':
        return void script(SDK);
      case '/broker/session':
        return sendJson(response, { token: 'a.b.c', blockers: [], links: { status: 'status' } });
      case '/api/sdk-info':
        return sendJson(response, {});
      default:
        response.writeHead(404).end();
    }
  }

  #html(): string {
    const { attributes = {}, script = '', tag = BUNDLE_TAG } = this.#page;
    const all = {
      'broker-url': '/broker/session',
      'sdk-url': '/sdk.js',
      'sdk-base-url': '/api',
      nonce: 'n0nce',
      ...attributes,
    };
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return `<!doctype html><html lang="en"><title>Partner</title>
      ${tag}
      <partner-dialer ${text.join(' ')}></partner-dialer>
      ${script && `<script nonce="n0nce">${script}</script>`}`;
  }
}

/** The dialer in a page of a partner's. */
export class Visit extends AgentPage {
  /** All the text in the dialer, also where no element is around it. */
  async allText(): Promise<string> {
    return this.dialer.evaluate((dialer) => dialer.shadowRoot?.textContent ?? '');
  }

  /** The error that the dialer shows. */
  async error(): Promise<Record<'code' | 'directive' | 'message', string | undefined>> {
    return this.page.evaluate(() => {
      const line = document.querySelector('partner-dialer')?.state.line;
      const error = line?.is === 'failed' ? line.error : undefined;
      return { code: error?.code, directive: error?.directive, message: error?.message };
    });
  }

  /** Exceptions and violations so far. */
  async seen(): Promise<string[]> {
    return this.page.evaluate(() => Reflect.get(globalThis, 'seen') as string[]);
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
