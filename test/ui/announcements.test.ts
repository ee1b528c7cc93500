/** A dialer by the words of a screen reader alone: each change of the view is said, in both languages, and once. */
import { expect } from '@open-wc/testing';
import { CallLog } from '../../src/dialer/calls/call-log.ts';
import { presentOwner } from '../../src/dialer/state/state.ts';
import type { PartnerDialer } from '../../src/index.ts';
import { en } from '../../src/i18n/en.ts';
import { vi } from '../../src/i18n/vi.ts';
import { BROKE, json, MEMBER, readiness, session as openSession } from '../support/fake-broker.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { openOtherTab } from '../support/other-tab.ts';
import {
  nextTurn,
  openBlocked,
  openDialer,
  openReady,
  part,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  until,
  type DialerPage,
} from '../support/dialer.ts';

/** Blanks and no-break blanks sound the same. */
const clean = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();

/**
 * Hears as a screen reader does: a change of a region that it knew. An alert is also heard when it appears; a status that
 * appears together with its text is not.
 */
class Reader {
  readonly #root: ShadowRoot;
  readonly #heard: string[] = [];
  #known = new Map<Element, string>();
  /** What is gone within the same task was never there for a screen reader. */
  readonly #observer = new MutationObserver(() => void nextTurn().then(() => this.#listen()));

  constructor({ shadowRoot }: Element) {
    if (!shadowRoot) throw new Error('nothing is drawn');
    this.#root = shadowRoot;
    this.#known = this.#regions();
    this.#observer.observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  }

  /** How often something was said since the last time. */
  get count(): number {
    this.#listen();
    return this.#heard.length;
  }

  /** What was said since the last time. */
  heard(): string[] {
    this.#listen();
    return this.#heard.splice(0);
  }

  #regions(): Map<Element, string> {
    const all = [...this.#root.querySelectorAll('[role=status], [role=alert], output')];
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
    const talking = `${status['in-call']}. ${words.unmuted}`;
    let page: DialerPage;
    let reader: Reader;
    const open = async () => {
      page = await openReady({ lang: language, 'low-balance': '500' });
      reader = new Reader(page.dialer);
    };
    const expectHeard = async (...expected: string[]) => {
      await nextTurn();
      await page.dialer.updateComplete;
      await until(() => reader.count >= expected.length, expected.join());
      expect(reader.heard()).to.deep.equal(expected.map(clean));
    };

    const talk = async () => {
      await page.dialer.call('0912345678');
      await expectHeard(status.dialing);
      sdk().accept();
      await reaches(page.dialer, 'in-call');
      await expectHeard(talking);
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
      await expectHeard(talking);
      await passTime(3000);
      await expectHeard();
      await dialer.setHeld(true);
      await expectHeard(status.held);
      await dialer.setHeld(false);
      await expectHeard(talking);
      await dialer.call('0987654321').catch(() => undefined);
      await expectHeard(words.error.busy);
      await dialer.hangUp();
      await expectHeard(words.outcome.answered);
    });

    it(`hears a call with mute, hold and a missed call, each change once, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      await talk();
      const heard: string[] = [];
      const listen = async (change: () => unknown) => {
        await change();
        await passTime(1000);
        heard.push(...reader.heard());
      };
      const mute = new KeyboardEvent('keydown', { key: 'm', bubbles: true, composed: true });
      await listen(() => part(dialer, 'card').dispatchEvent(mute));
      await listen(() => missDuringCall(dialer, 'Trần Văn Bình'));
      await listen(() => dialer.setHeld(true));
      await listen(() => dialer.setHeld(false));
      await listen(() => dialer.setMuted(false));
      await listen(() => dialer.hangUp());
      expect(heard).to.deep.equal(
        [
          `${status['in-call']}. ${words.muted}`,
          `${words.recent.missed(1)}: Trần Văn Bình`,
          `${status.held}. ${words.muted}`,
          `${status['in-call']}. ${words.muted}`,
          talking,
          words.outcome.answered,
        ].map(clean),
      );
    });

    it(`hears each refusal of a call, the same one again, too, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      dialer.addEventListener('dialer-beforecall', (event) => event.preventDefault());
      for (let time = 0; time < 3; time += 1) {
        await dialer.call('0912345678').catch(() => undefined);
        await expectHeard(words.error['call-rejected']);
      }
    });

    it(`hears whether the details were copied, in ${language}`, async () => {
      const browser = new FakeBrowser();
      for (const [refused, text] of [
        [false, words.copied],
        [true, words.notCopied],
      ] as const) {
        const writeText = () => (refused ? Promise.reject(new Error('refused')) : Promise.resolve());
        browser.replace(navigator, 'clipboard', { writeText });
        page = await openBlocked({ 'POST session': () => openSession(BROKE) }, { lang: language });
        reader = new Reader(page.dialer);
        await press(page.dialer, words.copyDetails);
        await expectHeard(clean(text));
        await page.close();
      }
    });

    it(`hears each tone, the one that opens the keys, too, in ${language}`, async () => {
      await open();
      await talk();
      for (const [key, sent] of [
        ['1', '1'],
        ['2', '12'],
      ] as const) {
        const down = new KeyboardEvent('keydown', { key, bubbles: true, composed: true });
        part(page.dialer, 'card').dispatchEvent(down);
        await expectHeard(sent);
      }
      await press(page.dialer, words.keys);
      await press(page.dialer, words.keys);
      await expectHeard();
    });

    it(`hears the question about ringing, once, in ${language}`, async () => {
      const browser = new FakeBrowser();
      browser.replace(navigator, 'userActivation', { hasBeenActive: false });
      browser.replace(HTMLMediaElement.prototype, 'play', () =>
        Promise.reject(new DOMException('not yet', 'NotAllowedError')),
      );
      page = await openDialer({ lang: language });
      reader = new Reader(page.dialer);
      await reaches(page.dialer, 'ready');
      await passTime(2000);
      expect(reader.heard().filter((text) => text === words.prompts.ringer)).to.have.length(1);
    });

    it(`hears who calls, also from a withheld number, in ${language}`, async () => {
      await open();
      const { dialer } = page;
      const question = [words.prompts.notifications];
      for (const [number, name, whom] of [
        ['0987654321', undefined, '0987 654 321'],
        ['0987654321', 'Trần Văn Bình', 'Trần Văn Bình'],
        ['anonymous', undefined, words.withheld],
      ] as const) {
        await ringOn(dialer, number, name);
        await expectHeard(`${status.incoming}: ${whom}`);
        await dialer.reject();
        await expectHeard(words.outcome.declined, ...question.splice(0));
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
      await expectHeard(words.canCallAgain(language === 'vi' ? '12.500 ₫' : '12,500 ₫'));
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

    it(`hears why there is no connection, once, whatever is retried, and that there is one, in ${language}`, async () => {
      page = await openDialer({ lang: language }, { 'POST session': vendorDown });
      reader = new Reader(page.dialer);
      const { dialer, broker } = page;
      await reaches(dialer, 'failed');
      await expectHeard(words.error['vendor-unreachable']);
      await passTime(30_000);
      await expectHeard();
      broker.on('POST session', () => passTime(500).then(() => openSession()));
      await press(dialer, words.retry);
      await reaches(dialer, 'ready');
      await expectHeard(status.connecting, status.ready);
    });

    it(`hears that the connection is lost, and back, in ${language}`, async () => {
      await open();
      sdk().emit('onUserDisconnected');
      await reaches(page.dialer, 'connecting');
      await expectHeard(status.reconnecting);
      sdk().register();
      await reaches(page.dialer, 'ready');
      await expectHeard(status.ready);
    });

    it(`hears in a call that the line is being restored, in ${language}`, async () => {
      await open();
      await talk();
      sdk().emit('onUserDisconnected');
      await until(() => page.dialer.state.line.is === 'lost', 'the loss');
      await expectHeard(words.lineLostInCall);
    });

    it(`hears that the phone is in another tab, and when it can be moved here, in ${language}`, async () => {
      const tab = await openOtherTab({
        is: 'in-call',
        number: '0987654321',
        since: Date.now(),
      });
      try {
        page = await openDialer({ lang: language });
        reader = new Reader(page.dialer);
        await reaches(page.dialer, 'blocked');
        await passTime(2000);
        await expectHeard(`${status.elsewhere}. ${words.otherTab.later}`);
        tab.tell({ is: 'idle' });
        await passTime(1000);
        await expectHeard(`${status.elsewhere}. ${words.otherTab.use}`);
      } finally {
        tab.close();
      }
    });

    it(`hears that the browser blocks the microphone, and that it does not any more, in ${language}`, async () => {
      const browser = new FakeBrowser();
      await open();
      browser.permit('denied');
      await reaches(page.dialer, 'blocked');
      await expectHeard(`${status.blocked}. ${guide['microphone-denied']} ${words.checkAgain}`);
      browser.permit('granted');
      await reaches(page.dialer, 'ready');
      await expectHeard(status.ready);
    });

    it(`hears that money runs low, in ${language}`, async () => {
      await open();
      page.broker.on('GET status', () => readiness({ member: { ...MEMBER, balance: 400 } }));
      await page.dialer.recheck();
      await expectHeard(`${words.lowBalance('400 ₫')} ${words.askTopUp}`);
    });
  }
});

function vendorDown(): Response {
  return json({ code: 'vendor-unreachable' }, 503, 'application/problem+json');
}

async function ringAtFarEnd(): Promise<void> {
  const { session } = sdk();
  sdk().getCallData = () => ({ id: 'out-1', phoneNumber: '0912345678', direction: 'outgoing', session });
  await passTime(120);
}

/** As the exchange tells of a caller who was told that the line is busy. */
function missDuringCall({ state }: PartnerDialer, name: string): void {
  const log = new CallLog(() => undefined);
  log.useOwner(presentOwner(state));
  const startedAt = Date.now();
  log.record({ id: 'in-2', direction: 'incoming', number: '0987654321', name, startedAt, outcome: 'missed' });
  log.close();
}
