/** The demo: a small CRM around one `<partner-dialer>`. This file connects its parts. */
import { DialerError, PartnerDialer } from '../../src/index.ts';
import { offerAgents } from './agents.ts';
import { CallsPanel } from './calls-panel.ts';
import { drawDetail } from './customer-detail.ts';
import { CustomerFile, isOnThePhone } from './customer-file.ts';
import { drawTable } from './customer-table.ts';
import { CUSTOMERS, type Customer } from './customers.ts';
import { byId } from './dom.ts';
import { offerSnippet } from './embed.ts';
import { keepLog } from './event-log.ts';
import { offerPreferences } from './preferences.ts';
import { ScenarioBar } from './scenario-bar.ts';

const MINUTE_MS = 60_000;
const NARROW = matchMedia('(max-width: 1000px)');

const dialer = byId('dialer', PartnerDialer);
const features = readMeta('demo-features');
const isSandbox = features.includes('sandbox');
const [first] = CUSTOMERS;
if (first) start(new CustomerFile(first));

function start(file: CustomerFile): void {
  offerPreferences(dialer);
  keepLog(dialer);
  offerSnippet();
  drawTable(byId('rows', HTMLElement), file, call);
  drawDetail(file, call);
  const calls = new CallsPanel(dialer);
  setInterval(() => {
    file.touch();
    calls.draw();
  }, MINUTE_MS);

  dialer.addEventListener('dialer-callend', ({ detail }) => file.addCall(detail.call));
  dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
    file.followCall(state);
    showError('');
    byId('agent', HTMLSelectElement).disabled = isOnThePhone(state.status);
    if (state.status === 'incoming' && previous.status !== 'incoming') bringDialerIntoView();
  });

  byId('real-vendor', HTMLElement).hidden = isSandbox;
  if (isSandbox) {
    byId('scenarios-title', HTMLElement).textContent = 'Sandbox';
    dialer.setAttribute('sdk-url', '/vendor/vbot-sdk.js');
  }
  dialer.setAttribute(
    'sdk-base-url',
    isSandbox ? new URL('/vendor/v3.0', location.href).href : readMeta('demo-sdk-base'),
  );
  const bar = isSandbox ? new ScenarioBar(dialer, file) : undefined;
  const connect = () => dialer.connect().catch(() => undefined);

  if (!features.includes('sign-in')) {
    byId('sign-in', HTMLElement).hidden = true;
    void connect().then(() => calls.follow());
    return;
  }
  offerAgents(async (memberNo) => {
    calls.follow();
    await dialer.disconnect();
    bar?.follow(memberNo);
    await connect();
  }).catch(() => showError('The sign-in does not answer. Is the demo still running?'));
}

async function call(customer: Customer): Promise<void> {
  const { name, phone } = customer;
  // Invented numbers ring with real people when the vendor is real.
  if (!isSandbox && !confirm(`${name} is invented, but ${phone} may be somebody’s number. Call it?`)) return;
  bringDialerIntoView();
  // The CRM finds the call again by this, in the vendor's list and in its webhooks.
  const externalCallId = `${customer.id}${Date.now().toString(36)}`;
  try {
    await dialer.call(customer.phone, { externalCallId });
  } catch (error) {
    // What has a guide or a screen of its own is shown by the dialer.
    if (error instanceof DialerError && error.code === 'busy')
      showError('One call at a time: hang up first.');
    if (error instanceof DialerError && error.code === 'not-ready') showError('The dialer is not ready yet.');
  }
}

/** What the server tells the page in a meta element. */
function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** On a narrow page it is above the table, out of sight at the last customer. */
function bringDialerIntoView(): void {
  if (NARROW.matches) dialer.scrollIntoView({ block: 'nearest' });
}

function showError(text: string): void {
  byId('trouble', HTMLElement).textContent = text;
}
