import { expect } from '@open-wc/testing';
import { openDialer, reaches, sdk, type DialerPage } from '../support/dialer.ts';

describe('the status of a narrow dialer', () => {
  let page: DialerPage;
  afterEach(() => page.close());

  for (const lang of ['en', 'vi']) {
    it(`is one line and not cut, in ${lang}`, async () => {
      page = await openDialer({ lang });
      const { dialer } = page;
      dialer.style.setProperty('--partner-dialer-width', '280px');
      dialer.style.fontFamily = 'sans-serif';
      const look = async (status: string) => {
        await reaches(dialer, status);
        const word = dialer.shadowRoot?.querySelector<HTMLElement>('.word');
        expect(word?.scrollWidth, `${status}: ${word?.textContent}`).to.be.at.most(word?.clientWidth ?? 0);
        expect(word?.offsetHeight, `${status}: ${word?.textContent}`).to.be.below(28);
      };
      await look('ready');
      await dialer.call('0912345678');
      await look('dialing');
      sdk().accept();
      await look('in-call');
      await dialer.setHeld(true);
      await look('in-call');
      await dialer.hangUp();
      await look('ended');
      sdk().ring('0987654321');
      await look('incoming');
      await dialer.reject();
      sdk().emit('onUserDisconnected');
      await look('connecting');
    });
  }
});
