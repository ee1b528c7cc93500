/** One call of the panel. On a narrow page, what has columns on a wide one is shown below the name. */
import type { Badge } from './call-list.ts';
import { formatCost, describeResult, describeQuality, describeParty } from './call-words.ts';
import type { VendorCall } from './calls-client.ts';
import { nameOf } from '../customers/known-names.ts';
import { formatPhone } from '../customers/phone.ts';
import { icon, make } from '../dom.ts';
import { formatDuration, formatRelativeTime } from '../times.ts';
import { words } from '../words/language.ts';

const NOTHING = '–';

export function drawCall(call: VendorCall, badges: readonly Badge[]): HTMLElement {
  const { direction, disposition, talkSeconds, cost } = call;
  const result = describeResult(disposition, direction);
  const talk = talkSeconds ? formatDuration(talkSeconds * 1000) : undefined;
  const sound = describeQuality(call);
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
    make('td', { class: 'wide' }, sound ?? NOTHING),
    make('td', { class: 'cost' }, cost === undefined ? NOTHING : formatCost(cost)),
  );
}

function drawParty(call: VendorCall): HTMLElement[] {
  const who = make('span', { class: 'party-name' }, describeParty(call));
  const { number, automatic } = call;
  const isKnown = number !== undefined && !automatic && nameOf(number) !== undefined;
  return isKnown ? [who, make('span', { class: 'quiet' }, formatPhone(number))] : [who];
}

function drawWhen({ at }: VendorCall): Node | string {
  if (at === undefined) return NOTHING;
  const title = new Date(at).toLocaleString(words().locale);
  return make('time', { datetime: at, title }, formatRelativeTime(Date.parse(at)));
}
