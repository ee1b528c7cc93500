/** The vendor's script: loaded once per page and address, and kept from changing what belongs to the page. */
import { toDialerError } from '../errors.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { trustedScript } from '../page/trusted-script.ts';

export interface VendorScript {
  /** Absolute address. */
  readonly url: string;
  /** SRI hash; empty: none. With one, the server must send CORS headers. */
  readonly integrity?: string | undefined;
  /** CSP nonce; empty: none. */
  readonly nonce?: string | undefined;
}

const TIMEOUT_MS = 20_000;

const loads = new Map<string, Promise<void>>();

/**
 * A failed load is forgotten: the next call is a real retry.
 *
 * @param isReady true once the script has defined the SDK
 * @throws {DialerError} `sdk-load-failed`, or `configuration` if the page's policy forbids the script
 */
export function loadScript(script: VendorScript, isReady: () => boolean): Promise<void> {
  const known = loads.get(script.url);
  if (known) return known;
  const load = insertScript(script, isReady);
  loads.set(script.url, load);
  load.catch(() => loads.delete(script.url));
  return load;
}

function insertScript(script: VendorScript, isReady: () => boolean): Promise<void> {
  const { url } = script;
  return new Promise((resolve, reject) => {
    const tag = createTag(script);
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
      if (directive !== undefined) return reject(blockedByPolicy(directive, "the vendor's script", cause));
      reject(toDialerError(cause, 'sdk-load-failed', `The SDK script did not load: ${why} (${url}).`));
    };
    const timer = setTimeout(() => void fail('no response in time'), TIMEOUT_MS);
    tag.addEventListener('error', () => void fail('the request failed or its integrity did not match'));
    tag.addEventListener('load', () => {
      if (!isReady()) return void fail('the script is not the SDK');
      end();
      policy.end();
      resolve();
    });
    try {
      tag.src = trustedScript(url);
      document.head.append(tag);
    } catch (error) {
      void fail('the page forbids the script', error);
    }
  });
}

function createTag({ integrity, nonce }: VendorScript): HTMLScriptElement {
  const tag = document.createElement('script');
  tag.async = true;
  // A browser fetches an inserted script late, and the registration waits for this one.
  tag.fetchPriority = 'high';
  if (nonce) tag.nonce = nonce;
  if (integrity) {
    tag.integrity = integrity;
    tag.crossOrigin = 'anonymous';
  }
  return tag;
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
  // If the page has frozen the property, it is protected already.
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
