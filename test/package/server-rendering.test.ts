/** What a server makes of the dialer in React and in Vue: a tag that waits for its page. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
import { PartnerDialer as ReactDialer } from '../../src/react.ts';
import { PartnerDialer as VueDialer } from '../../src/vue.ts';

const PROPERTIES = {
  brokerUrl: '/dialer/session',
  brokerHeaders: { Authorization: 'Bearer secret' },
  lowBalance: 0,
  hotkeys: true,
  vendorUi: false,
  onDialerReady: () => {},
};

it('a server renders the dialer of React as a tag that does not connect before its page is hydrated', () => {
  assert.equal(
    renderReact(createElement(ReactDialer, { ...PROPERTIES, className: 'phone' })),
    '<partner-dialer class="phone" broker-url="/dialer/session" low-balance="0" hotkeys="" connect-mode="manual"></partner-dialer>',
  );
});

it('a server renders the dialer of Vue as a tag that does not connect before its page is hydrated', async () => {
  const app = createSSRApp({ render: () => h(VueDialer, { ...PROPERTIES, class: 'phone' }) });
  assert.equal(
    await renderVue(app),
    '<partner-dialer broker-url="/dialer/session" low-balance="0" hotkeys connect-mode="manual" class="phone"></partner-dialer>',
  );
});
