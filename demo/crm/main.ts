/**
 * The demo: a small CRM with a `<partner-dialer>` in it. Everything that the CRM and the dialer tell each other is in this file;
 * the other files draw the CRM.
 */
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
import { bringCardIntoView, bringDialerIntoView } from './in-view.ts';
import { offerPreferences } from './preferences.ts';
import { offerTour } from './tour.ts';
import { hasSignIn, isSandbox, offerVendor } from './vendor.ts';
import { words, type Words } from './words/language.ts';

const dialer = byId('dialer', PartnerDialer);
const list = new CustomerList();
const card = new CustomerCard();
const caller = new LiveCaller(card);

offerPreferences(dialer);
offerVendor(dialer);
offerSnippet();
keepLog(dialer);
drawTable(list, card, caller, call);
drawCard(card, caller, call);
drawBanner(card, caller);
const calls = new CallsPanel(dialer);
if (isSandbox) offerTour(dialer, list, card, call);

/** The agent has pressed a number: the page calls it. */
async function call({ code, name, number }: Callee): Promise<void> {
  void caller.meet([{ code, name, number }]);
  bringDialerIntoView();
  try {
    await dialer.call(number, { name, externalCallId: callIdFor(code) });
  } catch (error) {
    // The dialer itself shows every other reason.
    const reason = error instanceof DialerError ? error.code : undefined;
    if (reason === 'busy' || reason === 'not-ready') showTrouble(reason);
  }
}

/** The vendor's list of calls and its webhooks repeat this id, which leads back to the customer: at most 32 of a-z0-9. */
function callIdFor(code: string): string {
  const customer = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return `${customer.slice(0, 20)}${Date.now().toString(36)}`;
}

// The dialer knows whose number it is: their card opens.
dialer.addEventListener('dialer-customer', ({ detail: { call: info, customers } }) => {
  remember(customers.map(({ code, name }) => ({ code, name, number: info.number })));
  void caller.meet(customers).then(bringCardIntoView);
});

// The dialer's state has changed: the page marks who is on the phone, and nobody else signs in meanwhile.
dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
  caller.follow(state);
  showTrouble(undefined);
  byId('agent', HTMLSelectElement).disabled = isOnThePhone(state.status);
  if (state.status === 'incoming' && previous.status !== 'incoming') bringDialerIntoView();
});

// A call is over: the page reads the customer's history again.
dialer.addEventListener('dialer-callend', ({ detail }) => void caller.lookFor(detail.call));

/** The agent has signed in to the page: the dialer connects with their session. It shows by itself why it cannot. */
async function start(): Promise<void> {
  calls.follow();
  void list.load();
  await dialer.disconnect();
  await dialer.connect().catch(() => undefined);
}

if (hasSignIn) void offerAgents(start, () => showTrouble('no-sign-in'));
else void start();

function showTrouble(reason: keyof Words['trouble'] | undefined): void {
  byId('trouble', HTMLElement).textContent = reason ? words().trouble[reason] : '';
}
