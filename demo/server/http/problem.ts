/** Everything that goes wrong, as application/problem+json with a stable code and no inner workings. */
import { VendorError } from '../vendor/response.ts';

const TYPE = 'application/problem+json';
const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is not understood.' },
  'too-slow': { status: 408, title: 'The request took too long.' },
  'broker-unauthorized': { status: 401, title: 'Nobody is signed in.' },
  'webhook-unauthorized': { status: 401, title: 'This is not from the vendor.' },
  'operator-unauthorized': { status: 401, title: 'This is for operators.' },
  'origin-not-allowed': { status: 403, title: 'Pages of this origin may not ask.' },
  'host-not-allowed': { status: 421, title: 'This is not the name of this server.' },
  'top-up-admin-short': { status: 402, title: 'The partner account is short of money.' },
  'top-up-refused': { status: 402, title: 'The vendor refused the top-up.' },
  'top-up-off': { status: 403, title: 'Topping up is switched off.' },
  'not-found': { status: 404, title: 'There is nothing here.' },
  'no-hotline': { status: 409, title: 'No hotline can be assigned.' },
  'no-script': { status: 409, title: 'No script is set up that could call.' },
  'in-progress': { status: 409, title: 'The same request is under way.' },
  'key-reused': { status: 422, title: 'This Idempotency-Key was used for another request.' },
  'top-up-limit': { status: 429, title: "Today's top-up limit is reached." },
  'too-many-requests': { status: 429, title: 'That is too often.' },
  internal: { status: 500, title: 'The companion failed.' },
  'vendor-refused': { status: 502, title: 'The vendor refused.' },
  'vendor-invalid-answer': { status: 502, title: "The vendor's answer is not understood." },
  'not-ready': { status: 503, title: 'The companion is not ready.' },
  'top-up-later': { status: 503, title: 'The top-up cannot be made right now.' },
  'vendor-unreachable': { status: 503, title: 'The vendor cannot be reached.' },
  'vendor-busy': { status: 503, title: 'Too many requests to the vendor are under way.' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** @param status where one code has several, e.g. 413 and 415 of `invalid-request`. */
export function problem(code: ProblemCode, detail?: string, status?: number): Response {
  const { title, status: usual } = PROBLEMS[code];
  const body = { type: 'about:blank', title, status: status ?? usual, code, ...(detail && { detail }) };
  return new Response(JSON.stringify(body), { status: body.status, headers: { 'Content-Type': TYPE } });
}

export function tooMany(waitMs: number): Response {
  const response = problem('too-many-requests');
  response.headers.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  return response;
}

export function isProblem(response: Response): boolean {
  return response.headers.get('Content-Type') === TYPE;
}

/** Seconds until it is worth another try; the dialer adds its own jitter. */
const RETRY_AFTER = { 'vendor-unreachable': 5, 'vendor-busy': 2 } as const;

export function problemOf({ code, message }: VendorError): Response {
  if (code === 'refused') return problem('vendor-refused', message);
  if (code === 'invalid-answer' || code === 'not-sent') return problem('vendor-invalid-answer', message);
  const why = code === 'busy' || code === 'rate-limited' ? 'vendor-busy' : 'vendor-unreachable';
  const response = problem(why, message);
  response.headers.set('Retry-After', String(RETRY_AFTER[why]));
  return response;
}
