/** Five presses that show what the dialer does, and the rest of the sandbox: one row of buttons, one line that says what to do now. */
import type { PartnerDialer } from '../../src/index.ts';
import type { Callee } from './customers/call-button.ts';
import type { CustomerCard } from './customers/customer-card.ts';
import type { CustomerList } from './customers/customer-list.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { byId, icon, make, write, type Icon } from './dom.ts';
import { Sandbox } from './sandbox.ts';
import type { Scenario } from './sandbox-client.ts';
import { onLanguage, words, type Words } from './words/language.ts';

type Step = keyof Words['tour']['steps'];
const ICONS: Readonly<Record<Step, Icon>> = {
  call: 'phone',
  noBalance: 'wallet',
  noHotline: 'number',
  incoming: 'incoming',
  badNetwork: 'network',
};
/** What the tour does not show. */
const OTHERS = ['ready', 'vendor-down'] as const;

/** The sandbox's customer who answers. */
const MAI = { code: 'c01', name: 'Nguyễn Thị Mai', number: '0900000200' };
/** Calls where the list has nobody who could. */
const STRANGER_NUMBER = '0977123456';

export function offerTour(
  dialer: PartnerDialer,
  list: CustomerList,
  card: CustomerCard,
  call: (callee: Callee) => Promise<void>,
): void {
  const sandbox = new Sandbox(dialer);
  const others = OTHERS.map((scenario) => ({ scenario, button: byId(scenario, HTMLButtonElement) }));
  const play = (scenario: Scenario) => {
    for (const one of others) one.button.setAttribute('aria-pressed', String(one.scenario === scenario));
    return sandbox.play(scenario);
  };
  const callAfter = async (scenario: Scenario) => {
    await play(scenario);
    await call(MAI);
  };
  const acts: Readonly<Record<Step, () => Promise<void>>> = {
    call: () => callAfter('ready'),
    noBalance: () => callAfter('no-funds'),
    noHotline: () => callAfter('no-hotline'),
    incoming: async () => {
      await play('ready');
      const rings = await sandbox.ring(findCaller(list, card));
      if (!rings) show(() => words().scenarios.notConnected);
    },
    badNetwork: () => (isOnThePhone(dialer.state.status) ? play('bad-network') : callAfter('bad-network')),
  };
  const steps = (Object.keys(acts) as Step[]).map((step) => ({
    step,
    button: make('button', { type: 'button' }),
  }));

  let pressed: Step | undefined;
  /** In whichever language. */
  let hint: () => string;
  const draw = () => {
    for (const { step, button } of steps) {
      const { name, what } = words().tour.steps[step];
      button.replaceChildren(icon(ICONS[step]), make('strong', {}, name), ' ', make('span', {}, what));
      button.setAttribute('aria-pressed', String(step === pressed));
    }
    write('tour-hint', hint());
  };
  const show = (text: () => string) => {
    hint = text;
    draw();
  };
  const press = (step: Step | undefined, text: () => string, act: () => Promise<void>) => {
    pressed = step;
    show(text);
    act().catch(() => show(() => words().scenarios.noAnswer));
  };

  for (const { step, button } of steps)
    button.addEventListener('click', () => press(step, () => words().tour.steps[step].hint, acts[step]));
  for (const { scenario, button } of others)
    button.addEventListener('click', () =>
      press(
        undefined,
        () => words().scenarios[scenario],
        () => play(scenario),
      ),
    );
  byId('tour', HTMLElement).append(...steps.map(({ button }) => button));
  onLanguage(draw);
  show(() => words().tour.start);
}

/** The number of the customer on the card, else of the first in the list. */
function findCaller({ data }: CustomerList, { code }: CustomerCard): string {
  const numbers = (data?.customers ?? []).filter(({ number }) => number !== '');
  return (numbers.find((row) => row.code === code) ?? numbers[0])?.number ?? STRANGER_NUMBER;
}
