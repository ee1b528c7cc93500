/** The panel of one customer: the facts, and what happened so far, calls among it. */
import type { CallInfo } from '../../src/index.ts';
import type { Activity, CustomerFile, LiveCall } from './customer-file.ts';
import { createCallButton } from './customer-table.ts';
import { initialsOf, type Customer } from './customers.ts';
import { byId, icon, make } from './dom.ts';
import { formatDuration, formatRelativeTime } from './times.ts';

const OUTCOMES: Readonly<Record<NonNullable<CallInfo['outcome']>, string>> = {
  answered: 'answered',
  missed: 'missed',
  declined: 'declined',
  cancelled: 'cancelled',
  'answered-elsewhere': 'answered on another device',
  busy: 'line busy',
  'no-answer': 'no answer',
  'wrong-number': 'number cannot be reached',
  'insufficient-funds': 'not placed, call balance used up',
  'no-hotline': 'not placed, no caller number',
  rejected: 'refused',
  'exchange-trouble': 'exchange had a problem',
  'network-lost': 'connection lost',
  failed: 'failed',
};

const LIVE: Readonly<Record<LiveCall['status'], string>> = {
  dialing: 'Calling…',
  incoming: 'Is calling you',
  'in-call': 'On the phone',
};

/** Draws the selected customer, and adds notes. */
export function drawDetail(file: CustomerFile, call: (customer: Customer) => void): void {
  let shown: Customer | undefined;
  const update = () => {
    if (shown !== file.selected) drawCustomer(file.selected, call);
    shown = file.selected;
    byId('detail-live', HTMLElement).textContent =
      file.live?.customer === shown ? LIVE[file.live.status] : '';
    byId('activity', HTMLElement).replaceChildren(...file.activitiesOf(shown).map(drawActivity));
  };
  file.addEventListener('change', update);
  update();

  const note = byId('note', HTMLInputElement);
  byId('note-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const text = note.value.trim();
    if (text !== '') file.addNote(text);
    note.value = '';
  });
}

function drawCustomer(customer: Customer, call: (customer: Customer) => void): void {
  byId('detail-avatar', HTMLElement).textContent = initialsOf(customer);
  byId('detail-name', HTMLElement).textContent = customer.name;
  byId('detail-company', HTMLElement).textContent = `${customer.company}, ${customer.city}`;
  byId('detail-facts', HTMLElement).replaceChildren(
    ...drawFact('Phone', createCallButton(customer, call)),
    ...drawFact('Trip', customer.trip),
  );
}

function drawFact(term: string, fact: Node | string): HTMLElement[] {
  return [make('dt', {}, term), make('dd', {}, fact)];
}

function drawActivity(activity: Activity): HTMLElement {
  const when = make(
    'time',
    { datetime: new Date(activity.at).toISOString() },
    formatRelativeTime(activity.at),
  );
  if (activity.kind === 'note') return make('li', {}, icon('note'), make('p', {}, activity.text), when);
  const { call } = activity;
  const item = make(
    'li',
    { 'data-outcome': call.outcome ?? '' },
    icon(call.direction === 'incoming' ? 'incoming' : 'phone'),
    make('p', {}, describeCall(call)),
    when,
  );
  return item;
}

/** `Outgoing call, answered, 42 s` */
function describeCall({ direction, outcome, answeredAt, endedAt }: CallInfo): string {
  const words = [direction === 'incoming' ? 'Incoming call' : 'Outgoing call'];
  if (outcome) words.push(OUTCOMES[outcome]);
  if (answeredAt !== undefined && endedAt !== undefined) words.push(formatDuration(endedAt - answeredAt));
  return words.join(', ');
}
