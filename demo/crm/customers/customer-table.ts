/** The list of customers: a press on a name shows the card, a press on a number calls it. */
import { describeError } from '../companion.ts';
import { byId, make, onPress, write } from '../dom.ts';
import { inOurWords, onLanguage, words } from '../words/language.ts';
import { createCallButton, type PlaceCall } from './call-button.ts';
import type { CustomerCard } from './customer-card.ts';
import type { CustomerList } from './customer-list.ts';
import type { CustomerPage, Row } from './customers-client.ts';
import { initials } from './known-names.ts';
import type { LiveCaller } from './live-call.ts';

/** After the last key: each search is several requests to the vendor. */
const TYPING_MS = 300;

export function drawTable(list: CustomerList, card: CustomerCard, caller: LiveCaller, call: PlaceCall): void {
  const body = byId('rows', HTMLElement);
  let drawn: CustomerPage | undefined;
  const draw = () => {
    drawn = list.data;
    const { customers = [], columns = [] } = drawn ?? {};
    byId('columns', HTMLElement).replaceChildren(...headings(columns));
    body.replaceChildren(...customers.map((row) => createRow(row, card, call)));
    mark(body, card, caller);
    drawState(list);
  };
  list.addEventListener('change', () => {
    // Rows are made only when they were read: the focus may be on one of them.
    if (list.data === drawn) drawState(list);
    else draw();
  });
  caller.addEventListener('change', () => mark(body, card, caller));
  onLanguage(draw);
  offerSearch(list);
  turnPages(list);
  onPress('list-retry', () => void list.load());
  draw();
}

function headings(columns: readonly string[]): HTMLElement[] {
  const { name, phone } = words().page;
  return [
    make('th', { scope: 'col' }, name),
    make('th', { scope: 'col' }, phone),
    ...columns.map((column, place) =>
      make('th', { scope: 'col', class: columnClass(place) }, inOurWords(column)),
    ),
  ];
}

/** Where there is little room, the vendor's first column is shown below the name, and the others are hidden. */
function columnClass(place: number): string {
  return place === 0 ? 'wide' : 'roomy';
}

function createRow(row: Row, card: CustomerCard, call: PlaceCall): HTMLElement {
  const name = make('button', { type: 'button', class: 'name' }, row.name);
  const [first] = row.cells;
  const phone = row.number === '' ? '' : createCallButton(row, call);
  const element = make(
    'tr',
    { 'data-code': row.code },
    make(
      'td',
      {},
      make(
        'div',
        { class: 'who' },
        make('span', { class: 'avatar', 'aria-hidden': 'true' }, initials(row.name)),
        make('div', {}, name, make('span', { class: 'narrow quiet' }, inOurWords(first?.text ?? ''))),
      ),
    ),
    make('td', {}, phone),
    ...row.cells.map((cell, place) => make('td', { class: columnClass(place) }, drawCell(cell))),
  );
  // The whole row is a large target for the pointer; the keyboard has the button in it.
  element.addEventListener('click', (event) => {
    if (!(event.target instanceof Element && event.target.closest('.call'))) void card.open(row);
  });
  return element;
}

/** The vendor's color is a dot beside the text, which has to be readable on every ground. */
function drawCell({ text, color }: Row['cells'][number]): HTMLElement | string {
  if (color === null) return inOurWords(text);
  const cell = make('span', { class: 'choice' }, inOurWords(text));
  cell.style.setProperty('--choice', color);
  return cell;
}

/** Whose card is open, and who is on the phone. */
function mark(body: HTMLElement, card: CustomerCard, caller: LiveCaller): void {
  for (const row of body.querySelectorAll('tr')) {
    const isShown = row.dataset['code'] === card.code;
    row.dataset['selected'] = String(isShown);
    row.dataset['live'] = isShown && caller.isOnCard ? (caller.call?.status ?? '') : '';
    row.querySelector('.name')?.setAttribute('aria-pressed', String(isShown));
  }
}

function drawState(list: CustomerList): void {
  const { data, error, isReading, searched } = list;
  const { first, last, total } = list.range;
  const isEmpty = data !== undefined && data.customers.length === 0;
  const texts = words().list;
  byId('customers-table', HTMLElement).setAttribute('aria-busy', String(isReading));
  byId('customers-table', HTMLElement).hidden = data === undefined || isEmpty;
  const none = searched === '' ? texts.none : texts.nobody(searched);
  const empty = data === undefined ? (error ? '' : texts.reading) : isEmpty && !error ? none : '';
  write('list-empty', empty);
  write('list-error', error ? describeError(error) : '');
  byId('list-retry', HTMLElement).hidden = error === undefined;
  write('list-range', isEmpty || data === undefined ? '' : texts.range(first, last, total));
  byId('pager', HTMLElement).hidden = !list.hasPrevious && !list.hasNext;
  // Disabled, they would lose the focus.
  byId('previous', HTMLElement).setAttribute('aria-disabled', String(!list.hasPrevious));
  byId('next', HTMLElement).setAttribute('aria-disabled', String(!list.hasNext));
}

function offerSearch(list: CustomerList): void {
  const input = byId('search', HTMLInputElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const search = () => {
    clearTimeout(timer);
    void list.search(input.value.trim());
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, TYPING_MS);
  });
  byId('search-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
}

function turnPages(list: CustomerList): void {
  onPress('previous', () => {
    if (list.hasPrevious) void list.turn(-1);
  });
  onPress('next', () => {
    if (list.hasNext) void list.turn(1);
  });
}
