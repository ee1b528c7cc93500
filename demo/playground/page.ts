/** The playground: one `<partner-dialer>` on a fake phone, and a control for everything that can be set on it. */
import type { PartnerDialer } from '../../src/index.ts';
import '../../src/index.ts';
import { EVENTS } from '../../src/element/public-names.ts';
import { fakePhone } from '../../src/testing/fake-phone.ts';
import { byId, make, onPick } from '../crm/dom.ts';
import { offerCopy } from '../crm/embed.ts';
import { describeEvent } from '../crm/event-words.ts';
import { offerPreferences } from '../crm/preferences.ts';
import { formatClock } from '../crm/times.ts';
import { words } from '../crm/words/language.ts';
import { ATTRIBUTES, CUSTOM_PROPERTIES, type Setting } from './manifest.ts';
import { offerOtherParty } from './other-party.ts';
import { SettingsForm } from './settings.ts';
import { snippetFor, type Framework } from './snippets.ts';

/** The fake phone stands for these: the vendor's SDK and the broker would use them. */
const OF_SERVER =
  /^(?:broker-url|broker-credentials|sdk-.*|.*-sound-url|ringtone-url|hold-music-url|vendor-ui)$/;
const BROKER_URL = '/dialer/session';
const HOTLINES = [
  { name: 'Sales', number: '842899990001', code: 'HL_SALES' },
  { name: 'Support', number: '842899990002', code: 'HL_SUPPORT' },
];
const MOST_EVENTS = 200;

const phone = fakePhone({ hotlines: HOTLINES });
const dialer: PartnerDialer = document.createElement('partner-dialer');
dialer.setAttribute('broker-url', phone.brokerUrl);
dialer.setAttribute('sdk-url', phone.sdkUrl);

offerPreferences();
const drawParty = offerOtherParty(phone, () => dialer.state.status);
keepLog();
const form = new SettingsForm(apply);
for (const setting of ATTRIBUTES) {
  const isOfServer = OF_SERVER.test(setting.name);
  const place = isOfServer ? 'server-attributes' : 'attributes';
  form.offer(place, setting, setting.name === 'broker-url' ? BROKER_URL : '');
}
for (const setting of CUSTOM_PROPERTIES) form.offer('properties', setting);
onPick(byId('framework', HTMLFieldSetElement), drawSnippet);
offerCopy(byId('copy', HTMLButtonElement), byId('snippet', HTMLElement), () => words().copied);
dialer.addEventListener('dialer-statechange', drawParty);
byId('stage', HTMLElement).append(dialer);
drawParty();
// Served as files by another web server, the page has no demo beside it.
byId('demo', HTMLElement).hidden = document.querySelector('meta[name="demo-features"]') === null;

function apply(setting: Setting): void {
  const { name, fieldName } = setting;
  const value = form.values.get(setting);
  if (fieldName === '') dialer.style.setProperty(name, value ?? null);
  else if (!OF_SERVER.test(name)) {
    if (value === undefined) dialer.removeAttribute(name);
    else dialer.setAttribute(name, value);
    // Read when the element is inserted.
    if (name === 'connect-mode' && dialer.isConnected) byId('stage', HTMLElement).replaceChildren(dialer);
  }
  drawSnippet();
}

function drawSnippet(): void {
  const picked = document.querySelector<HTMLInputElement>('#framework input:checked')?.value;
  byId('snippet', HTMLElement).textContent = snippetFor((picked ?? 'html') as Framework, form.values);
}

function keepLog(): void {
  const list = byId('events', HTMLElement);
  const update = () => {
    while (list.childElementCount > MOST_EVENTS) list.lastElementChild?.remove();
    byId('events-empty', HTMLElement).hidden = list.childElementCount > 0;
  };
  for (const name of Object.keys(EVENTS) as (keyof typeof EVENTS)[]) {
    document.addEventListener(name, (event) => {
      list.prepend(drawEvent(name, describeEvent(name, event), event.detail));
      update();
    });
  }
  byId('log-clear', HTMLButtonElement).addEventListener('click', () => {
    list.replaceChildren();
    update();
  });
}

function drawEvent(name: string, brief: string, detail: unknown): HTMLElement {
  const summary = make(
    'summary',
    {},
    make('time', {}, formatClock(Date.now())),
    make('code', {}, name),
    make('span', {}, brief),
  );
  const text = JSON.stringify(detail, readable, 2);
  return make('li', { 'data-event': name }, make('details', {}, summary, make('pre', {}, text)));
}

/** What JSON would leave out. */
function readable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message };
  return typeof value === 'function' ? 'function' : value;
}
