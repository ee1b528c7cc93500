/** Two and three presses at the place of every button of every view: they count as one press, and never undo it. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { findNamed, nextTurn, until, type DialerPage } from '../support/dialer.ts';
import { centerOf, pressTwiceAt } from '../support/pointer.ts';
import { ALL_VIEWS, buttonsOf, nameOf, openView, told } from '../support/views.ts';

/** How many presses, and how many milliseconds apart: all of them within the moment of a double press. */
const HANDS = [
  [2, 300],
  [3, 90],
  [2, 0],
] as const;
type Hand = (typeof HANDS)[number];

/** What a button asks of the broker, once. */
const ASKED: Readonly<Record<string, string>> = {
  'Ask for a top-up': 'POST top-up',
  'Check again': 'GET status',
  'Try again': 'POST session',
};
/** Opens or closes the sound devices. */
const PANEL = new Set(['Sound devices', 'Close']);
const ALSO_BESIDE_A_BUBBLE = ['a call', 'a call in'];

describe('several presses at one place', () => {
  let page: DialerPage;

  /** @returns what the SDK was told, and whether that is what was pressed first */
  const press = async (floating: string, view: string, index: number, [presses, apart]: Hand) => {
    // Nobody has called before.
    localStorage.clear();
    page = await openView(view, floating);
    const { dialer, broker } = page;
    const all = buttonsOf(dialer);
    const target = all[index];
    if (!target) return page.close().then(() => undefined);
    const name = nameOf(target);
    const isTyped = dialer.shadowRoot?.querySelector('input')?.value !== '';
    const before = told().length;
    const path = ASKED[name];
    const asked = path === undefined ? 0 : broker.count(path);
    const areKeysOpen = isKeysOpen(dialer);
    const isPanel = isPanelOpen(dialer);
    await pressTwiceAt(centerOf(target), apart, presses);
    await nextTurn();
    await until(() => dialer.state.call.is !== 'placing', 'a call that is placed');
    await dialer.updateComplete;
    const orders = told().slice(before);
    const verbs = orders.map((each) => each.split(' ')[0] ?? '');
    const isList = findNamed(dialer, 'Recent calls') !== null;
    const { call } = dialer.state;
    const isSwitched = call.is === 'active' && { Mute: call.muted, Hold: call.held };
    // On an empty keypad there is nobody to call.
    const wanted = name === 'Call' && !isTyped ? undefined : wantedBy(name);
    const isRight =
      verbs.join() === (wanted ?? '') &&
      (path === undefined || broker.count(path) === asked + 1) &&
      (name !== 'Keys' || isKeysOpen(dialer) !== areKeysOpen) &&
      (!PANEL.has(name) || isPanelOpen(dialer) !== isPanel) &&
      (name !== 'Recent calls' || isList) &&
      (name !== 'Close the list' || !isList) &&
      (!isSwitched || (isSwitched.Mute === (name === 'Mute') && isSwitched.Hold === (name === 'Hold')));
    await page.close();
    return { isRight, what: `${name}: ${orders.join()}, ${call.is} ${JSON.stringify(isSwitched)}` };
  };

  for (const floating of ['false', 'bottom-right']) {
    for (const view of floating === 'false' ? ALL_VIEWS : ALSO_BESIDE_A_BUBBLE) {
      it(`on each button of ${view} mean one thing${floating === 'false' ? '' : ', beside a bubble'}`, async function each() {
        this.timeout(30_000);
        const wrong: string[] = [];
        let count = 0;
        for (;;) {
          // One hand after the other: all of them for each button would take three times as long.
          const hand = HANDS[(count + (floating === 'false' ? 0 : 1)) % HANDS.length] as Hand;
          const result = await press(floating, view, count, hand);
          if (!result) break;
          if (!result.isRight) wrong.push(result.what);
          count += 1;
        }
        expect(wrong).to.deep.equal([]);
        expect(count, 'buttons').to.be.greaterThan(0);
      });
    }
  }
});

function isKeysOpen(dialer: PartnerDialer): boolean {
  const keys = buttonsOf(dialer).find((button) => nameOf(button) === 'Keys');
  return keys?.getAttribute('aria-expanded') === 'true';
}

function isPanelOpen(dialer: PartnerDialer): boolean {
  return findNamed(dialer, 'Sound devices') !== null;
}

/** What the SDK has to be told, once. */
function wantedBy(name: string): string | undefined {
  if (name === 'Hang up' || name === 'Decline') return 'hangupCall';
  if (name === 'Answer') return 'answerCall';
  return name.startsWith('Call') ? 'makeCall' : undefined;
}
