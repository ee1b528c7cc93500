/** Puts a dialer on the page with a broker and an SDK behind it, and finds things in it as a person does. */
import { fixtureCleanup } from '@open-wc/testing';
import { DialerError } from '../../src/errors.ts';
import type { PartnerDialer } from '../../src/index.ts';
import '../../src/index.ts';
import { nextTurn, passTime, settled, until } from './clock.ts';
import { FakeBroker } from './fake-broker.ts';
import { FakeVbot } from './fake-vbot.ts';

const DATABASES = globalThis.indexedDB;
// The files of a run share one browser: what one of them keeps, another would find.
useDatabases(null);

/** @param databases what the page gets; absent: the browser's own */
export function useDatabases(databases: unknown = DATABASES): void {
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: () => databases });
}

export interface DialerPage {
  readonly broker: FakeBroker;
  readonly dialer: PartnerDialer;
  /** Names of the events of the page, in order, without `dialer-statechange`. */
  readonly events: string[];
  readonly details: Map<string, CustomEvent>;
  close(): Promise<void>;
}

const CALL_EVENTS = [
  'ready',
  'beforecall',
  'callstart',
  'callincoming',
  'callconnect',
  'callfail',
  'callend',
  'blocked',
];
const MORE_EVENTS = ['topuprequest', 'hotlinerequest', 'error'];

const pages = new Set<DialerPage>();
afterEach(async () => {
  await Promise.all([...pages].map((page) => page.close()));
});

/** Attributes with an empty `broker-url` leave it out. The dialer is closed after the test. */
export async function openDialer(
  attributes: Readonly<Record<string, string>> = {},
  prepare: (broker: FakeBroker) => void = () => undefined,
): Promise<DialerPage> {
  const broker = new FakeBroker();
  prepare(broker);
  const dialer = document.createElement('partner-dialer');
  const all = { 'broker-url': broker.url, 'sdk-url': '/sdk.js', lang: 'en', ...attributes };
  for (const [name, value] of Object.entries(all)) if (value !== '') dialer.setAttribute(name, value);
  const events: string[] = [];
  const details = new Map<string, CustomEvent>();
  for (const name of [...CALL_EVENTS, ...MORE_EVENTS]) {
    dialer.addEventListener(`dialer-${name}`, (event) => {
      events.push(name);
      if (event instanceof CustomEvent) details.set(name, event);
    });
  }
  document.body.append(dialer);
  await dialer.updateComplete;
  const close = async () => {
    pages.delete(page);
    dialer.remove();
    fixtureCleanup();
    broker.close();
    FakeVbot.onBoot = (vbot) => vbot.register();
    await nextTurn();
  };
  const page = { broker, dialer, events, details, close };
  pages.add(page);
  return page;
}

/** A dialer that can call. */
export async function openReady(...options: Parameters<typeof openDialer>): Promise<DialerPage> {
  const page = await openDialer(...options);
  await reaches(page.dialer, 'ready');
  return page;
}

/** Calls somebody who answers. */
export async function talkOn(dialer: PartnerDialer): Promise<void> {
  await dialer.call('0912345678');
  sdk().accept();
  await reaches(dialer, 'in-call');
}

/** Resolves once the dialer has that status and has drawn it. */
export async function reaches(dialer: PartnerDialer, status: string): Promise<void> {
  try {
    await until(() => dialer.state.status === status, status);
  } catch {
    throw new Error(`still ${dialer.state.status}, not ${status}`);
  }
  await dialer.updateComplete;
}

export { nextTurn, passTime, settled, until };

/** The code with which the dialer rejected, or `resolved`. */
export async function codeOf(settling: Promise<unknown>): Promise<string> {
  return settling.then(
    () => 'resolved',
    (error: unknown) => (error instanceof DialerError ? error.code : String(error)),
  );
}

/** All the text in sight. */
export function textOf(dialer: PartnerDialer): string {
  const card = dialer.shadowRoot?.querySelector('.card');
  return (card?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

export function button(dialer: PartnerDialer, name: string): HTMLButtonElement {
  const buttons = [...(dialer.shadowRoot?.querySelectorAll('button') ?? [])];
  const found = buttons.find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === name);
  if (!found)
    throw new Error(`no button "${name}" among ${buttons.map((each) => each.textContent.trim()).join(', ')}`);
  return found;
}

export async function press(dialer: PartnerDialer, name: string): Promise<void> {
  button(dialer, name).click();
  await dialer.updateComplete;
}

export function sdk(): FakeVbot {
  if (!FakeVbot.current) throw new Error('the SDK was never booted');
  return FakeVbot.current;
}
