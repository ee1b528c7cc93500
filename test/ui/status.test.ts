import { expect } from '@open-wc/testing';
import { announcementOf, openDialer, reaches, ringOn, settled, talkOn, until } from '../support/dialer.ts';
import { FakeBrowser } from '../support/fake-browser.ts';

describe('the dot of the status in a call', () => {
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
  });

  it('is calm only while both can hear each other', async () => {
    const { dialer } = await openDialer();
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
    const { dialer } = await openDialer({ 'connect-mode': 'manual' });
    const region = () => announcementOf(dialer);
    const first = region();
    expect(first?.textContent).to.equal('Not connected');
    await settled(dialer.connect());
    await dialer.updateComplete;
    expect(region()).to.equal(first);
    expect(first?.textContent).to.equal('Ready');
    await ringOn(dialer, '0987654321', 'Lê Văn Hùng');
    expect(region()).to.equal(first);
    expect(first?.textContent).to.equal('Incoming call: Lê Văn Hùng');
  });
});
