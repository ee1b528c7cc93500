/** The playground: one `<partner-dialer>` on a fake phone, and a control for everything that can be set on it. */
import type { PartnerDialer } from '../../src/index.ts';
import '../../src/index.ts';
import { fakePhone } from '../../src/testing/fake-phone.ts';
import { byId, onPick } from '../crm/dom.ts';
import { offerSnippet } from '../crm/embed.ts';
import { keepLog } from '../crm/event-log.ts';
import { offerPreferences } from '../crm/preferences.ts';
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

const phone = fakePhone({ hotlines: HOTLINES });
const dialer: PartnerDialer = document.createElement('partner-dialer');
dialer.setAttribute('broker-url', phone.brokerUrl);
dialer.setAttribute('sdk-url', phone.sdkUrl);

offerPreferences();
const drawParty = offerOtherParty(phone, () => dialer.state.status);
keepLog(dialer);
const form = new SettingsForm(apply);
for (const setting of ATTRIBUTES) {
  const isOfServer = OF_SERVER.test(setting.name);
  const place = isOfServer ? 'server-attributes' : 'attributes';
  form.offer(place, setting, setting.name === 'broker-url' ? BROKER_URL : '');
}
for (const setting of CUSTOM_PROPERTIES) form.offer('properties', setting);
onPick(byId('framework', HTMLFieldSetElement), drawSnippet);
offerSnippet();
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
