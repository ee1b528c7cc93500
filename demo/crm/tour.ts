/** Five presses that show what the dialer does: a call, the two ways out, an incoming call, a bad network. */
import type { PartnerDialer } from '../../src/index.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { byId, make, write } from './dom.ts';
import type { Scenario } from './sandbox-client.ts';
import type { ScenarioBar } from './scenario-bar.ts';
import { onLanguage, words, type Words } from './words/language.ts';

type Step = keyof Words['tour']['steps'];

/** @param call places the call of the tour */
export function offerTour(dialer: PartnerDialer, bar: ScenarioBar, call: () => Promise<void>): void {
  const callAfter = async (scenario: Scenario) => {
    await bar.play(scenario);
    await call();
  };
  const acts: Readonly<Record<Step, () => Promise<void>>> = {
    call: () => callAfter('ready'),
    noBalance: () => callAfter('no-funds'),
    noHotline: () => callAfter('no-hotline'),
    incoming: async () => {
      await bar.play('ready');
      await bar.ring();
    },
    badNetwork: () =>
      isOnThePhone(dialer.state.status) ? bar.play('bad-network') : callAfter('bad-network'),
  };
  let shown: Step | undefined;
  const buttons = (Object.keys(acts) as Step[]).map((step, place) => {
    const button = make('button', { type: 'button', class: 'button' });
    button.addEventListener('click', () => {
      shown = step;
      draw();
      acts[step]().catch(() => write('tour-hint', words().scenarios.noAnswer));
    });
    return { step, place, button };
  });
  const draw = () => {
    const { start, steps } = words().tour;
    for (const { step, place, button } of buttons) {
      button.textContent = `${place + 1}. ${steps[step].name}`;
      button.setAttribute('aria-pressed', String(step === shown));
    }
    write('tour-hint', shown ? steps[shown].hint : start);
  };
  byId('tour', HTMLElement).append(...buttons.map(({ button }) => button));
  onLanguage(draw);
  draw();
}
