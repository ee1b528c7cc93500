/** The page of `frameworks.test.ts`: mounts a dialer by React or Vue. */
import { createElement, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { camelize, createApp, createSSRApp, h, shallowRef, toHandlerKey } from 'vue';
import { EVENTS } from '../../src/element/public-names.ts';
import type { PartnerDialer } from '../../src/element.ts';
import { PartnerDialer as ReactDialer } from '../../src/react.ts';
import { fakePhone, type FakePhone } from '../../src/testing/fake-phone.ts';
import { PartnerDialer as VueDialer } from '../../src/vue.ts';

type CallEnd = HTMLElementEventMap['dialer-callend'];

type Framework = 'React' | 'Vue';

declare global {
  interface Window {
    /** Mounts, calls, unmounts in the middle of the call. @returns the outcomes that were told */
    unmountInCall(framework: Framework): Promise<(string | undefined)[]>;
    /** Renders with each id, calls and hangs up. @returns the ids that the calls went out with, and the attribute after all */
    callByIds(framework: Framework, ids: readonly string[]): Promise<(string | null | undefined)[]>;
    /** Mounts with a listener for each event. @returns the events that these were given, of those dispatched on the element */
    listen(framework: Framework, events: readonly string[]): string[];
    /** Opens and closes a floating dialer as the app, as the agent and as both. @returns what it tells, and whether it was open */
    openAndClose(framework: Framework): Promise<string[]>;
    /** Renders with these words, the same anew, others and none. @returns the dialer's status after each */
    changeWords(framework: Framework): Promise<(string | undefined)[]>;
    /** Signs in, and gives the answer: as the app, or as a script before the app. @returns what the broker was asked for in all */
    signInFirst(framework: Framework, as: 'app' | 'script'): Promise<readonly string[]>;
  }
}

/** Of a dialer at a fake phone, with whatever a page sets besides. */
const atPhone = ({ brokerUrl, sdkUrl }: FakePhone) => ({ brokerUrl, sdkUrl });

interface Mounted {
  readonly dialer: PartnerDialer;
  render(props: object): void;
  unmount(): void;
}

/** As the app would, in a place of its own. */
function mount(framework: Framework, props: object): Mounted {
  const place = document.body.appendChild(document.createElement('div'));
  const app = framework === 'React' ? mountReact(place, props) : mountVue(place, props);
  return { ...app, dialer: place.querySelector('partner-dialer') as PartnerDialer };
}

function mountReact(place: HTMLElement, props: object): Omit<Mounted, 'dialer'> {
  const root = createRoot(place);
  const render = (next: object) => flushSync(() => root.render(createElement(ReactDialer, next)));
  render(props);
  return { render, unmount: () => root.unmount() };
}

function mountVue(place: HTMLElement, props: object): Omit<Mounted, 'dialer'> {
  const current = shallowRef(props);
  const app = createApp({ render: () => h(VueDialer, current.value) });
  app.mount(place);
  return { render: (next) => void (current.value = next), unmount: () => app.unmount() };
}

const until = (target: EventTarget, event: string) =>
  new Promise((resolve) => {
    target.addEventListener(event, resolve, { once: true });
  });

/** By then the framework and the dialer have drawn, and whatever is told twice is told. */
const drawn = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 20);
  });

window.unmountInCall = async (framework) => {
  const phone = fakePhone();
  const outcomes: (string | undefined)[] = [];
  const note = ({ detail }: CallEnd) => outcomes.push(detail.call.outcome);
  const { dialer, unmount } = mount(framework, {
    ...atPhone(phone),
    [framework === 'React' ? 'onDialerCallEnd' : 'onDialerCallend']: note,
  });
  await until(dialer, 'dialer-ready');
  await dialer.call('0900000200');
  const ended = until(globalThis, 'dialer-callend');
  unmount();
  await ended;
  await drawn();
  phone.restore();
  return outcomes;
};

window.callByIds = async (framework, ids) => {
  const phone = fakePhone();
  const sent: (string | undefined)[] = [];
  const withId = (externalCallId?: string) => ({ ...atPhone(phone), externalCallId, lookup: () => [] });
  const { dialer, render } = mount(framework, withId(ids[0]));
  await until(dialer, 'dialer-ready');
  dialer.addEventListener('dialer-callstart', ({ detail }) => sent.push(detail.call.externalCallId));
  for (const id of ids) {
    render(withId(id));
    await drawn();
    await dialer.call('0900000200');
    await dialer.hangUp();
  }
  phone.restore();
  return [...sent, dialer.externalCallId];
};

window.listen = (framework, events) => {
  const heard: string[] = [];
  const listeners = Object.entries(EVENTS).map(([name, words]) => [
    framework === 'React' ? `on${words}` : toHandlerKey(camelize(name)),
    (event: CustomEvent<string>) => heard.push(`${name}: ${event.detail}`),
  ]);
  const { dialer } = mount(framework, { connectMode: 'manual', ...Object.fromEntries(listeners) });
  for (const name of events) dialer.dispatchEvent(new CustomEvent(name, { detail: `of ${name}` }));
  return heard;
};

window.openAndClose = async (framework) => {
  const told: string[] = [];
  let [open, title] = [false, ''];
  const set = (is: boolean) => {
    told.push(`told ${is}`);
    open = is;
    draw();
  };
  const hear = ({ detail }: HTMLElementEventMap['dialer-toggle']) => set(detail.open);
  const listener = framework === 'React' ? { onDialerToggle: hear } : { 'onUpdate:open': set };
  const props = () => ({ connectMode: 'manual', floating: true, open, title, ...listener });
  const { dialer, render } = mount(framework, props());
  const draw = () => render(props());
  const look = async (what: string) => {
    await drawn();
    const isDrawn = dialer.shadowRoot?.querySelector('[part~=card]') !== null;
    told.push(`${what}: ${isDrawn}, ${dialer.open}, ${dialer.hasAttribute('open')}`);
  };
  const press = () => dialer.shadowRoot?.querySelector<HTMLElement>('[part~=bubble]')?.click();
  await look('at first');
  press();
  await look('the agent opens it');
  title = 'rendered again';
  draw();
  await look('rendered again');
  press();
  await look('the agent closes it');
  open = true;
  draw();
  await look('the app opens it');
  title = 'and again';
  open = false;
  draw();
  await look('the app closes it');
  return told;
};

const idle = (word: string) => ({ connectMode: 'manual', lang: 'en', words: { status: { idle: word } } });

window.changeWords = async (framework) => {
  const { dialer, render } = mount(framework, idle('Off'));
  const read: (string | undefined)[] = [];
  for (const props of [idle('Off'), idle('Off'), idle('Not on'), { ...idle(''), words: undefined }]) {
    render(props);
    await drawn();
    read.push(dialer.shadowRoot?.querySelector('[part~=status]')?.textContent.trim());
  }
  return read;
};

/** Into what a server has written: see `test/package/server-rendering.test.ts`. */
function hydrate(framework: Framework, place: HTMLElement, props: object): void {
  if (framework === 'Vue') return void createSSRApp({ render: () => h(VueDialer, props) }).mount(place);
  hydrateRoot(place, createElement(StrictMode, null, createElement(ReactDialer, props)));
}

window.signInFirst = async (framework, as) => {
  const phone = fakePhone();
  const session = fetch(phone.brokerUrl, { method: 'POST' });
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = `<partner-dialer broker-url="${phone.brokerUrl}" sdk-url="${phone.sdkUrl}" connect-mode="manual"></partner-dialer>`;
  const dialer = place.querySelector('partner-dialer') as PartnerDialer;
  if (as === 'script') dialer.session = session;
  const ready = until(dialer, 'dialer-ready');
  hydrate(framework, place, { ...atPhone(phone), ...(as === 'app' && { session }) });
  await ready;
  await drawn();
  const { requests } = phone;
  phone.restore();
  return dialer.isConnected ? requests : ['another element was drawn'];
};
