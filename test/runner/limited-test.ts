/**
 * What test files get as `node:test`: the same, but that every test and hook has a time limit, unless it names one itself.
 * (A limit of their group would be inherited, and end the group as a whole.)
 */
import nodeTest from 'node:test';
import { TEST_TIMEOUT } from './message.ts';

export const { describe, suite, mock } = nodeTest;
export const test = limited(nodeTest.test);
export const it = limited(nodeTest.it);
export const before = limited(nodeTest.before);
export const after = limited(nodeTest.after);
export const beforeEach = limited(nodeTest.beforeEach);
export const afterEach = limited(nodeTest.afterEach);

function limited<Register extends (...args: never[]) => unknown>(original: Register): Register {
  const register = (...args: unknown[]) => Reflect.apply(original, undefined, withLimit(args));
  // With `it.skip` and the like.
  return Object.defineProperties(register, Object.getOwnPropertyDescriptors(original)) as unknown as Register;
}

/** The arguments of a test are a name, options and a function, each of which may be missing; those of a hook a function and options. */
function withLimit(args: readonly unknown[]): unknown[] {
  const timeout = Number(process.env[TEST_TIMEOUT]);
  const options = args.find((argument) => typeof argument === 'object' && argument !== null);
  if (options) return args.map((argument) => (argument === options ? { timeout, ...options } : argument));
  return typeof args[0] === 'function' ? [args[0], { timeout }] : [args[0], { timeout }, ...args.slice(1)];
}
