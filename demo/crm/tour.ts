/** Five presses that show what the dialer does, and the rest of the sandbox: one row of buttons, one line that says what to do now. */
import type { PartnerDialer } from '../../src/index.ts';
import type { Callee } from './customers/call-button.ts';
import type { CustomerCard } from './customers/customer-card.ts';
import type { CustomerList } from './customers/customer-list.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { byId, icon, make, type Icon } from './dom.ts';
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

export class Tour {
  readonly #sandbox: Sandbox;
  readonly #others = OTHERS.map((scenario) => ({ scenario, button: byId(scenario, HTMLButtonElement) }));
  readonly #hint = byId('tour-hint', HTMLElement);
  readonly #steps: readonly { readonly step: Step; readonly button: HTMLButtonElement }[];
  /** What the hint says in whichever language. */
  #say: () => string = () => words().tour.start;
  #step: Step | undefined;

  constructor(
    dialer: PartnerDialer,
    list: CustomerList,
    card: CustomerCard,
    call: (callee: Callee) => Promise<void>,
  ) {
    const sandbox = (this.#sandbox = new Sandbox(dialer, (scenario) => this.#show(scenario)));
    const callAfter = async (scenario: Scenario) => {
      await sandbox.play(scenario);
      await call(MAI);
    };
    const acts: Readonly<Record<Step, () => Promise<void>>> = {
      call: () => callAfter('ready'),
      noBalance: () => callAfter('no-funds'),
      noHotline: () => callAfter('no-hotline'),
      incoming: async () => {
        await sandbox.play('ready');
        const rings = await sandbox.ring(findCaller(list, card));
        if (!rings) this.#hintAt(() => words().scenarios.notConnected);
      },
      badNetwork: () =>
        isOnThePhone(dialer.state.status) ? sandbox.play('bad-network') : callAfter('bad-network'),
    };
    this.#steps = (Object.keys(acts) as Step[]).map((step) => {
      const button = make('button', { type: 'button' });
      button.addEventListener('click', () => this.#play(step, acts[step]));
      return { step, button };
    });
    for (const { scenario, button } of this.#others)
      button.addEventListener('click', () => this.#playOther(scenario));
    byId('tour', HTMLElement).append(...this.#steps.map(({ button }) => button));
    onLanguage(() => this.#draw());
    this.#draw();
  }

  follow(memberNo: string): void {
    this.#sandbox.follow(memberNo);
  }

  #play(step: Step, act: () => Promise<void>): void {
    this.#step = step;
    this.#hintAt(() => words().tour.steps[step].hint);
    this.#try(act());
  }

  #playOther(scenario: (typeof OTHERS)[number]): void {
    this.#step = undefined;
    this.#hintAt(() => words().scenarios[scenario]);
    this.#try(this.#sandbox.play(scenario));
  }

  #try(work: Promise<void>): void {
    work.catch(() => this.#hintAt(() => words().scenarios.noAnswer));
  }

  #hintAt(say: () => string): void {
    this.#say = say;
    this.#draw();
  }

  /** A top-up or a new hotline ends the scenario: the buttons show how things are, not what was pressed. */
  #show(scenario: Scenario): void {
    for (const other of this.#others)
      other.button.setAttribute('aria-pressed', String(other.scenario === scenario));
  }

  #draw(): void {
    for (const { step, button } of this.#steps) {
      const { name, what } = words().tour.steps[step];
      button.replaceChildren(icon(ICONS[step]), make('strong', {}, name), ' ', make('span', {}, what));
      button.setAttribute('aria-pressed', String(step === this.#step));
    }
    const text = this.#say();
    if (this.#hint.textContent !== text) this.#hint.textContent = text;
  }
}

/** The number of the customer on the card, else of the first in the list. */
function findCaller({ data }: CustomerList, { code }: CustomerCard): string {
  const numbers = (data?.customers ?? []).filter(({ number }) => number !== '');
  return (numbers.find((row) => row.code === code) ?? numbers[0])?.number ?? STRANGER_NUMBER;
}
