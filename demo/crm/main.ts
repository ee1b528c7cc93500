/** The demo: a small CRM around one `<partner-dialer>`. This file only introduces its parts to each other. */
import { DialerError, PartnerDialer } from '../../src/index.ts';
import { offerAgents } from './agents.ts';
import { drawDetail } from './customer-detail.ts';
import { CustomerFile } from './customer-file.ts';
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
const features = document.querySelector<HTMLMetaElement>('meta[name="demo-features"]')?.content ?? '';
const [first] = CUSTOMERS;
if (first) start(new CustomerFile(first));

function start(file: CustomerFile): void {
  offerPreferences(dialer);
  keepLog(dialer);
  offerSnippet();
  drawTable(byId('rows', HTMLElement), file, call);
  drawDetail(file, call);
  setInterval(() => file.touch(), MINUTE_MS);

  dialer.addEventListener('dialer-callend', ({ detail }) => file.addCall(detail.call));
  dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
    file.followCall(state);
    say('');
    const rings = state.status !== previous.status && /dialing|incoming|blocked/.test(state.status);
    // On a telephone-sized screen the table may have scrolled the dialer away.
    if (rings && NARROW.matches) dialer.scrollIntoView({ block: 'nearest' });
  });

  const isSandbox = features.includes('sandbox');
  byId('real-vendor', HTMLElement).hidden = isSandbox;
  if (isSandbox) {
    dialer.setAttribute('sdk-url', '/vendor/vbot-sdk.js');
    dialer.setAttribute('sdk-base-url', new URL('/vendor/v3.0', location.href).href);
  }
  const bar = isSandbox ? new ScenarioBar(dialer, file) : undefined;
  const connect = () => dialer.connect().catch(() => undefined);

  if (!features.includes('sign-in')) {
    byId('sign-in', HTMLElement).hidden = true;
    void connect();
    return;
  }
  void offerAgents(async (memberNo) => {
    await dialer.disconnect();
    bar?.follow(memberNo);
    await connect();
  });
}

async function call(customer: Customer): Promise<void> {
  // The CRM finds the call again by this, in the vendor's list and in its webhooks.
  const externalCallId = `${customer.id}${Date.now().toString(36)}`;
  try {
    await dialer.call(customer.phone, { externalCallId });
  } catch (error) {
    // What has a guide or a screen of its own is shown by the dialer.
    if (error instanceof DialerError && error.code === 'busy') say('One call at a time: hang up first.');
    if (error instanceof DialerError && error.code === 'not-ready') say('The dialer is not ready yet.');
  }
}

function say(trouble: string): void {
  byId('trouble', HTMLElement).textContent = trouble;
}
