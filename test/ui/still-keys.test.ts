/** While a number is dialled with the pointer, calls are missed, questions come and go, and no key moves. */
import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { LANGUAGES } from '../../src/i18n/words.ts';
import {
  fieldOf,
  missOn,
  openDialer,
  reaches,
  ringOn,
  sdk,
  stripsOf,
  talkOn,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { MEMBER, readiness } from '../support/fake-broker.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';

/** What happens between two keys. */
const MOVES = ['missed', 'declined', 'decline-offer', 'offer', 'balance', 'hint', 'list', 'key'] as const;
type Move = (typeof MOVES)[number];

/** The same journeys in every run: a failure can be repeated. */
const SEED = 20_261_124;

const BEFORE = ['nothing', 'missed', 'called', 'silent'] as const;

describe('an agent who dials with the pointer', () => {
  let page: DialerPage;
  let browser: FakeBrowser;
  let permission: NotificationPermission;
  let isTouched = true;
  const touch = () => (isTouched = true);
  beforeEach(() => {
    browser = new FakeBrowser();
    permission = 'denied';
    isTouched = true;
    browser.replace(globalThis, 'Notification', {
      get permission() {
        return permission;
      },
    });
    browser.replace(navigator, 'userActivation', {
      get hasBeenActive() {
        return isTouched;
      },
    });
    browser.replace(HTMLMediaElement.prototype, 'play', async () => {
      if (!isTouched) throw new DOMException('not yet', 'NotAllowedError');
    });
    addEventListener('pointerdown', touch, { capture: true });
  });
  afterEach(() => removeEventListener('pointerdown', touch, { capture: true }));

  const root = () => page.dialer.shadowRoot as ShadowRoot;
  const draft = () => fieldOf(page.dialer).value;
  const key = (name: string) => {
    const found = [...root().querySelectorAll('[part~=key]')].find(
      ({ textContent }) => textContent.trim() === name,
    );
    if (!found) throw new Error(`no key ${name}`);
    return found;
  };
  const boxes = () =>
    [...root().querySelectorAll('[part~=key]')].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join(' ');
    });
  const strips = () =>
    stripsOf(page.dialer).map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim());
  const open = async (lang: string) => {
    page = await openDialer({ lang });
    page.dialer.style.setProperty('--partner-dialer-width', '280px');
    page.dialer.style.fontFamily = 'sans-serif';
    await reaches(page.dialer, 'ready');
    await hesitate();
  };
  const missOne = async () => {
    await missOn(page.dialer, '0987654321', 'Lê Văn Hùng');
    await hesitate();
  };
  const dial = async (name: string) => {
    await pressAt(centerOf(key(name)));
    await page.dialer.updateComplete;
  };
  const before = async (what: (typeof BEFORE)[number]) => {
    permission = 'default';
    if (what === 'missed') await missOne();
    if (what === 'silent') await until(() => strips().length > 0, 'the question');
    if (what !== 'called') return;
    await talkOn(page.dialer);
    await page.dialer.hangUp();
    await reaches(page.dialer, 'ended');
    await hesitate();
  };
  const moves: Readonly<Record<Move, () => Promise<void> | void>> = {
    missed: missOne,
    declined: async () => {
      await ringOn(page.dialer, '0903111222');
      await page.dialer.reject();
      await reaches(page.dialer, 'ended');
      await hesitate();
    },
    offer: () => {
      permission = 'default';
    },
    'decline-offer': () => {
      permission = 'denied';
    },
    balance: async () => {
      const balance = page.broker.count('GET status') % 2 === 0 ? 400 : 99_000;
      page.broker.on('GET status', () => readiness({ member: { ...MEMBER, balance } }));
      await page.dialer.recheck();
    },
    hint: async () => {
      root().querySelector<HTMLElement>('[part=call-button]')?.click();
      await page.dialer.updateComplete;
    },
    list: async () => {
      for (const button of ['.recent-button', '.close']) {
        root().querySelector<HTMLElement>(button)?.click();
        await until(() => root().querySelector(button) === null, 'the list, or its end');
      }
      await hesitate();
    },
    key: () => dial('1'),
  };

  for (const lang of Object.keys(LANGUAGES)) {
    it(`finds every key where it was, whatever happens meanwhile, in ${lang}`, async function generated() {
      this.timeout(60_000);
      const journey = fc.tuple(
        fc.constantFrom(...BEFORE),
        fc.array(fc.constantFrom(...MOVES), { minLength: 3, maxLength: 8 }),
      );
      const check = async ([first, then]: [(typeof BEFORE)[number], Move[]]) => {
        isTouched = first !== 'silent';
        await open(lang);
        try {
          await before(first);
          const still = boxes();
          await dial('0');
          expect([draft(), boxes()], 'the first key').to.deep.equal(['0', still]);
          for (const move of then) {
            await moves[move]();
            await page.dialer.updateComplete;
            expect(boxes().join(), `after ${move}`).to.equal(still.join());
            const typed = draft();
            await dial('1');
            expect([draft(), boxes()], `a key after ${move}`).to.deep.equal([`${typed}1`, still]);
          }
        } finally {
          await page.close();
        }
      };
      const examples: [[(typeof BEFORE)[number], Move[]]][] = [
        [['silent', ['missed', 'list']]],
        [['nothing', ['offer', 'missed', 'balance', 'decline-offer', 'balance']]],
      ];
      await fc.assert(fc.asyncProperty(journey, check), {
        examples,
        seed: SEED,
        numRuns: 7,
        endOnFailure: true,
        includeErrorInReport: true,
      });
    });
  }

  it('sees at once that a call was missed, and who it was once the field is empty', async () => {
    await open('en');
    await before('nothing');
    await dial('0');
    const still = boxes();
    await missOne();
    expect([draft(), boxes(), strips()]).to.deep.equal(['0', still, []]);
    expect(root().querySelector('.recent-button .badge')?.textContent).to.equal('1');
    root().querySelector<HTMLElement>('[aria-label="Erase the last digit"]')?.click();
    await page.dialer.updateComplete;
    expect([draft(), boxes()]).to.deep.equal(['', still]);
    expect(strips().join()).to.include('Missed call').and.include('Call back');
  });

  it('keeps the list of keys open, whose end would move the keypad, until it is closed', async () => {
    await open('en');
    const help = () => root().querySelector('section section') !== null;
    const typed = { key: '?', bubbles: true, composed: true, cancelable: true };
    root().querySelector('[part~=card]')?.dispatchEvent(new KeyboardEvent('keydown', typed));
    await until(help, 'the list of keys');
    await hesitate();
    const still = boxes();
    for (const name of ['1', '1', '3']) {
      await dial(name);
      expect([boxes(), help()], name).to.deep.equal([still, true]);
    }
    expect(draft()).to.equal('113');
    root()
      .querySelector('[part~=card]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { ...typed, key: 'Escape' }));
    await until(() => !help(), 'the end of the list');
  });

  it('sees what became of a number that was called, though it is still in the field', async () => {
    await open('en');
    await before('nothing');
    for (const name of '0912345678') {
      await dial(name);
    }
    root().querySelector<HTMLElement>('[part=call-button]')?.click();
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    sdk().end('Busy here');
    await reaches(page.dialer, 'ended');
    expect(strips().join()).to.include('The line is busy');
    expect(draft()).to.equal('0912345678');
    const still = boxes();
    await dial('5');
    await missOne();
    expect(boxes()).to.deep.equal(still);
  });
});
