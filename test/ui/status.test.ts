import { expect } from '@open-wc/testing';
import { openDialer, reaches, sdk, talkOn, until, type DialerPage } from '../support/dialer.ts';
import { FakeBrowser } from '../support/fake-browser.ts';

describe('the dot of the status in a call', () => {
  let page: DialerPage;
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
  });
  afterEach(async () => {
    await page.close();
    browser.restore();
  });

  it('is calm only while both can hear each other', async () => {
    page = await openDialer();
    const { dialer } = page;
    const look = () => {
      const dot = dialer.shadowRoot?.querySelector('.dot');
      return dot?.classList.contains('waits') ? 'amber' : 'calm';
    };
    await reaches(dialer, 'ready');
    await talkOn(dialer);
    expect(look()).to.equal('calm');
    await dialer.setHeld(true);
    await dialer.updateComplete;
    expect(look(), 'on hold').to.equal('amber');
    await dialer.setHeld(false);
    await dialer.updateComplete;
    expect(look()).to.equal('calm');
    browser.goOnline(false);
    await until(() => look() === 'amber', 'amber while offline');
    browser.goOnline(true);
    await until(() => look() === 'calm', 'calm while online');
  });
});

describe('the words for a screen reader', () => {
  it('fill one live region, from the first drawing on', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' });
    const { dialer } = page;
    const region = () => dialer.shadowRoot?.querySelector('.visually-hidden[role=status]');
    const first = region();
    expect(first?.textContent).to.equal('Not connected');
    await dialer.connect();
    await dialer.updateComplete;
    expect(region()).to.equal(first);
    expect(first?.textContent).to.equal('Ready');
    sdk().ring('0987654321', 'Lê Văn Hùng');
    await reaches(dialer, 'incoming');
    expect(region()).to.equal(first);
    expect(first?.textContent).to.equal('Incoming call: Lê Văn Hùng');
  });
});
