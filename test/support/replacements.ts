/** What stands in the place of the browser's own, until that is given back. */
export class Replacements {
  readonly #undo: (() => void)[] = [];

  replace(target: object, name: string, value: unknown): void {
    this.#define(target, name, { writable: true, value });
  }

  replaceAccessor(target: object, name: string, accessor: Pick<PropertyDescriptor, 'get' | 'set'>): void {
    this.#define(target, name, accessor);
  }

  #define(target: object, name: string, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { ...descriptor, configurable: true });
    this.#undo.push(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }

  restore(): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }
}
