/** Stands in for a property of the page until the signal; if the page has frozen the property, nothing is replaced. */
export function replaceUntil(over: AbortSignal, target: object, name: string, value: unknown): void {
  const isOwn = Object.hasOwn(target, name);
  const original: unknown = Reflect.get(target, name);
  Reflect.set(target, name, value);
  over.addEventListener('abort', () => {
    // Keep a replacement that somebody else has made later.
    if (Reflect.get(target, name) !== value) return;
    if (isOwn) Reflect.set(target, name, original);
    else Reflect.deleteProperty(target, name);
  });
}
