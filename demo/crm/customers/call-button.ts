/** A number that is called by a press on it. */
import { icon, make } from '../dom.ts';
import { words } from '../words/language.ts';
import { formatPhone } from './phone.ts';

export interface Callee {
  readonly code: string;
  readonly name: string;
  readonly number: string;
}

export type PlaceCall = (callee: Callee) => void;

/** A real button: reachable by keyboard, and its name holds the number that is seen. */
export function createCallButton(callee: Callee, call: PlaceCall): HTMLButtonElement {
  const shown = formatPhone(callee.number);
  const attributes = {
    type: 'button',
    class: 'call',
    'aria-label': words().list.call(callee.name, shown),
    'data-number': callee.number,
  };
  const button = make('button', attributes, icon('phone'), shown);
  button.addEventListener('click', () => call(callee));
  return button;
}
