/** What a value of a customer is written with, by the type of its field, and what is wrong with it. */
import { make } from '../dom.ts';
import { words } from '../words/language.ts';
import type { Field } from './customers-client.ts';

export interface FieldInput {
  readonly field: Field;
  readonly element: HTMLElement;
  /** As the vendor wants it. */
  read(): string;
  /** Shows what is wrong with the value; false: nothing is. */
  isWrong(): boolean;
  focus(): void;
}

const STRING_LENGTH = 255;
const NUMBER = /^-?\d{1,18}(?:\.\d{1,6})?$/;
const PHONE = /^\+?\d{3,15}$/;
const CODE = /^[A-Za-z0-9_-]{1,64}$/;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function createFieldInput(field: Field, value: string): FieldInput {
  const id = `field-${field.code}`;
  const trouble = make('p', { class: 'field-trouble', id: `${id}-trouble` });
  const { body, controls, read } = createControls(field, value, id);
  const isGroup = field.type === 'RADIO' || field.type === 'CHECKBOX';
  const element = isGroup
    ? make('fieldset', { class: 'field' }, make('legend', {}, ...nameOf(field)), body, trouble)
    : make('div', { class: 'field' }, make('label', { for: id }, ...nameOf(field)), body, trouble);
  if (field.type === 'TEXT') element.classList.add('wide-field');
  for (const control of controls) control.setAttribute('aria-describedby', trouble.id);
  return {
    field,
    element,
    read,
    isWrong: () => {
      const text = whatIsWrong(field, read());
      trouble.textContent = text ?? '';
      for (const control of controls) control.setAttribute('aria-invalid', String(text !== undefined));
      return text !== undefined;
    },
    focus: () => controls[0]?.focus(),
  };
}

/** The names of the fields that every vendor has are ours. */
export function describeField({ code, name }: Field): string {
  return words().fields[code] ?? inOurWords(name);
}

/** What the vendor calls a field or a choice, in the page's language where we know it. */
export function inOurWords(name: string): string {
  return words().names[name] ?? name;
}

function nameOf(field: Field): (HTMLElement | string)[] {
  const name = describeField(field);
  return field.isRequired ? [name, ' ', make('span', { class: 'quiet' }, words().form.required)] : [name];
}

function whatIsWrong({ code, type, isRequired }: Field, value: string): string | undefined {
  const { form } = words();
  if (value === '') return isRequired ? form.isMissing : undefined;
  if (code === 'customer_code') return CODE.test(value) ? undefined : form.notCode;
  if (type === 'NUMBER') return NUMBER.test(value) ? undefined : form.notNumber;
  if (type === 'PHONE') return PHONE.test(value) ? undefined : form.notPhone;
  return type === 'STRING' && value.length > STRING_LENGTH ? form.tooLong(STRING_LENGTH) : undefined;
}

interface Controls {
  readonly body: HTMLElement;
  readonly controls: readonly Control[];
  readonly read: () => string;
}

function createControls(field: Field, value: string, id: string): Controls {
  switch (field.type) {
    case 'TEXT': {
      const area = make('textarea', { id, rows: '3' });
      area.value = value;
      return { body: area, controls: [area], read: () => area.value.trim() };
    }
    case 'SELECT':
      return createSelect(field, value, id);
    case 'RADIO':
    case 'CHECKBOX':
      return createBoxes(field, value, id);
    case 'DATE':
      return createDate(value, id);
    case 'NUMBER':
      // In Vietnam the comma stands before the decimals.
      return createLine(value, id, { inputmode: 'decimal' }, (text) => text.replace(',', '.'));
    case 'PHONE':
      return createLine(value, id, { type: 'tel' }, (text) => text.replaceAll(/[\s.()-]/g, ''));
    default:
      return createLine(value, id, {}, (text) => text);
  }
}

function createLine(
  value: string,
  id: string,
  attributes: Readonly<Record<string, string>>,
  clean: (text: string) => string,
): Controls {
  const input = make('input', { id, autocomplete: 'off', ...attributes });
  input.value = value;
  return { body: input, controls: [input], read: () => clean(input.value.trim()) };
}

/** The browser's own picker; what the vendor keeps is `dd/MM/yyyy`. */
function createDate(value: string, id: string): Controls {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value) ?? [];
  if (value !== '' && year === undefined) return createLine(value, id, {}, (text) => text);
  const input = make('input', { id, type: 'date' });
  input.value = year === undefined ? '' : `${year}-${month}-${day}`;
  return { body: input, controls: [input], read: () => input.value.split('-').toReversed().join('/') };
}

function createSelect({ choices }: Field, value: string, id: string): Controls {
  const select = make('select', { id }, make('option', { value: '' }, words().form.none));
  const groups = new Map<string, HTMLElement>([['', select]]);
  for (const { code, name, group } of choices) {
    const parent = groups.get(group) ?? make('optgroup', { label: group });
    if (!groups.has(group)) select.append(parent);
    groups.set(group, parent);
    parent.append(make('option', { value: code }, inOurWords(name)));
  }
  select.value = value;
  return { body: select, controls: [select], read: () => select.value };
}

/** Several checked boxes are written with commas between their codes. */
function createBoxes({ type, choices, isRequired }: Field, value: string, id: string): Controls {
  const chosen = value.split(',');
  const kind = type === 'RADIO' ? 'radio' : 'checkbox';
  const none = { code: '', name: words().form.none };
  const offered = kind === 'radio' && !isRequired ? [none, ...choices] : choices;
  const boxes = offered.map(({ code, name }) => {
    const box = make('input', { type: kind, name: id, value: code });
    box.checked = chosen.includes(code) && (code !== '' || value === '');
    return { box, label: make('label', {}, box, make('span', {}, inOurWords(name))) };
  });
  return {
    body: make('div', { class: 'boxes' }, ...boxes.map(({ label }) => label)),
    controls: boxes.map(({ box }) => box),
    read: () =>
      boxes
        .filter(({ box }) => box.checked)
        .map(({ box }) => box.value)
        .join(','),
  };
}
