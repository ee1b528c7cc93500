/** Draws the card of a customer: who it is, and what happened so far. */
import { describeError } from '../companion.ts';
import { byId, icon, make, onPress, write } from '../dom.ts';
import { formatRelativeTime } from '../times.ts';
import { inOurWords, onLanguage, readable, words } from '../words/language.ts';
import { createCallButton, type PlaceCall } from './call-button.ts';
import type { CustomerCard, Shown } from './customer-card.ts';
import type { Interaction } from './customers-client.ts';
import { initials } from './known-names.ts';
import type { LiveCaller } from './live-call.ts';

/** Shown at the top of the card. */
const IN_HEADER = ['name', 'customer_code'];

export function drawCard(card: CustomerCard, caller: LiveCaller, call: PlaceCall): void {
  const drawLive = () => {
    byId('card-live', HTMLElement).textContent =
      caller.isOnCard && caller.call ? words().card.live[caller.call.status] : '';
  };
  const draw = () => {
    const { shown } = card;
    byId('card-avatar', HTMLElement).textContent = initials('name' in shown ? shown.name : '');
    byId('card-avatar', HTMLElement).hidden = !('name' in shown);
    byId('card-name', HTMLElement).textContent = 'name' in shown ? shown.name : words().card.title;
    byId('card-code', HTMLElement).textContent = 'code' in shown ? shown.code : '';
    write('card-hint', describeHint(shown));
    write('card-error', shown.is === 'failed' ? describeError(shown.error) : '');
    byId('card-retry', HTMLElement).hidden = shown.is !== 'failed' || shown.error.code === 'not-found';
    drawFacts(shown, call);
    drawHistory(shown);
  };
  card.addEventListener('change', draw);
  caller.addEventListener('change', drawLive);
  onLanguage(draw);
  onLanguage(drawLive);
  onPress('card-retry', () => {
    if ('code' in card.shown) void card.open(card.shown);
  });
  draw();
}

function describeHint(shown: Shown): string {
  if (shown.is === 'nobody') return words().card.none;
  return shown.is === 'reading' ? words().card.reading : '';
}

function drawFacts(shown: Shown, call: PlaceCall): void {
  const list = byId('card-facts', HTMLElement);
  list.hidden = shown.is !== 'customer';
  if (shown.is !== 'customer') return;
  const { code: customer, name: who, detail } = shown;
  // Anew only when they have changed, as the focus may be on one of them.
  const key = JSON.stringify([words().locale, customer, detail.fields]);
  if (list.dataset['drawn'] === key) return;
  list.dataset['drawn'] = key;
  list.replaceChildren(
    ...detail.fields
      .filter(({ code, values }) => values.length > 0 && !IN_HEADER.includes(code))
      .flatMap(({ code, name, type, values }) => [
        make('dt', {}, words().fields[code] ?? inOurWords(name)),
        make(
          'dd',
          {},
          type === 'PHONE'
            ? createCallButton({ code: customer, name: who, number: values[0] ?? '' }, call)
            : values.map(inOurWords).join(', '),
        ),
      ]),
  );
}

function drawHistory(shown: Shown): void {
  const section = byId('card-history', HTMLElement);
  section.hidden = shown.is !== 'customer';
  const interactions = shown.is === 'customer' ? shown.detail.interactions : [];
  const { noHistory, historyUnread } = words().card;
  byId('card-interactions', HTMLElement).replaceChildren(...(interactions ?? []).map(drawInteraction));
  write('card-no-history', interactions ? (interactions.length > 0 ? '' : noHistory) : historyUnread);
}

function drawInteraction({ at, kind, type, memberNo, content }: Interaction): HTMLElement {
  const what = words().interactions[kind] ?? readable(kind || type);
  return make(
    'li',
    { 'data-kind': kind },
    icon(chooseIcon(kind, type)),
    make(
      'div',
      {},
      make('p', {}, make('strong', {}, what), ...(memberNo === '' ? [] : [' ', by(memberNo)])),
      ...(content === '' ? [] : [make('p', { class: 'content' }, content)]),
    ),
    make(
      'time',
      { datetime: at, title: new Date(at).toLocaleString(words().locale) },
      formatRelativeTime(Date.parse(at)),
    ),
  );
}

function by(memberNo: string): HTMLElement {
  return make('span', { class: 'quiet' }, words().card.by(memberNo));
}

function chooseIcon(kind: string, type: string): 'incoming' | 'outgoing' | 'note' | 'person' {
  if (type === 'HISTORY_CALL') return kind === 'HISTORY_CALL_OUT' ? 'outgoing' : 'incoming';
  return type === 'CUSTOMER' ? 'person' : 'note';
}
