/** The vendor's script: preloaded, loaded once per page and address, and kept from changing what belongs to the page. */
import { DialerError } from '../errors.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { trustedScript } from '../page/trusted-script.ts';

export interface VendorScript {
  readonly url: string;
  /** SRI hash, or empty; with one, the server must answer with CORS headers. */
  readonly integrity?: string | undefined;
  readonly nonce?: string | undefined;
}

interface LoadOptions {
  /** Has the script done what it is loaded for? */
  readonly isReady: () => boolean;
  /** Milliseconds until a silent download counts as failed. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Tells the browser to fetch a script that `loadScript` will insert later. The link carries the script's integrity, CORS
 * mode and nonce: with others, the browser would fetch the script twice.
 */
export function preloadScript(script: VendorScript): void {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel~="preload"]');
  if ([...links].some(({ href }) => href === script.url) || findScript(script.url)) return;
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  addSecurity(link, script);
  link.href = script.url;
  const remove = () => link.remove();
  link.addEventListener('load', remove);
  link.addEventListener('error', remove);
  document.head.append(link);
}

const loads = new Map<string, Promise<void>>();

/**
 * A failed load is forgotten: the next call is a real retry.
 *
 * @throws {DialerError} `sdk-load-failed`, or `configuration` where the page's policy forbids the script
 */
export function loadScript(script: VendorScript, options: LoadOptions): Promise<void> {
  const known = loads.get(script.url);
  if (known) return known;
  const load = adoptOrInsert(script, options);
  loads.set(script.url, load);
  load.catch(() => loads.delete(script.url));
  return load;
}

/** The page may have a tag of its own for the same address. */
async function adoptOrInsert(script: VendorScript, options: LoadOptions): Promise<void> {
  const present = findScript(script.url);
  if (present && (await isLoaded(present, options))) return;
  await insertScript(script, options);
}

function findScript(url: string): HTMLScriptElement | undefined {
  return [...document.scripts].find(({ src }) => src === url);
}

function isLoaded(tag: HTMLScriptElement, { isReady, timeout = DEFAULT_TIMEOUT_MS }: LoadOptions) {
  return new Promise<boolean>((resolve) => {
    const settle = () => resolve(isReady());
    tag.addEventListener('load', settle, { once: true });
    tag.addEventListener('error', settle, { once: true });
    // The tag may have loaded or failed before anybody listened.
    if (isReady() || document.readyState === 'complete') settle();
    setTimeout(settle, timeout);
  });
}

function insertScript(script: VendorScript, options: LoadOptions): Promise<void> {
  const { url } = script;
  const { isReady, timeout = DEFAULT_TIMEOUT_MS } = options;
  return new Promise((resolve, reject) => {
    const tag = document.createElement('script');
    const policy = watchRequest(url);
    const restorePage = protectPage(tag);
    const end = () => {
      clearTimeout(timer);
      restorePage();
    };
    const fail = async (why: string, cause?: unknown) => {
      end();
      tag.remove();
      await violationsReported();
      policy.end();
      const directive = policy.directive();
      if (directive !== undefined) return reject(blockedByPolicy(directive, 'the calling SDK', cause));
      if (cause instanceof DialerError) return reject(cause);
      reject(new DialerError('sdk-load-failed', `The calling SDK did not load: ${why} (${url}).`, { cause }));
    };
    const timer = setTimeout(() => void fail('no answer in time'), timeout);
    tag.addEventListener('error', () => void fail('the request failed or its integrity did not match'));
    tag.addEventListener('load', () => {
      if (!isReady()) return void fail('the script is not the SDK');
      end();
      policy.end();
      resolve();
    });
    tag.async = true;
    addSecurity(tag, script);
    try {
      tag.src = trustedScript(url);
      document.head.append(tag);
    } catch (error) {
      void fail('the page forbids the script', error);
    }
  });
}

function addSecurity(tag: HTMLScriptElement | HTMLLinkElement, { integrity, nonce }: VendorScript): void {
  if (nonce) tag.nonce = nonce;
  if (!integrity) return;
  tag.integrity = integrity;
  tag.crossOrigin = 'anonymous';
}

/** What the vendor's build overwrites on the page's console. */
const CONSOLE_METHODS = ['log', 'warn', 'info', 'error', 'exception', 'table', 'trace'];

/**
 * While the script runs, it alone sees what it writes to the console and to `HTMLElement`. What others write until it has
 * loaded stays: an error tracker may wrap the console meanwhile.
 *
 * @returns makes the properties plain ones again
 */
function protectPage(tag: HTMLScriptElement): () => void {
  const isWriter = () => document.currentScript === tag;
  const restores = CONSOLE_METHODS.map((name) => protectProperty(console, name, isWriter));
  restores.push(protectProperty(globalThis, 'HTMLElement', isWriter));
  return () => {
    for (const restore of restores) restore();
    Reflect.set(HTMLElement.prototype, 'constructor', HTMLElement);
  };
}

function protectProperty(target: object, name: string, isWriter: () => boolean): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  // A page that has frozen it protects it itself.
  if (own ? !own.configurable : !Object.isExtensible(target)) return () => undefined;
  const { enumerable = true } = own ?? {};
  let ofPage: unknown = Reflect.get(target, name);
  let ofScript: unknown;
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable,
    get: () => (isWriter() ? (ofScript ?? ofPage) : ofPage),
    set(this: object, value) {
      if (this !== target) Object.defineProperty(this, name, { ...plain, enumerable: true, value });
      else if (isWriter()) ofScript = value;
      else ofPage = value;
    },
  });
  return () => {
    if (ofPage === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, { ...plain, enumerable, value: ofPage });
  };
}

const plain = { configurable: true, writable: true };
