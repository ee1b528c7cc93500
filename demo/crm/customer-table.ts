/** The table of customers: a press on a name shows it, a press on a number calls it. */
import type { CustomerFile } from './customer-file.ts';
import { CUSTOMERS, formatPhone, initialsOf, type Customer } from './customers.ts';
import { icon, make } from './dom.ts';
import { formatRelativeTime } from './times.ts';

/** Rows are made once and then only changed, so that the focus stays where it is. */
export function drawTable(body: HTMLElement, file: CustomerFile, call: (customer: Customer) => void): void {
  const updates = CUSTOMERS.map((customer) => {
    const row = createRow(customer, file, call);
    body.append(row.element);
    return row.update;
  });
  const update = () => {
    for (const one of updates) one();
  };
  file.addEventListener('change', update);
  update();
}

function createRow(
  customer: Customer,
  file: CustomerFile,
  call: (customer: Customer) => void,
): { element: HTMLElement; update(): void } {
  const name = make('button', { type: 'button', class: 'name' }, customer.name);
  const phone = createCallButton(customer, call);
  const lastContact = make('td', { class: 'wide quiet' });
  const element = make(
    'tr',
    {},
    make(
      'td',
      {},
      make(
        'div',
        { class: 'who' },
        make('span', { class: 'avatar', 'aria-hidden': 'true' }, initialsOf(customer)),
        make('div', {}, name, make('span', { class: 'narrow quiet' }, customer.company)),
      ),
    ),
    make('td', { class: 'wide' }, customer.company),
    make('td', {}, phone),
    lastContact,
    make('td', { class: 'roomy' }, createStanding(customer)),
  );
  // The whole row is a large target for the pointer; the keyboard has the button in it.
  element.addEventListener('click', () => file.select(customer));

  return {
    element,
    update() {
      const live = file.live?.customer === customer ? file.live.status : '';
      name.setAttribute('aria-pressed', String(file.selected === customer));
      element.dataset['selected'] = String(file.selected === customer);
      element.dataset['live'] = live;
      lastContact.textContent = formatRelativeTime(file.lastContactOf(customer));
    },
  };
}

/** A real button: reachable by keyboard, and its name holds the number that is seen. */
export function createCallButton(customer: Customer, call: (customer: Customer) => void): HTMLButtonElement {
  const shown = formatPhone(customer.phone);
  const attributes = {
    type: 'button',
    class: 'call',
    'aria-label': `Call ${customer.name}, ${shown}`,
    'data-number': customer.phone,
  };
  const button = make('button', attributes, icon('phone'), shown);
  button.addEventListener('click', () => call(customer));
  return button;
}

function createStanding({ standing }: Customer): HTMLElement {
  return make('span', { class: 'standing', 'data-standing': standing }, standing);
}
