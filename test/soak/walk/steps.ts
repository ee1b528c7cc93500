/** What agent, page, other party, network and vendor do, and how often each. */
import * as fc from 'fast-check';
import { atSandbox, inPage, MEMBER, method, otherParty, press, type Step } from './step.ts';
import { SURROUNDINGS } from './surroundings.ts';

const NUMBERS = ['0900000100', '0900000183', '0900000402', '0900000486', '0900000503', '12'];

const STEPS: readonly (readonly [weight: number, Step])[] = [
  ...NUMBERS.map((number) => [1, method('call', number)] as const),
  [10, method('call', '0900000200')],
  [4, method('call', '0912345678')],
  [2, method('hangUp')],
  [8, method('answer')],
  [1, method('reject')],
  [2, method('setMuted', true)],
  [1, method('setMuted', false)],
  [2, method('setHeld', true)],
  [2, method('setHeld', false)],
  [2, method('sendDtmf', '1#')],
  [2, method('connect')],
  [1, method('disconnect')],
  [2, method('recheck')],
  [1, method('useHere')],
  [3, press(/^Call$/)],
  [2, press(/^Hang up$/, true)],
  [6, press(/^Answer$/)],
  [1, press(/^Try again$/)],
  [1, press(/^Mute$/)],
  [1, press(/^Hold$/)],
  [1, inPage('lang changes', (dialer) => dialer.setAttribute('lang', dialer.lang === 'en' ? 'vi' : 'en'))],
  [1, inPage('hotline changes', (dialer) => dialer.setAttribute('hotline', '842899990002'))],
  [1, inPage('low-balance changes', (dialer) => dialer.setAttribute('low-balance', '900000'))],
  [
    1,
    inPage('sdk-base-url is said again', (dialer) =>
      dialer.setAttribute('sdk-base-url', `${dialer.getAttribute('sdk-base-url') ?? ''}`),
    ),
  ],
  [1, inPage('vendor-ui changes', (dialer) => dialer.toggleAttribute('vendor-ui'))],
  [1, inPage('moved', (dialer) => document.body.append(dialer))],
  [
    1,
    inPage(
      'removed, and back in another task',
      (dialer) => {
        dialer.remove();
        setTimeout(() => document.body.append(dialer), 150);
      },
      true,
    ),
  ],
  [8, atSandbox('calls', { memberNo: MEMBER, from: '0987654321', name: 'Lan' })],
  [2, otherParty('hang-up')],
  [1, otherParty('answer-elsewhere')],
  [2, atSandbox('sockets/drop', {}, true)],
  [1, atSandbox(`members/${MEMBER}`, { balance: 0 })],
  [2, atSandbox(`members/${MEMBER}`, { balance: 50_000 })],
  [1, atSandbox(`members/${MEMBER}`, { hotlines: [] })],
  [2, atSandbox(`members/${MEMBER}`, { hotlines: ['842899990001'] })],
  [1, atSandbox('faults', { place: 'invite', kind: 'status', value: 503, times: 1 })],
  [1, atSandbox('faults', { place: 'invite', kind: 'silent', times: 1 })],
  [1, atSandbox('faults', { place: 'reinvite', kind: 'status', value: 488, times: 1 })],
  [1, atSandbox('faults', { place: 'register', kind: 'slow', value: 3000, times: 1 })],
  [1, atSandbox('faults', { place: 'socket', kind: 'drop', times: 1 })],
  [1, atSandbox('faults', { place: '/api/sdk/tokenSdk', kind: 'status', value: 500, times: 1 })],
  [1, atSandbox('faults', { place: '/api/sdk/info', kind: 'slow', value: 2000, times: 1 })],
  [
    1,
    {
      name: 'two seconds without network',
      endsCalls: true,
      run: async (_, { agent }) => {
        await agent.page.context().setOffline(true);
        await agent.page.waitForTimeout(2000);
        await agent.page.context().setOffline(false);
      },
    },
  ],
  [
    1,
    {
      name: 'reloaded',
      endsCalls: true,
      run: (_, { agent }) => agent.page.reload({ waitUntil: 'commit' }),
    },
  ],
  [2, { name: 'another tab', endsCalls: false, run: ({ openTab }) => openTab() }],
  [
    1,
    {
      name: 'the last tab closed',
      endsCalls: true,
      run: async ({ tabs }) => {
        if (tabs.length > 1) await tabs.pop()?.agent.page.close({ runBeforeUnload: false });
      },
    },
  ],
];

export interface Move {
  readonly step: Step;
  /** Twice in one task. */
  readonly isDouble: boolean;
  /** In which of the tabs. */
  readonly tab: number;
  /** Until the next one, in milliseconds. */
  readonly pause: number;
}

const steps = fc.oneof(
  ...[...STEPS, ...SURROUNDINGS].map(([weight, step]) => ({ weight, arbitrary: fc.constant(step) })),
);

export const walks: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    step: steps,
    tab: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
    isDouble: fc.oneof(
      { weight: 6, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    pause: fc.oneof(fc.nat(60), fc.nat(700), fc.integer({ min: 700, max: 2500 })),
  }),
  { minLength: 25, maxLength: 40, size: 'max' },
);
