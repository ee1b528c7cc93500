/** Two and three presses at the place of every button of every view: one wish, and never the opposite of it. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { json, session, type Answer } from '../support/fake-broker.ts';
import {
  fieldOf,
  findNamed,
  nextTurn,
  openDialer,
  reaches,
  ringOn,
  sdk,
  talkOn,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { centerOf, hesitate, pressTwiceAt } from '../support/pointer.ts';

/** How many presses, and how many milliseconds apart: all of them within the moment of a double press. */
const HANDS = [
  [2, 300],
  [3, 90],
  [2, 0],
] as const;
type Hand = (typeof HANDS)[number];

const VIEWS: Readonly<Record<string, (dialer: PartnerDialer) => Promise<void> | void>> = {
  'the keypad': () => undefined,
  'the keypad with a number': (dialer) => type(dialer),
  'a call out': (dialer) => dialer.call('0912345678'),
  'a call': (dialer) => talkOn(dialer),
  'a call with its keys': async (dialer) => {
    await talkOn(dialer);
    find(dialer, 'Keys').click();
  },
  'a call in': (dialer) => ringOn(dialer),
  'a call in, with a number typed': async (dialer) => {
    type(dialer);
    await ringOn(dialer);
  },
  'the moment after a call': (dialer) => talkOn(dialer).then(() => dialer.hangUp()),
  'a missed call': async (dialer) => {
    await ringOn(dialer);
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(dialer, 'ended');
  },
  'the latest calls': async (dialer) => {
    await talkOn(dialer);
    await dialer.hangUp();
    find(dialer, 'Recent calls').click();
    await until(() => findNamed(dialer, 'Recent calls') !== null, 'the list');
  },
};
/** Views to which the broker leads; a number waits in the guide. */
const BLOCKED: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  'a guide': { 'POST session': () => session({ blockers: ['insufficient-funds'] }) },
  'no connection': { 'POST session': () => json({}, 503) },
};
/** What a button asks of the broker, once. */
const ASKED: Readonly<Record<string, string>> = {
  'Ask for a top-up': 'POST top-up',
  'Check again': 'GET status',
  'Try again': 'POST session',
};
/** Opens or closes the sound devices. */
const PANEL = new Set(['Sound devices', 'Close']);
const ALL = [...Object.keys(VIEWS), ...Object.keys(BLOCKED)];
const ALSO_BESIDE_A_BUBBLE = ['a call', 'a call in'];

describe('several presses at one place', () => {
  let page: DialerPage;

  /** @returns what the SDK was told, and whether that is what was pressed first */
  const press = async (floating: string, view: string, index: number, [presses, apart]: Hand) => {
    page = await openDialer({ floating }, BLOCKED[view]);
    const { dialer, broker } = page;
    if (view in BLOCKED) {
      await until(() => ['blocked', 'failed'].includes(dialer.state.status), view);
      await dialer.call('0912345678').catch(() => undefined);
    } else {
      await reaches(dialer, 'ready');
      await VIEWS[view]?.(dialer);
    }
    await dialer.updateComplete;
    // A bubble has opened for the call: beside the closed one there are buttons, too.
    if (floating !== 'false') find(dialer, 'Close the dialer').click();
    await dialer.updateComplete;
    await hesitate();
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
    for (const view of floating === 'false' ? ALL : ALSO_BESIDE_A_BUBBLE) {
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

/** The keys of the keypad may be pressed twice. */
function buttonsOf({ shadowRoot }: PartnerDialer): HTMLElement[] {
  return [...(shadowRoot?.querySelectorAll<HTMLElement>('button:not([part~=key])') ?? [])];
}

/** What the SDK was told; nothing before it was booted. */
function told(): readonly string[] {
  return FakeVbot.current?.told ?? [];
}

function isKeysOpen(dialer: PartnerDialer): boolean {
  const keys = buttonsOf(dialer).find((button) => nameOf(button) === 'Keys');
  return keys?.getAttribute('aria-expanded') === 'true';
}

function isPanelOpen(dialer: PartnerDialer): boolean {
  return findNamed(dialer, 'Sound devices') !== null;
}

function nameOf(button: HTMLElement): string {
  return (button.getAttribute('aria-label') ?? button.textContent).trim().replaceAll(/\s+/g, ' ');
}

/** What the SDK has to be told, once. */
function wantedBy(name: string): string | undefined {
  if (name === 'Hang up' || name === 'Decline') return 'hangupCall';
  if (name === 'Answer') return 'answerCall';
  return name.startsWith('Call') ? 'makeCall' : undefined;
}

function find(dialer: PartnerDialer, name: string): HTMLElement {
  const found = buttonsOf(dialer).find((button) => nameOf(button).startsWith(name));
  if (!found) throw new Error(`no button ${name}`);
  return found;
}

function type(dialer: PartnerDialer): void {
  const field = fieldOf(dialer);
  field.value = '0912345678';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
