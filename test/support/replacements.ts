/** What stands in the place of the browser's own, until that is given back. */
export class Replacements {
  readonly #undo: (() => void)[] = [];

  replace(target: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { configurable: true, writable: true, value });
    this.#undo.push(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }

  restore(): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }
}
