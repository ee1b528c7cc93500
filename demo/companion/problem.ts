/** Every error response: a code of a closed list, with its status and title. */
import type { HttpBindings } from '@hono/node-server';
import type { RequestIdVariables } from 'hono/request-id';

/** Requests come from Node's own server. */
export interface FromNode {
  Bindings: HttpBindings;
  Variables: RequestIdVariables & { body?: unknown };
}

export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is not valid.' },
  'broker-unauthorized': { status: 401, title: 'You are not signed in.' },
  'webhook-unauthorized': { status: 401, title: 'The webhook secret is missing or wrong.' },
  'operator-unauthorized': { status: 401, title: 'The operator password is missing or wrong.' },
  'top-up-admin-short': { status: 402, title: 'The partner account is short of money.' },
  'top-up-refused': { status: 402, title: 'The vendor refused the top-up.' },
  'top-up-too-small': { status: 402, title: 'One top-up would not bring the balance above 0.' },
  'origin-not-allowed': { status: 403, title: 'Requests from this origin are not allowed.' },
  'top-up-off': { status: 403, title: 'Top-ups are off.' },
  'not-found': { status: 404, title: 'Not found.' },
  'no-hotline': { status: 409, title: 'No hotline can be assigned.' },
  'member-expired': { status: 409, title: "The member's account has expired." },
  'no-script': { status: 409, title: 'No call script is configured.' },
  'host-not-allowed': { status: 421, title: 'This host name is not allowed.' },
  'top-up-limit': { status: 429, title: "Today's top-up limit has been reached." },
  'too-many-requests': { status: 429, title: 'Too many requests.' },
  internal: { status: 500, title: 'The companion failed.' },
  'vendor-refused': { status: 502, title: 'The vendor refused the request.' },
  'vendor-invalid-answer': { status: 502, title: "The vendor's response could not be parsed." },
  'not-ready': { status: 503, title: 'The companion is not ready.' },
  'sign-in-unavailable': { status: 503, title: 'Tokens cannot be verified right now.' },
  'top-up-later': { status: 503, title: 'The top-up cannot be made right now.' },
  'vendor-unreachable': { status: 503, title: 'The vendor cannot be reached.' },
  'vendor-busy': { status: 503, title: 'Too many requests to the vendor are in progress.' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

interface ProblemOptions {
  /** For the caller's people; tells nothing about the inside of the companion. */
  readonly detail?: string | undefined;
  /** If not the code's usual status, e.g. 413 for `invalid-request`. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** Thrown by middleware and routes to refuse a request; `answerProblem` of guards/http.ts writes it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(code);
    this.code = code;
    this.options = options;
  }
}
