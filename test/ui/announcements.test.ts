/** A dialer by the words of a screen reader alone: each change of the view is said, in both languages, and once. */
import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.ts';
import { vi } from '../../src/i18n/vi.ts';
import { BROKE, MEMBER, readiness } from '../support/fake-broker.ts';
import {
  nextTurn,
  openReady,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  type DialerPage,
} from '../support/dialer.ts';

/** Blanks and no-break blanks sound the same. */
const clean = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
const MONEY = '12.500 ₫';

/**
 * Hears as a screen reader does: a change of a region that it knew. An alert is also heard when it appears; a status that
 * appears together with its text is not.
 */
class Reader {
  readonly #root: ShadowRoot;
  readonly #heard: string[] = [];
  #known = new Map<Element, string>();
  readonly #observer = new MutationObserver(() => this.#listen());

  constructor({ shadowRoot }: Element) {
    if (!shadowRoot) throw new Error('nothing is drawn');
    this.#root = shadowRoot;
    this.#known = this.#regions();
    this.#observer.observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  }

  /** What was said since the last time. */
  heard(): string[] {
    this.#listen();
    return this.#heard.splice(0);
  }

  #regions(): Map<Element, string> {
    const all = [...this.#root.querySelectorAll('[role=status], [role=alert]')];
    return new Map(
      all
        .filter((region) => getComputedStyle(region).display !== 'none')
        .map((region) => [region, clean(region.textContent)]),
    );
  }

  #listen(): void {
    const now = this.#regions();
    for (const [region, text] of now) {
      const before = this.#known.get(region);
      const isHeard = before !== undefined || region.role === 'alert';
      if (isHeard && text !== '' && text !== before) this.#heard.push(text);
    }
    this.#known = now;
  }
}

describe('somebody who cannot see the dialer', () => {
  for (const words of [en, vi]) {
    const { language, status, guide } = words;
    const blocked = `${status.blocked}. ${guide['insufficient-funds']} ${words.askTopUp}`;
    let page: DialerPage;
    let reader: Reader;
    const open = async () => {
      page = await openReady({ lang: language, 'low-balance': '500' });
      reader = new Reader(page.dialer);
    };
    const expectHeard = async (...expected: string[]) => {
      await nextTurn();
      await page.dialer.updateComplete;
      expect(reader.heard()).to.deep.equal(expected.map(clean));
    };

    it(`hears a call out, from the press to the end, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      await dialer.call('0912345678');
      await expectHeard(status.dialing);
      await ringAtFarEnd();
      await expectHeard(words.ringing);
      sdk().accept();
      await reaches(dialer, 'in-call');
      await expectHeard(status['in-call']);
      await passTime(3000);
      await expectHeard();
      await dialer.setHeld(true);
      await expectHeard(status.held);
      await dialer.setHeld(false);
      await expectHeard(status['in-call']);
      await dialer.call('0987654321').catch(() => undefined);
      await expectHeard(words.error.busy);
      await dialer.hangUp();
      await expectHeard(words.outcome.answered);
    });

    it(`hears who calls, also from a withheld number, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      for (const [number, name, whom] of [
        ['0987654321', undefined, '0987 654 321'],
        ['0987654321', 'Trần Văn Bình', 'Trần Văn Bình'],
        ['anonymous', undefined, words.withheld],
      ] as const) {
        await ringOn(dialer, number, name);
        await expectHeard(`${status.incoming}: ${whom}`);
        await dialer.reject();
        await expectHeard(words.outcome.declined);
      }
    });

    it(`hears that calls are blocked, why and what to press, what came of it, and that they are not any more, in ${language}`, async () => {
      await open();
      const { dialer, broker } = page;
      broker.on('GET status', () => readiness(BROKE));
      await dialer.recheck();
      await expectHeard(blocked);
      await press(dialer, words.checkAgain);
      await passTime(1000);
      await expectHeard(words.notice['still-blocked']);
      broker.on('GET status', () => readiness());
      await dialer.recheck();
      await expectHeard(words.canCallAgain(MONEY));
    });

    it(`hears a 402 while they write in the page, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      const field = document.createElement('textarea');
      document.body.append(field);
      field.focus();
      await dialer.call('0912345678');
      await ringAtFarEnd();
      await expectHeard(status.dialing, words.ringing);
      const { session } = sdk();
      sdk().end('Payment Required');
      session.emit('failed', { message: { status_code: 402 } });
      await reaches(dialer, 'blocked');
      await expectHeard(blocked);
      expect(document.activeElement).to.equal(field);
      field.remove();
    });

    it(`hears that money runs low, in ${language}`, async () => {
      await open();
      page.broker.on('GET status', () => readiness({ member: { ...MEMBER, balance: 400 } }));
      await page.dialer.recheck();
      await expectHeard(`${words.lowBalance('400 ₫')} ${words.askTopUp}`);
    });
  }
});

async function ringAtFarEnd(): Promise<void> {
  const { session } = sdk();
  sdk().getCallData = () => ({ id: 'out-1', phoneNumber: '0912345678', direction: 'outgoing', session });
  await passTime(120);
}
