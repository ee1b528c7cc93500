/** The demo: a small CRM around one `<partner-dialer>`. This file connects its parts. */
import { DialerError, PartnerDialer } from '../../src/index.ts';
import { offerAgents } from './agents.ts';
import { CallsPanel } from './calls/calls-panel.ts';
import type { Callee } from './customers/call-button.ts';
import { drawBanner } from './customers/caller-banner.ts';
import { drawCard } from './customers/card-view.ts';
import { CustomerCard } from './customers/customer-card.ts';
import { CustomerList } from './customers/customer-list.ts';
import { drawTable } from './customers/customer-table.ts';
import { remember } from './customers/known-names.ts';
import { isOnThePhone, LiveCaller } from './customers/live-call.ts';
import { byId } from './dom.ts';
import { offerSnippet } from './embed.ts';
import { keepLog } from './event-log.ts';
import { offerPreferences } from './preferences.ts';
import { Tour } from './tour.ts';
import { words, type Words } from './words/language.ts';

const MINUTE_MS = 60_000;
const NARROW = matchMedia('(max-width: 1000px)');
/** Rings where the list has nobody who could. */
const STRANGER_NUMBER = '0977123456';
/** Of the sandbox's customers the one who answers. */
const MAI = { code: 'c01', name: 'Nguyễn Thị Mai', number: '0900000200' };

const dialer = byId('dialer', PartnerDialer);
const features = readMeta('demo-features');
const isSandbox = features.includes('sandbox');
const list = new CustomerList();
const card = new CustomerCard();
const caller = new LiveCaller(card);

offerPreferences(dialer);
keepLog(dialer);
offerSnippet();
drawTable(list, card, caller, call);
drawCard(card, caller, call);
drawBanner(card, caller);
const calls = new CallsPanel(dialer);
setInterval(() => calls.draw(), MINUTE_MS);

dialer.addEventListener(
  'dialer-customer',
  ({
    detail: {
      call: { number },
      customers,
    },
  }) => {
    remember(customers.map(({ code, name }) => ({ code, name, number })));
    void caller.meet(customers).then(bringCardIntoView);
  },
);
dialer.addEventListener('dialer-callend', ({ detail }) => void caller.lookFor(detail.call));
dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
  caller.follow(state);
  showTrouble(undefined);
  byId('agent', HTMLSelectElement).disabled = isOnThePhone(state.status);
  if (state.status === 'incoming' && previous.status !== 'incoming') bringDialerIntoView();
});
connect();

function connect(): void {
  byId('real-vendor', HTMLElement).hidden = isSandbox;
  byId('sandbox', HTMLElement).hidden = !isSandbox;
  byId('about-more', HTMLElement).hidden = !isSandbox;
  // They name the sandbox as their vendor.
  byId('pages', HTMLElement).hidden = !isSandbox;
  if (isSandbox) dialer.setAttribute('sdk-url', '/vendor/vbot-sdk.js');
  dialer.setAttribute(
    'sdk-base-url',
    isSandbox ? new URL('/vendor/v3.0', location.href).href : readMeta('demo-sdk-base'),
  );
  const tour = isSandbox ? new Tour({ dialer, caller: findCaller, call: () => call(MAI) }) : undefined;
  const open = () => dialer.connect().catch(() => undefined);

  if (!features.includes('sign-in')) {
    byId('sign-in', HTMLElement).hidden = true;
    void list.load();
    void open().then(() => calls.follow());
    return;
  }
  void offerAgents(
    async (memberNo) => {
      calls.follow();
      void list.load();
      await dialer.disconnect();
      tour?.follow(memberNo);
      await open();
    },
    () => showTrouble('noSignIn'),
  );
}

async function call({ code, name, number }: Callee): Promise<void> {
  void caller.meet([{ code, name, number }]);
  bringDialerIntoView();
  try {
    await dialer.call(number, { name, externalCallId: callIdFor(code) });
  } catch (error) {
    // What has a guide or a screen of its own is shown by the dialer.
    if (error instanceof DialerError && error.code === 'busy') showTrouble('busy');
    if (error instanceof DialerError && error.code === 'not-ready') showTrouble('notReady');
  }
}

/** The CRM finds the call again by this, in the vendor's list and in its webhooks: at most 32 of a-z0-9. */
function callIdFor(code: string): string {
  const customer = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return `${customer.slice(0, 20)}${Date.now().toString(36)}`;
}

/** The customer on the card, else the first one of the list. */
function findCaller(): { readonly name: string; readonly number: string } {
  const rows = (list.data?.customers ?? []).filter(({ number }) => number !== '');
  const stranger = { name: words().scenarios.somebody, number: STRANGER_NUMBER };
  return rows.find(({ code }) => code === card.code) ?? rows[0] ?? stranger;
}

/** What the server tells the page in a meta element. */
function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** On a narrow page it is above the table, out of sight at the last customer. */
function bringDialerIntoView(): void {
  if (NARROW.matches) dialer.scrollIntoView({ block: 'nearest' });
}

/** Below the list where there is no room beside it. The dialer stays in sight then, unless the page is narrow. */
function bringCardIntoView(): void {
  const element = byId('card', HTMLElement);
  const { top } = element.getBoundingClientRect();
  if (!NARROW.matches && (top < 0 || top > innerHeight / 2)) element.scrollIntoView({ block: 'nearest' });
}

function showTrouble(reason: keyof Words['trouble'] | undefined): void {
  byId('trouble', HTMLElement).textContent = reason ? words().trouble[reason] : '';
}
