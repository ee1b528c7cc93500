/** Every kind of answer a broker may give, good and bad. */
import { HOTLINES, LINKS, MEMBER } from '../support/fake-broker.ts';
import { CANARY } from './world.ts';

const FOREIGN = 'https://elsewhere.example/';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let tokens = 0;
/** When a token ends, of those that do and were handed out before that. */
const ends = new Map<string, number>();

export function endOf(token: string): number {
  return ends.get(token) ?? Infinity;
}

const newToken = () => `${CANARY}.${(tokens += 1)}.signature`;
export const json = (body: unknown, status = 200, headers = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers,
});
const problem = (status: number, code: string, headers = {}) =>
  json({ type: 'about:blank', title: code, code }, status, {
    'Content-Type': 'application/problem+json',
    ...headers,
  });
/** Only the member whom they name may ask there. */
const OWN_LINKS = { calls: `of/${MEMBER.memberNo}/calls`, customers: `of/${MEMBER.memberNo}/customers` };
const readiness = (change: object = {}) => ({
  member: MEMBER,
  hotlines: HOTLINES,
  blockers: [],
  links: { ...LINKS, ...OWN_LINKS },
  ...change,
});
const session = (change: Readonly<Record<string, unknown>> = {}) => {
  const token = newToken();
  const end = Date.parse(String(change['expiresAt']));
  if (end > Date.now()) ends.set(token, end);
  return json({ token, ...readiness(change) });
};
const within = (ms: number) => ({ expiresAt: new Date(Date.now() + ms).toISOString() });

/** By name; those with a token are for `POST session`, the others do for every link. */
export const ANSWERS = {
  ok: () => session(),
  'no-links': () => session({ links: undefined }),
  'no-funds-no-links': () => session({ blockers: ['insufficient-funds'], links: undefined }),
  'only-a-token': () => json({ token: newToken() }),
  'bare-string': () => json(newToken()),
  envelope: () => json({ error: 0, message: 'OK', data: newToken() }),
  'expires-soon': () => session(within(20_000)),
  'expires-in-minutes': () => session(within(120_000)),
  'expires-tomorrow': () => session(within(86_400_000)),
  'expired-already': () => session(within(-3_600_000)),
  'expires-nonsense': () => session({ expiresAt: 'soon' }),
  'no-member': () => session({ member: undefined }),
  'no-balance': () => session({ member: { memberNo: 'agent001', name: 'An' } }),
  'low-balance': () => session({ member: { ...MEMBER, balance: 100 } }),
  'no-hotlines': () => session({ hotlines: [], blockers: ['no-hotline'] }),
  'no-funds': () => session({ blockers: ['insufficient-funds'] }),
  'no-funds-no-hotline': () => session({ blockers: ['insufficient-funds', 'no-hotline'] }),
  'unknown-blocker': () => session({ blockers: ['audit-of-the-year'] }),
  'constructor-blocker': () => session({ blockers: ['constructor'] }),
  'no-funds-no-token': () => json(readiness({ blockers: ['insufficient-funds'] })),
  'links-elsewhere': () => session({ links: { status: `${FOREIGN}status`, topUp: `${FOREIGN}top-up` } }),
  402: () => problem(402, 'insufficient-funds'),
  'envelope-402': () => json({ error: 402, message: 'Payment Required' }),
  401: () => json({}, 401),
  403: () => problem(403, 'broker-unauthorized'),
  404: () => ({ status: 404, body: '' }),
  429: () => json({}, 429, { 'Retry-After': '20' }),
  500: () => ({ status: 500, body: 'Internal Server Error' }),
  '503-for-long': () => problem(503, 'vendor-unreachable', { 'Retry-After': '120' }),
  503: () => problem(503, 'vendor-unreachable', { 'Retry-After': '5' }),
  html: () => ({
    status: 200,
    body: '<!doctype html><title>Sign in</title>',
    headers: { 'Content-Type': 'text/html' },
  }),
  'not-json': () => ({ status: 200, body: '{"token": ' }),
  empty: () => ({ status: 200, body: '' }),
  'wrong-types': () => json({ token: 7, blockers: 'none', links: [], hotlines: {} }),
  'empty-token': () => json({ token: '', blockers: [] }),
  'blank-token': () => json({ token: `${CANARY} with blanks`, blockers: [] }),
  'token-and-wrong-types': () => session({ hotlines: {}, member: 'agent001' }),
  null: () => json(null),
  // Only the token is needed: each of these is a session.
  nulled: () => session({ member: null, hotlines: null, blockers: null, links: null, expiresAt: null }),
  'nulled-within': () =>
    session({
      member: { ...MEMBER, name: null, balance: null, currency: null },
      hotlines: [{ ...HOTLINES[0], name: null, type: null }, null],
      links: { ...LINKS, topUp: null },
    }),
  swapped: () => session({ member: HOTLINES, hotlines: MEMBER, links: [LINKS], expiresAt: 7 }),
  garbled: () =>
    session({
      member: { ...MEMBER, balance: '12500', pricePerMinute: -1e300, currency: 'USD' },
      hotlines: [{ name: 'Sales' }, HOTLINES[1], 'x', { ...HOTLINES[0], number: 842899990001 }],
      links: { ...LINKS, hotline: `${FOREIGN}hotline` },
    }),
  'no-blockers': () => session({ blockers: undefined }),
} as const satisfies Readonly<Record<string, () => Answer>>;

/** What is not an answer at all. */
export const SILENCES = ['network-error', 'answer-lost', 'never', 'redirect'] as const;

export type AnswerName = `${keyof typeof ANSWERS}` | (typeof SILENCES)[number];

/** The same for a link that asks for no session: what it tells, without the token. */
export function withoutToken({ status, body, headers }: Answer): Answer {
  if (!body.includes('"token"') || status !== 200) return { status, body, ...(headers && { headers }) };
  const { token: _token, ...rest } = JSON.parse(body) as { token: unknown };
  return json({ blockers: [], ...rest }, status, headers);
}
