/** The broker of a fake phone: `fetch` answers its addresses and passes other requests on unchanged. */
import type { Hotline, Member } from '../broker/contract.ts';

export interface Readiness {
  readonly member: Member;
  readonly hotlines: readonly Hotline[];
  readonly blockers: readonly string[];
}

export interface FakeBroker {
  readonly url: string;
  readonly requests: readonly string[];
  readiness(): Readiness;
  block(blockers: readonly string[]): void;
  close(): void;
}

const LINKS = { status: 'status', topUp: 'topUp', hotline: 'hotline' } as const;

type Answer = (request: Request) => Promise<Response>;

/** By the beginning of the address. */
const brokers = new Map<string, Answer>();
let restoreFetch: (() => void) | undefined;

export function serveBroker(base: string, token: string, given: Readiness): FakeBroker {
  let { blockers } = given;
  const requests: string[] = [];
  const readiness = (): Readiness => ({
    ...given,
    hotlines: blockers.includes('no-hotline') ? [] : given.hotlines,
    member: blockers.includes('insufficient-funds') ? { ...given.member, balance: 0 } : given.member,
    blockers,
  });
  brokers.set(base, async ({ url, signal }) => {
    signal.throwIfAborted();
    const name = url.slice(base.length);
    requests.push(name);
    if (name === 'session') return Response.json({ ...readiness(), token, links: LINKS });
    if (name in LINKS) return Response.json({ ...readiness(), links: LINKS });
    return new Response(null, { status: 404 });
  });
  restoreFetch ??= replaceFetch();
  return {
    url: `${base}session`,
    requests,
    readiness,
    block: (reasons) => {
      blockers = [...reasons];
    },
    close: () => {
      brokers.delete(base);
      if (brokers.size > 0) return;
      restoreFetch?.();
      restoreFetch = undefined;
    },
  };
}

/** @returns restores the page's `fetch` */
function replaceFetch(): () => void {
  const original = globalThis.fetch;
  const answering: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : new URL(input, document.baseURI).href;
    const answer = [...brokers].find(([base]) => address.startsWith(base))?.[1];
    return answer ? answer(new Request(input, init)) : original.call(globalThis, input, init);
  };
  globalThis.fetch = answering;
  return () => {
    // If somebody has replaced `fetch` since, theirs stays; this one then only passes requests on.
    if (globalThis.fetch === answering) globalThis.fetch = original;
  };
}

interface Dialer extends Element {
  readonly brokerUrl?: unknown;
  readonly state: { readonly status: string; readonly call: { readonly is: string } };
  readonly updateComplete: Promise<boolean>;
  recheck(): Promise<void>;
}

/** A dialer checks again by itself, but a test should not have to wait for it. */
export async function recheckDialers(brokerUrl: string): Promise<void> {
  // The dialer shows the result.
  await Promise.allSettled(
    dialersOf(brokerUrl).map(async (dialer) => {
      // If the dialer has just been given another address, it connects anew, and an earlier request does not count.
      await dialer.updateComplete;
      await dialer.recheck();
    }),
  );
}

/** How long a test waits for a dialer. */
const TIMEOUT_MS = 10_000;

/** Waits for the dialers that are connecting, not for those that have failed or wait for `connect()`. */
export async function connected(brokerUrl: string): Promise<void> {
  const dialers = dialersOf(brokerUrl);
  await Promise.all(dialers.map((dialer) => until([dialer], ({ state }) => state.status !== 'connecting')));
}

/** Waits until one of the dialers is in a call. */
export async function inCall(brokerUrl: string): Promise<void> {
  await until(dialersOf(brokerUrl), ({ state }) => !['none', 'ended'].includes(state.call.is));
}

/** Resolves when the condition holds for one of the dialers, at the latest after the timeout. */
function until(dialers: readonly Dialer[], holds: (dialer: Dialer) => boolean): Promise<void> {
  if (dialers.length === 0 || dialers.some(holds)) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = new AbortController();
    const settle = (): void => {
      listening.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(settle, TIMEOUT_MS);
    const onChange = (): void => {
      if (dialers.some(holds)) settle();
    };
    for (const dialer of dialers)
      dialer.addEventListener('dialer-statechange', onChange, { signal: listening.signal });
  });
}

function dialersOf(brokerUrl: string): Dialer[] {
  return dialersIn(document).filter((dialer) => dialer.brokerUrl === brokerUrl);
}

/** In open shadow roots, too. */
function dialersIn(root: ParentNode): Dialer[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.localName === 'partner-dialer' ? [element as Dialer] : []),
    ...(element.shadowRoot && element.localName !== 'partner-dialer' ? dialersIn(element.shadowRoot) : []),
  ]);
}
