/** Puts a dialer on the page with a broker and an SDK behind it, and finds things in it as a person does. */
import { fixtureCleanup } from '@open-wc/testing';
import { EVENTS } from '../../src/element/public-names.ts';
import type { PartnerDialer } from '../../src/index.ts';
import '../../src/index.ts';
import { nextTurn, passTime, settled, until } from './clock.ts';
import { FakeBroker, type Answer } from './fake-broker.ts';
import { FakeVbot } from './fake-vbot.ts';
import { playLocks } from './locks.ts';

playLocks();

/** What the page gets when it asks for its storage; absent: the browser's own. */
let storageOfPage: (() => Storage) | undefined;
const STORAGE = globalThis.localStorage;
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  get: () => storageOfPage?.() ?? STORAGE,
});

/** Until the end of the test. */
export function useStorage(storage: () => Storage): void {
  storageOfPage = storage;
}

export interface DialerPage {
  readonly broker: FakeBroker;
  readonly dialer: PartnerDialer;
  /** Names of the events of the page, in order, without `dialer-statechange`. */
  readonly events: string[];
  readonly details: Map<string, CustomEvent>;
  close(): Promise<void>;
}

const EVENT_NAMES = Object.keys(EVENTS)
  .map((name) => name.replace('dialer-', ''))
  .filter((name) => name !== 'statechange');

const pages = new Set<DialerPage>();
afterEach(async () => {
  await Promise.all([...pages].map((page) => page.close()));
  storageOfPage = undefined;
  // The files of a run share one browser: what one test keeps, another would find.
  for (const key of Object.keys(STORAGE)) if (key.startsWith('partner-dialer ')) STORAGE.removeItem(key);
});

/**
 * Attributes with an empty `broker-url` leave it out. The dialer is closed after the test.
 *
 * @param answers of the broker, by `POST session` and the like
 */
export async function openDialer(
  attributes: Readonly<Record<string, string>> = {},
  answers: Readonly<Record<string, Answer>> = {},
): Promise<DialerPage> {
  const broker = new FakeBroker();
  for (const [what, answer] of Object.entries(answers)) broker.on(what, answer);
  const dialer = document.createElement('partner-dialer');
  const all = { 'broker-url': broker.url, 'sdk-url': '/sdk.js', lang: 'en', ...attributes };
  for (const [name, value] of Object.entries(all)) if (value !== '') dialer.setAttribute(name, value);
  const events: string[] = [];
  const details = new Map<string, CustomEvent>();
  for (const name of EVENT_NAMES) {
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
    // The next dialer of the page registers a second later: no test waits for it.
    await passTime(1000);
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

/** A dialer with a guide in sight. */
export async function openBlocked(
  answers: Readonly<Record<string, Answer>> = {},
  attributes: Readonly<Record<string, string>> = {},
): Promise<DialerPage> {
  const page = await openDialer(attributes, answers);
  await reaches(page.dialer, 'blocked');
  return page;
}

/** Calls somebody who answers. */
export async function talkOn(
  dialer: PartnerDialer,
  number = '0912345678',
  options: { readonly name?: string | undefined } = {},
): Promise<void> {
  await dialer.call(number, options);
  sdk().accept();
  await reaches(dialer, 'in-call');
}

/** Somebody calls. */
export async function ringOn(dialer: PartnerDialer, number = '0987654321', name?: string): Promise<void> {
  sdk().ring(number, name);
  await reaches(dialer, 'incoming');
}

/** Somebody calls and gives up. */
export async function missOn(dialer: PartnerDialer, number?: string, name?: string): Promise<void> {
  await ringOn(dialer, number, name);
  sdk().end('Cuộc gọi đã bị hủy');
  await reaches(dialer, 'ended');
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

/** All the text in sight. */
export function textOf(dialer: PartnerDialer): string {
  return (findPart(dialer, 'card')?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

export function button(dialer: PartnerDialer, name: string): HTMLButtonElement {
  const buttons = [...(dialer.shadowRoot?.querySelectorAll('button') ?? [])];
  const found = buttons.find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === name);
  if (!found)
    throw new Error(`no button "${name}" among ${buttons.map((each) => each.textContent.trim()).join(', ')}`);
  return found;
}

/** The field of the number. */
export function fieldOf(dialer: PartnerDialer): HTMLInputElement {
  return findIn(dialer, 'input[part~=number]') as HTMLInputElement;
}

export function findIn(dialer: PartnerDialer, selector: string): HTMLElement {
  const found = dialer.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** The first element with that part, as a page styles it. */
export function part(dialer: PartnerDialer, name: string): HTMLElement {
  return findIn(dialer, `[part~=${name}]`);
}

export function findPart(dialer: PartnerDialer, name: string): HTMLElement | null {
  return dialer.shadowRoot?.querySelector<HTMLElement>(`[part~=${name}]`) ?? null;
}

/** What has that name for a screen reader: the recent calls, the sound devices, the list of keys. */
export function findNamed(dialer: PartnerDialer, label: string): HTMLElement | null {
  return dialer.shadowRoot?.querySelector<HTMLElement>(`:is([role], section)[aria-label="${label}"]`) ?? null;
}

/** What a screen reader reads when the state changes. */
export function announcementOf({ shadowRoot }: PartnerDialer): Element | undefined {
  return [...(shadowRoot?.children ?? [])].find((each) => each.role === 'status');
}

/** In sight: how the last call ended, who was missed, what the dialer asks for. */
export function stripsOf({ shadowRoot }: PartnerDialer): HTMLElement[] {
  const strips = [...(shadowRoot?.querySelectorAll<HTMLElement>('[part~=strip]') ?? [])];
  return strips.filter((strip) => strip.checkVisibility({ visibilityProperty: true }));
}

/** In any language, with the number of missed calls on it. */
export function recentButton(dialer: PartnerDialer): HTMLElement {
  return findIn(dialer, '.recent-button');
}

export async function press(dialer: PartnerDialer, name: string): Promise<void> {
  button(dialer, name).click();
  await dialer.updateComplete;
}

export function sdk(): FakeVbot {
  if (!FakeVbot.current) throw new Error('the SDK was never booted');
  return FakeVbot.current;
}

/** As JsSIP tells it in a call: a request was not sent, or its reply will not come. */
export function loseSocket(): void {
  sdk().session.terminate({ status_code: 500, reason_phrase: 'Connection Error' });
}
