/** Draws the card of a customer: who it is, and what happened so far. */
import { describeError } from '../companion.ts';
import { byId, icon, make, onPress, write } from '../dom.ts';
import { formatRelativeTime } from '../times.ts';
import { inOurWords, onLanguage, words } from '../words/language.ts';
import { createCallButton, type PlaceCall } from './call-button.ts';
import type { CustomerCard, Shown } from './customer-card.ts';
import type { Field, Interaction } from './customers-client.ts';
import { initials } from './known-names.ts';
import type { LiveCaller } from './live-call.ts';

/** Shown at the top of the card. */
const IN_HEADER = ['name', 'customer_code'];

export function drawCard(card: CustomerCard, caller: LiveCaller, call: PlaceCall): void {
  const update = () => {
    const { shown } = card;
    byId('card-avatar', HTMLElement).textContent = initials('name' in shown ? shown.name : '');
    byId('card-avatar', HTMLElement).hidden = !('name' in shown);
    byId('card-name', HTMLElement).textContent = 'name' in shown ? shown.name : words().card.title;
    byId('card-code', HTMLElement).textContent = 'code' in shown ? shown.code : '';
    byId('card-live', HTMLElement).textContent =
      caller.isOnCard && caller.call ? words().card.live[caller.call.status] : '';
    write('card-hint', describeHint(shown));
    write('card-error', shown.is === 'failed' ? describeError(shown.error) : '');
    byId('card-retry', HTMLElement).hidden = shown.is !== 'failed' || shown.error.code === 'not-found';
    drawFacts(shown, call);
    drawHistory(shown);
  };
  caller.addEventListener('change', update);
  onLanguage(update);
  onPress('card-retry', () => {
    if ('code' in card.shown) void card.open(card.shown);
  });
  update();
}

function describeHint(shown: Shown): string {
  if (shown.is === 'nobody') return words().card.none;
  return shown.is === 'reading' ? words().card.reading : '';
}

/** Anew only when they have changed, as the focus may be on one of them. */
function drawFacts(shown: Shown, call: PlaceCall): void {
  const list = byId('card-facts', HTMLElement);
  const fields = shown.is === 'customer' ? shown.detail.fields : [];
  const key = JSON.stringify([words().locale, fields]);
  if (list.dataset['drawn'] === key) return;
  list.dataset['drawn'] = key;
  const who = shown.is === 'customer' ? shown : undefined;
  list.hidden = who === undefined;
  list.replaceChildren(
    ...fields
      .filter(({ code, value }) => value !== '' && !IN_HEADER.includes(code))
      .flatMap((field) => [
        make('dt', {}, words().fields[field.code] ?? inOurWords(field.name)),
        make(
          'dd',
          {},
          field.type === 'PHONE' && who
            ? createCallButton({ ...who, number: field.value }, call)
            : readable(field),
        ),
      ]),
  );
}

/** The names of what was chosen, or the value itself. */
function readable({ value, choices, chosen }: Field): string {
  const names = choices.filter(({ code }) => chosen.includes(code)).map(({ name }) => inOurWords(name));
  return names.join(', ') || value;
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
  const what = words().interactions[kind] ?? (kind || type);
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
