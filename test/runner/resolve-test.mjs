/** A hook of Node's module loader: who imports `node:test` gets it with time limits. */
const LIMITED = new URL('limited-test.ts', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) => {
  const isOwn = context.parentURL?.split('?')[0] === LIMITED;
  return next(specifier === 'node:test' && !isOwn ? LIMITED : specifier, context);
};
