/** The page of `frameworks.test.ts`: mounts a dialer by React or Vue at a fake phone. */
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { camelize, createApp, h, shallowRef, toHandlerKey } from 'vue';
import { EVENTS } from '../../src/element/public-names.ts';
import { PartnerDialer as ReactDialer } from '../../src/react.ts';
import { fakePhone } from '../../src/testing/fake-phone.ts';
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
  }
}

window.unmountInCall = async (framework) => {
  const phone = fakePhone();
  const place = document.body.appendChild(document.createElement('div'));
  const outcomes: (string | undefined)[] = [];
  const note = ({ detail }: CallEnd) => outcomes.push(detail.call.outcome);
  const settings = { brokerUrl: phone.brokerUrl, sdkUrl: phone.sdkUrl };
  const ready = new Promise((resolve) => {
    place.addEventListener('dialer-ready', resolve, { once: true });
  });
  const ended = new Promise((resolve) => {
    addEventListener('dialer-callend', resolve, { once: true });
  });
  const unmount = framework === 'React' ? mountReact() : mountVue();
  await ready;
  await place.querySelector('partner-dialer')?.call('0900000200');
  unmount();
  await ended;
  // Whatever is told twice is told by now.
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  phone.restore();
  return outcomes;

  function mountReact(): () => void {
    const root = createRoot(place);
    root.render(createElement(ReactDialer, { ...settings, onDialerCallEnd: note }));
    return () => root.unmount();
  }

  function mountVue(): () => void {
    const app = createApp({ render: () => h(VueDialer, { ...settings, onDialerCallend: note }) });
    app.mount(place);
    return () => app.unmount();
  }
};

window.callByIds = async (framework, ids) => {
  const phone = fakePhone();
  const place = document.body.appendChild(document.createElement('div'));
  const sent: (string | undefined)[] = [];
  const props = (externalCallId?: string) => ({
    brokerUrl: phone.brokerUrl,
    sdkUrl: phone.sdkUrl,
    externalCallId,
    lookup: () => [],
  });
  const ready = new Promise((resolve) => {
    place.addEventListener('dialer-ready', resolve, { once: true });
  });
  const root = createRoot(place);
  const current = shallowRef(props(ids[0]));
  if (framework === 'Vue') createApp({ render: () => h(VueDialer, current.value) }).mount(place);
  else root.render(createElement(ReactDialer, current.value));
  await ready;
  const dialer = place.querySelector('partner-dialer');
  dialer?.addEventListener('dialer-callstart', ({ detail }) => sent.push(detail.call.externalCallId));
  for (const id of ids) {
    current.value = props(id);
    if (framework === 'React') flushSync(() => root.render(createElement(ReactDialer, current.value)));
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    await dialer?.call('0900000200');
    await dialer?.hangUp();
  }
  phone.restore();
  return [...sent, dialer?.externalCallId];
};

window.listen = (framework, events) => {
  const place = document.body.appendChild(document.createElement('div'));
  const heard: string[] = [];
  const listenerOf = (name: string) => (event: CustomEvent<string>) => heard.push(`${name}: ${event.detail}`);
  if (framework === 'React') {
    const names = Object.entries(EVENTS).map(([name, words]) => [`on${words}`, listenerOf(name)]);
    const props = { connectMode: 'manual', ...Object.fromEntries(names) } as object;
    flushSync(() => createRoot(place).render(createElement(ReactDialer, props)));
  } else {
    const names = Object.keys(EVENTS).map((name) => [toHandlerKey(camelize(name)), listenerOf(name)]);
    const props = { connectMode: 'manual', ...Object.fromEntries(names) } as object;
    createApp({ render: () => h(VueDialer, props) }).mount(place);
  }
  const dialer = place.querySelector('partner-dialer');
  for (const name of events) dialer?.dispatchEvent(new CustomEvent(name, { detail: `of ${name}` }));
  return heard;
};

window.openAndClose = async (framework) => {
  const place = document.body.appendChild(document.createElement('div'));
  const told: string[] = [];
  const root = createRoot(place);
  const [open, title] = [shallowRef(false), shallowRef('')];
  const set = (is: boolean) => {
    told.push(`told ${is}`);
    open.value = is;
    draw();
  };
  const settings = { connectMode: 'manual', floating: true } as const;
  const hear = ({ detail }: HTMLElementEventMap['dialer-toggle']) => set(detail.open);
  const draw = () => {
    if (framework === 'Vue') return;
    const props = { ...settings, open: open.value, title: title.value };
    root.render(createElement(ReactDialer, { ...props, onDialerToggle: hear }));
  };
  const template = () =>
    h(VueDialer, { ...settings, open: open.value, title: title.value, 'onUpdate:open': set });
  if (framework === 'Vue') createApp({ render: template }).mount(place);
  draw();
  const look = async (what: string) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    const dialer = place.querySelector('partner-dialer');
    const isDrawn = dialer?.shadowRoot?.querySelector('[part~=card]') !== null;
    told.push(`${what}: ${isDrawn}, ${dialer?.open}, ${dialer?.hasAttribute('open')}`);
  };
  const press = () =>
    place.querySelector('partner-dialer')?.shadowRoot?.querySelector<HTMLElement>('[part~=bubble]')?.click();
  const render = (to: string) => {
    title.value = to;
    draw();
  };
  await look('at first');
  press();
  await look('the agent opens it');
  render('rendered again');
  await look('rendered again');
  press();
  await look('the agent closes it');
  open.value = true;
  draw();
  await look('the app opens it');
  render('and again');
  open.value = false;
  draw();
  await look('the app closes it');
  return told;
};

const idle = (word: string) =>
  ({ connectMode: 'manual', lang: 'en', words: { status: { idle: word } } }) as const;

window.changeWords = async (framework) => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const current = shallowRef<object>(idle('Off'));
  if (framework === 'Vue') createApp({ render: () => h(VueDialer, current.value) }).mount(place);
  const read: (string | undefined)[] = [];
  for (const props of [idle('Off'), idle('Off'), idle('Not on'), { ...idle(''), words: undefined }]) {
    current.value = props;
    if (framework === 'React') root.render(createElement(ReactDialer, props));
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    const { shadowRoot } = place.querySelector('partner-dialer') ?? {};
    read.push(shadowRoot?.querySelector('[part~=status]')?.textContent.trim());
  }
  return read;
};
