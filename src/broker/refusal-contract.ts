/** What else than a session a broker answers, as schemas. */
import { readinessShape, text } from './contract.ts';
import * as z from '../schema.ts';

/** May the member call, and if not, why? The answer of every link. */
export const readinessSchema = z.object({
  ...readinessShape,
  /** Empty: the member can call. `insufficient-funds` and `no-hotline` have guides of their own. */
  blockers: z.array(text),
});

/** Short and plain, so that it can be shown and logged; anything longer might be a secret. */
export const identifierSchema = z.lenient(z.matching(/^[\w.-]{1,64}$/));

/** RFC 9457 with two extension members: the stable `code`, and what the broker's log calls the request. */
export const problemSchema = z.object({
  code: identifierSchema,
  requestId: identifierSchema,
  request_id: identifierSchema,
});
