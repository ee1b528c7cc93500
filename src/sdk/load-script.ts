/** Loads a vendor script once per page and address, and keeps what it does to the page within bounds. */
import { DialerError } from '../errors.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { trustedScript } from '../page/trusted-script.ts';

export interface ScriptOptions {
  readonly url: string;
  /** SRI hash; the server must then answer with CORS headers. */
  readonly integrity?: string | undefined;
  readonly nonce?: string | undefined;
  /** Did the script do what it was loaded for? Asked once it has run. */
  readonly isReady: () => boolean;
  /** Milliseconds until a silent download counts as failed. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** What the vendor's build overwrites on the page's console; the page gets its own back. */
const CONSOLE_METHODS = ['log', 'warn', 'info', 'error', 'exception', 'table', 'trace'] as const;

const loads = new Map<string, Promise<void>>();

/**
 * @throws {DialerError} `sdk-load-failed`, or `configuration` where the page's policy forbids the script; the failure is forgotten, so that asking again is a real retry.
 */
export function loadScript(options: ScriptOptions): Promise<void> {
  const known = loads.get(options.url);
  if (known) return known;
  const load = adoptOrInsert(options);
  loads.set(options.url, load);
  load.catch(() => loads.delete(options.url));
  return load;
}

/** A tag of the page's own for the same address may still be on its way. */
async function adoptOrInsert(options: ScriptOptions): Promise<void> {
  const present = [...document.scripts].find(({ src }) => src === options.url);
  if (present && (await isLoading(present, options)) && options.isReady()) return;
  await insertScript(options);
}

function isLoading(script: HTMLScriptElement, { timeout = DEFAULT_TIMEOUT_MS, isReady }: ScriptOptions) {
  return new Promise<boolean>((resolve) => {
    script.addEventListener('load', () => resolve(true), { once: true });
    script.addEventListener('error', () => resolve(false), { once: true });
    // It may have come or failed before anybody listened.
    if (isReady() || document.readyState === 'complete') resolve(isReady());
    setTimeout(() => resolve(false), timeout);
  });
}

function insertScript(options: ScriptOptions): Promise<void> {
  const { url, integrity, nonce, isReady, timeout = DEFAULT_TIMEOUT_MS } = options;
  return new Promise((resolve, reject) => {
    const restorePage = rememberPage();
    const policy = watchRequest(url);
    const script = document.createElement('script');
    const end = () => {
      clearTimeout(timer);
      restorePage();
    };
    const fail = async (why: string, cause?: unknown) => {
      end();
      script.remove();
      await violationsReported();
      policy.end();
      const directive = policy.directive();
      if (directive !== undefined) return reject(blockedByPolicy(directive, 'the calling SDK', cause));
      if (cause instanceof DialerError) return reject(cause);
      reject(new DialerError('sdk-load-failed', `The calling SDK did not load: ${why} (${url}).`, { cause }));
    };
    const timer = setTimeout(() => void fail('no answer in time'), timeout);
    script.addEventListener('error', () => void fail('the request failed or its integrity did not match'));
    script.addEventListener('load', () => {
      if (!isReady()) return void fail('what came is not the SDK');
      end();
      policy.end();
      resolve();
    });
    script.async = true;
    if (nonce) script.nonce = nonce;
    if (integrity) {
      script.integrity = integrity;
      script.crossOrigin = 'anonymous';
    }
    try {
      script.src = trustedScript(url);
      document.head.append(script);
    } catch (error) {
      void fail('the page forbids the script', error);
    }
  });
}

/** The page's own console and `HTMLElement`, and the names of what the script adds. */
function rememberPage(): () => void {
  const target: Partial<Record<(typeof CONSOLE_METHODS)[number], unknown>> = console;
  const originals = CONSOLE_METHODS.map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  const element = Object.getOwnPropertyDescriptor(globalThis, 'HTMLElement');
  const globals = new Set(Object.keys(globalThis));
  return () => {
    for (const [name, descriptor] of originals) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
    if (element) Object.defineProperty(globalThis, 'HTMLElement', element);
    // Our own code runs meanwhile, and zod keeps its settings there.
    const added = Object.keys(globalThis).filter((name) => !globals.has(name) && !name.startsWith('__zod'));
    if (added.length > 0) console.debug(`<partner-dialer>: the SDK added the globals ${added.join(', ')}.`);
  };
}
