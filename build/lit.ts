/** What the package uses of Lit. */
export * from '@lit/reactive-element';
export * from 'lit-html';
