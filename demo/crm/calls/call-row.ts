/** One call of the panel. On a narrow page, what has columns on a wide one is shown below the name. */
import type { Badge } from './call-list.ts';
import { formatCost, describeResult, describeSound, describeParty } from './call-words.ts';
import type { CallSound, VendorCall } from './calls-client.ts';
import { findName } from '../customers/known-names.ts';
import { formatPhone } from '../customers/phone.ts';
import { icon, make } from '../dom.ts';
import { formatDuration, formatRelativeTime } from '../times.ts';
import { words } from '../words/language.ts';

const NOTHING = '–';

interface RowFacts {
  readonly badges: readonly Badge[];
  /** Undefined: nobody has asked for it yet. */
  readonly sound: CallSound | undefined;
  askSound(): void;
}

export function drawCall(call: VendorCall, { badges, sound: heard, askSound }: RowFacts): HTMLElement {
  const { direction, disposition, talkSeconds, cost } = call;
  const result = describeResult(disposition, direction);
  const talk = talkSeconds ? formatDuration(talkSeconds * 1000) : undefined;
  const sound = heard && describeSound(heard);
  const marks = badges.map((badge) => make('span', { class: 'badge' }, words().calls[badge]));
  const summary = [result, talk, sound].filter((part) => part !== undefined).join(' · ');
  return make(
    'tr',
    { 'data-answered': String(disposition === 'ANSWER'), 'data-call': call.transId },
    make(
      'th',
      { scope: 'row' },
      make(
        'div',
        { class: 'party' },
        icon(direction),
        make(
          'div',
          {},
          make('span', { class: 'unseen' }, words().calls[direction]),
          ...drawParty(call),
          make('span', { class: 'narrow quiet' }, `${summary} · `, drawWhen(call)),
          ...(marks.length > 0 ? [make('span', { class: 'badges' }, ...marks)] : []),
        ),
      ),
    ),
    make('td', { class: 'wide' }, drawWhen(call)),
    make('td', { class: 'wide' }, result),
    make('td', { class: 'wide' }, talk ?? NOTHING),
    make('td', { class: 'wide' }, disposition === 'ANSWER' ? drawSound(sound, askSound) : NOTHING),
    make('td', { class: 'cost' }, cost === undefined ? NOTHING : formatCost(cost)),
  );
}

/** It costs a request of its own, so it is there for whoever wants to know. */
function drawSound(sound: string | undefined, ask: () => void): HTMLElement {
  // What was pressed is gone: the keyboard stays at what has come in its place.
  if (sound !== undefined) return make('span', { class: 'sound', tabindex: '-1' }, sound);
  const button = make('button', { class: 'sound link', type: 'button' }, words().calls.askSound);
  button.addEventListener('click', ask, { once: true });
  return button;
}

function drawParty(call: VendorCall): HTMLElement[] {
  const who = make('span', { class: 'party-name' }, describeParty(call));
  const { number, automatic } = call;
  const isKnown = number !== undefined && !automatic && findName(number) !== undefined;
  return isKnown ? [who, make('span', { class: 'quiet' }, formatPhone(number))] : [who];
}

function drawWhen({ at }: VendorCall): Node | string {
  if (at === undefined) return NOTHING;
  const title = new Date(at).toLocaleString(words().locale);
  return make('time', { datetime: at, title }, formatRelativeTime(Date.parse(at)));
}
