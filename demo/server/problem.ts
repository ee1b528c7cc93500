/** Everything that goes wrong, as application/problem+json with a stable code and no inner workings. */
import { VendorError } from './open-api.ts';

const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is not understood.' },
  'broker-unauthorized': { status: 401, title: 'Nobody is signed in.' },
  'insufficient-funds': { status: 402, title: 'The top-up was not made.' },
  'top-up-admin-short': { status: 402, title: 'The partner account is short of money.' },
  'origin-not-allowed': { status: 403, title: 'Pages of this origin may not ask.' },
  'top-up-off': { status: 403, title: 'Topping up is switched off.' },
  'not-found': { status: 404, title: 'There is nothing here.' },
  'no-hotline': { status: 409, title: 'No hotline can be assigned.' },
  'top-up-limit': { status: 429, title: "Today's top-up limit is reached." },
  internal: { status: 500, title: 'The companion failed.' },
  'vendor-refused': { status: 502, title: 'The vendor refused.' },
  'vendor-invalid-answer': { status: 502, title: "The vendor's answer is not understood." },
  'vendor-unreachable': { status: 503, title: 'The vendor cannot be reached.' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** @param status where one code has several, e.g. 413 and 415 of `invalid-request`. */
export function problem(code: ProblemCode, detail?: string, status?: number): Response {
  const { title, status: usual } = PROBLEMS[code];
  const body = { type: 'about:blank', title, status: status ?? usual, code, ...(detail && { detail }) };
  const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(body), { status: body.status, headers });
}

export function problemOf({ code, message }: VendorError): Response {
  if (code === 'unreachable') return problem('vendor-unreachable', message);
  return problem(code === 'refused' ? 'vendor-refused' : 'vendor-invalid-answer', message);
}
