/** A fast hand on what goes away once it was pressed, or moves the phone here: meant once, and nothing else is hit. */
import { expect } from '@open-wc/testing';
import { FakeBrowser } from '../support/fake-browser.ts';
import {
  button,
  fieldOf,
  openBlocked,
  openReady,
  ringOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { openOtherTab } from '../support/other-tab.ts';
import { centerOf, hesitate, pressTwiceAt } from '../support/pointer.ts';

const PAUSES = [0, 90, 300];

describe('an agent who presses twice on what goes away', () => {
  let page: DialerPage;
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
  });

  const pressTwice = async (name: string, pause: number) => {
    const place = centerOf(button(page.dialer, name));
    await pressTwiceAt(place, pause);
    await page.dialer.updateComplete;
  };
  const draft = () => fieldOf(page.dialer).value;

  for (const pause of PAUSES) {
    it(`on the offer to show calls on the desktop is asked once, ${pause} ms apart`, async () => {
      let asked = 0;
      const offered = {
        permission: 'default',
        requestPermission: async () => {
          asked += 1;
          offered.permission = 'granted';
          return 'granted';
        },
      };
      for (const name of ['Turn on', 'Not now']) {
        offered.permission = 'default';
        browser.replace(globalThis, 'Notification', offered);
        page = await openReady();
        await ringOn(page.dialer);
        await page.dialer.reject();
        await hesitate();
        await pressTwice(name, pause);
        expect(textOf(page.dialer), name).not.to.include('on the desktop?');
        expect([draft(), page.dialer.state.call.is], name).to.deep.equal(['', 'ended']);
        // How the call ended now stands where the question was, and with it what calls back.
        expect(textOf(page.dialer), name).to.include('Declined').and.include('Call back');
        if (name === 'Turn on') await page.close();
      }
      expect(asked).to.equal(1);
    });

    it(`on what lets calls ring only lets them ring, ${pause} ms apart`, async () => {
      const activation = { hasBeenActive: false };
      browser.replace(navigator, 'userActivation', activation);
      browser.replace(HTMLMediaElement.prototype, 'play', async () => {
        throw new DOMException('not yet', 'NotAllowedError');
      });
      page = await openReady();
      const { dialer } = page;
      await until(() => textOf(dialer).includes('Turn on'), 'the strip');
      await hesitate();
      addEventListener('pointerdown', () => (activation.hasBeenActive = true), { once: true, capture: true });
      await pressTwice('Turn on', pause);
      await until(() => !textOf(dialer).includes('Turn on'), 'the end of the question');
      expect([draft(), dialer.state.status]).to.deep.equal(['', 'ready']);
    });

    it(`on "Use it here" asks the other tab once, ${pause} ms apart`, async () => {
      const tab = await openOtherTab({ isBusy: false, is: 'idle' });
      try {
        page = await openBlocked();
        await hesitate();
        await pressTwice('Use it here', pause);
        await until(() => textOf(page.dialer).includes('call'), 'the refusal');
        expect(tab.wanted).to.equal(1);
      } finally {
        tab.close();
      }
    });
  }
});
