/** One control for each setting, and what is set now. */
import { byId, make } from '../crm/dom.ts';
import { onLanguage, words } from '../crm/words/language.ts';
import type { Setting } from './manifest.ts';

/** `''` is an attribute without a value. */
export type Values = ReadonlyMap<Setting, string>;

type Control = HTMLInputElement | HTMLSelectElement;

export class SettingsForm {
  readonly #values = new Map<Setting, string>();
  readonly #resets: (() => void)[] = [];
  readonly #changed: (setting: Setting) => void;

  /** @param changed called after each change */
  constructor(changed: (setting: Setting) => void) {
    this.#changed = changed;
    byId('reset', HTMLButtonElement).addEventListener('click', () => {
      for (const reset of this.#resets) reset();
    });
  }

  get values(): Values {
    return this.#values;
  }

  /** @param value what it begins with */
  offer(place: string, setting: Setting, value = ''): void {
    const id = `set${setting.name}`;
    const control = createControl(setting, id);
    const hint = make('p', { class: 'quiet', id: `${id}-hint` });
    const draw = () =>
      hint.replaceChildren(...withCode(words().playground.hints[setting.name] ?? setting.description));
    control.setAttribute('aria-describedby', hint.id);
    // A colour input cannot be empty: a button resets it.
    const clear = make('button', { type: 'button', class: 'button clear' }, '×');
    const label = () => clear.setAttribute('aria-label', `${words().playground.unset} ${setting.name}`);
    onLanguage(draw);
    onLanguage(label);
    draw();
    label();

    const write = (given: string | undefined) => {
      if (given === undefined) this.#values.delete(setting);
      else this.#values.set(setting, given);
      clear.hidden = setting.control.is !== 'color' || given === undefined;
      this.#changed(setting);
    };
    const reset = () => {
      show(control, setting, value);
      write(value === '' ? undefined : value);
    };
    control.addEventListener('input', () => write(read(control, setting)));
    clear.addEventListener('click', () => {
      control.focus();
      reset();
    });
    this.#resets.push(reset);
    byId(place, HTMLElement).append(
      make(
        'div',
        { class: 'setting' },
        make('label', { for: id }, make('code', {}, setting.name)),
        make('div', { class: 'control' }, clear, control),
        hint,
      ),
    );
    reset();
  }
}

function createControl({ control, initial }: Setting, id: string): Control {
  switch (control.is) {
    case 'select':
      return make(
        'select',
        { id },
        make('option', { value: '' }, initial === '' || initial === 'false' ? '–' : initial),
        ...control.values
          .filter((value) => value !== initial)
          .map((value) => make('option', { value }, value)),
      );
    case 'checkbox':
      return make('input', { id, type: 'checkbox' });
    case 'color':
      return make('input', { id, type: 'color' });
    case 'number':
    case 'pixels':
      return make('input', { id, type: 'number', min: '0', placeholder: initial.replace('px', '') });
    case 'text':
      return make('input', { id, autocomplete: 'off', spellcheck: 'false', placeholder: initial });
  }
}

function show(control: Control, { control: { is }, initial }: Setting, value: string): void {
  if (control instanceof HTMLInputElement && is === 'checkbox') control.checked = false;
  else control.value = is === 'color' ? asSixDigits(initial) : value;
}

function read(control: Control, { control: { is } }: Setting): string | undefined {
  if (control instanceof HTMLInputElement && is === 'checkbox') return control.checked ? '' : undefined;
  if (control.value === '') return undefined;
  return is === 'pixels' ? `${control.value}px` : control.value;
}

/** `#fff` as a picker of colours wants it. */
function asSixDigits(color: string): string {
  const [, short = '000'] = /^#(\w{3})$/.exec(color) ?? [];
  return /^#\w{6}$/.test(color) ? color : `#${[...short].map((digit) => digit + digit).join('')}`;
}

/** Text with `code` in it. */
function withCode(text: string): (Node | string)[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? make('code', {}, part) : part));
}
