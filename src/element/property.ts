/** Lit's decorator of that name, for the one kind of decorators that this project uses: a tenth of the code. */
import type { PropertyDeclaration, ReactiveElement } from '@lit/reactive-element';

export function property(options: PropertyDeclaration) {
  return (prototype: ReactiveElement, name: string): void => {
    (prototype.constructor as typeof ReactiveElement).createProperty(name, options);
  };
}
