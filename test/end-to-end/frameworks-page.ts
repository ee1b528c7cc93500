/** The page of `frameworks.test.ts`: mounts a dialer by React or Vue at a fake phone. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, h } from 'vue';
import { PartnerDialer as ReactDialer } from '../../src/react.ts';
import { fakePhone } from '../../src/testing/fake-phone.ts';
import { PartnerDialer as VueDialer } from '../../src/vue.ts';

type CallEnd = HTMLElementEventMap['dialer-callend'];

declare global {
  interface Window {
    /** Mounts, calls, unmounts in the middle of the call. @returns the outcomes that were told */
    unmountInCall(framework: 'React' | 'Vue'): Promise<(string | undefined)[]>;
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
