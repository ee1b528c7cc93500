/** What a page sets `brokerHeaders` to. */
import type { PartnerDialer } from '../../src/index.ts';

/** What functions and listeners of the page throw, on purpose; it is theirs, not ours. */
export const PAGE_FAULT = 'thrown by the page';
/** Whatever `brokerHeaders` gives is for the broker's origin alone. */
export const SECRET_HEADER = 'x-page-secret';
const SLOW_MS = 1000;
const GIVEN = { [SECRET_HEADER]: 'page secret' };

export const HEADERS = {
  none: () => undefined,
  object: () => GIVEN,
  function: () => () => GIVEN,
  async: () => async () => GIVEN,
  slow: () => () =>
    new Promise((resolve) => {
      setTimeout(resolve, SLOW_MS, GIVEN);
    }),
  throws: () => () => {
    throw new Error(PAGE_FAULT);
  },
  rejects: () => () => Promise.reject(new Error(PAGE_FAULT)),
  hangs: () => () => new Promise(() => undefined),
  nonsense: () => 'nonsense',
  'bad-name': () => ({ 'not a header\n': 'x' }),
  /** What a framework sets at its next render: another object, or another function, that gives the same. */
  're-rendered': ({ brokerHeaders }) => {
    if (typeof brokerHeaders === 'function') return () => brokerHeaders();
    return brokerHeaders && { ...brokerHeaders };
  },
} as const satisfies Readonly<Record<string, (element: PartnerDialer) => unknown>>;
