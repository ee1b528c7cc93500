/** The other party of every call, and what the vendor is like: buttons on the fake phone. */
import type { DialerState } from '../../src/index.ts';
import type { FakePhone } from '../../src/testing/fake-phone.ts';
import { byId, make, write } from '../crm/dom.ts';
import { onLanguage, words } from '../crm/words/language.ts';

const CALLER = { number: '84912345678', name: 'Trần Văn Bình' };

type Status = DialerState['status'];
const NO_CALL: readonly Status[] = ['ready', 'ended'];
const CALL: readonly Status[] = ['dialing', 'incoming', 'in-call'];

interface Act {
  readonly when: readonly Status[];
  readonly act: (phone: FakePhone) => Promise<void>;
}

/** By their words. */
const ACTS = {
  ring: { when: NO_CALL, act: (phone) => phone.ring(CALLER.number, CALLER) },
  answer: { when: ['dialing'], act: (phone) => phone.answer() },
  busy: { when: ['dialing'], act: (phone) => phone.refuse(486) },
  refuse: { when: ['dialing'], act: (phone) => phone.refuse(402) },
  hangUp: { when: CALL, act: (phone) => phone.hangUp() },
  noBalance: { when: [...NO_CALL, 'blocked'], act: (phone) => phone.setBlocked('insufficient-funds') },
  noHotline: { when: [...NO_CALL, 'blocked'], act: (phone) => phone.setBlocked('no-hotline') },
  lose: { when: [...NO_CALL, 'in-call'], act: async (phone) => phone.loseSocket() },
  allWell: { when: [...NO_CALL, 'blocked', 'connecting', 'in-call'], act: (phone) => phone.setReady() },
} as const satisfies Record<string, Act>;

export function offerOtherParty(phone: FakePhone, readStatus: () => Status): () => void {
  const buttons = Object.entries<Act>(ACTS).map(([name, { when, act }]) => {
    const button = make('button', { type: 'button', class: 'button', value: name });
    button.addEventListener('click', () => {
      // Disabled, it would lose the focus.
      if (when.includes(readStatus())) void act(phone).catch(() => undefined);
    });
    return { name: name as keyof typeof ACTS, when, button };
  });
  byId('party', HTMLElement).append(...buttons.map(({ button }) => button));
  const draw = () => {
    const { acts, hints } = words().playground.party;
    const status = readStatus();
    for (const { name, when, button } of buttons) {
      button.textContent = acts[name];
      button.setAttribute('aria-disabled', String(!when.includes(status)));
    }
    write('party-hint', hints[status] ?? hints.ready);
  };
  onLanguage(draw);
  return draw;
}
