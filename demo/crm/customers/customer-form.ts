/** The form on the card that changes a customer, or adds one. */
import { CompanionError, describeError, toCompanionError } from '../companion.ts';
import { byId, onPress } from '../dom.ts';
import { onLanguage, words } from '../words/language.ts';
import type { CustomerCard, Shown } from './customer-card.ts';
import type { Field, Values } from './customers-client.ts';
import { createFieldInput, describeField, type FieldInput } from './field-input.ts';

type ShownForm = Shown & { readonly is: 'form' };

export class CustomerForm {
  readonly #card: CustomerCard;
  readonly #form = byId('card-form', HTMLFormElement);
  readonly #fields = byId('card-fields', HTMLElement);
  readonly #trouble = byId('form-trouble', HTMLElement);
  readonly #save = byId('card-save', HTMLButtonElement);
  #inputs: readonly FieldInput[] = [];
  #drawn: Shown | undefined;
  #isSaving = false;
  /** Codes of fields that may have another value at the vendor by now. */
  readonly #unsure = new Set<string>();
  #error: CompanionError | undefined;

  constructor(card: CustomerCard) {
    this.#card = card;
    this.#form.addEventListener('input', () => (card.isDirty = true));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    onPress('card-cancel', () => card.cancel());
    card.addEventListener('change', () => this.draw());
    onLanguage(() => {
      const { shown } = card;
      if (shown.is === 'form') this.#drawFields(shown, this.#values());
    });
  }

  draw(): void {
    const { shown } = this.#card;
    this.#form.hidden = shown.is !== 'form';
    if (shown === this.#drawn) return;
    this.#drawn = shown;
    this.#unsure.clear();
    this.#error = undefined;
    if (shown.is !== 'form') return this.#fields.replaceChildren();
    this.#drawFields(shown, shown.values);
    this.#inputs[0]?.focus();
  }

  #drawFields({ fields }: ShownForm, values: Values): void {
    this.#inputs = fields.map((field) => createFieldInput(field, values[field.code] ?? valueOf(field)));
    this.#fields.replaceChildren(...this.#inputs.map(({ element }) => element));
    this.#drawState();
  }

  #drawState(): void {
    this.#save.textContent = this.#isSaving ? words().form.saving : words().form.save;
    this.#trouble.textContent = this.#error ? this.#describe(this.#error) : '';
  }

  async #submit(): Promise<void> {
    const { shown } = this.#card;
    if (this.#isSaving || shown.is !== 'form') return;
    const wrong = this.#inputs.filter((input) => input.isWrong());
    if (wrong[0]) return wrong[0].focus();
    const values = this.#changedValues(shown);
    // Nothing was changed.
    if (Object.keys(values).length === 0) return this.#card.cancel();
    this.#isSaving = true;
    this.#error = undefined;
    this.#drawState();
    try {
      await this.#card.save(values);
    } catch (error) {
      if (shown === this.#card.shown) this.#error = toCompanionError(error);
      if (this.#error?.code === 'unsure') for (const code of Object.keys(values)) this.#unsure.add(code);
    }
    this.#isSaving = false;
    this.#drawState();
  }

  #values(): Values {
    return Object.fromEntries(this.#inputs.map(({ field, read }) => [field.code, read()]));
  }

  /** Of a new customer all that was written; of another one what is different. */
  #changedValues({ isNew }: ShownForm): Values {
    const changed = this.#inputs.filter(
      ({ field, read }) => this.#unsure.has(field.code) || read() !== (isNew ? '' : valueOf(field)),
    );
    return Object.fromEntries(changed.map(({ field, read }) => [field.code, read()]));
  }

  /** The vendor does not say which value it was: one of those that only one customer may have. */
  #describe(error: CompanionError): string {
    const unique = this.#inputs.filter(({ field, read }) => field.isUnique && read() !== '');
    if (error.code !== 'taken' || unique.length === 0) return describeError(error);
    return words().form.taken(unique.map(({ field }) => describeField(field)).join(', '));
  }
}

function valueOf({ value, chosen }: Field): string {
  return chosen.length > 0 ? chosen.join(',') : value;
}
