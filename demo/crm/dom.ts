/** Finding and making elements, with the types the compiler needs. */

/** @throws {Error} when the page lacks it */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${type.name} with the id ${id}.`);
}

/** An element with attributes and children; text is never read as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Those drawn at the end of index.html. */
export type Icon = 'phone' | 'incoming' | 'outgoing' | 'note' | 'person' | 'wallet' | 'number' | 'network';

export function icon(name: Icon): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const use = document.createElementNS(namespace, 'use');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

export function onPress(id: string, act: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', act);
}

/** Into a live region only what is new, so that screen readers announce it once. */
export function write(id: string, text: string): void {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

/** Calls back with the value of the radio button that was picked. */
export function onPick(group: HTMLFieldSetElement, picked: (value: string) => void): void {
  group.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement) picked(event.target.value);
  });
}

/** Shows one of the radio buttons as picked; none, if no button has this value. */
export function pick(group: HTMLFieldSetElement, value: string | undefined): void {
  for (const radio of group.querySelectorAll('input')) radio.checked = radio.value === value;
}
