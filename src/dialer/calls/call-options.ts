/** What the page says of one call. It may come from a CRM's JSON: null and an empty text mean "not given". */
import * as z from 'zod/mini';
import { filledLine, textOrNumber } from '../../broker/contract.ts';
import { DialerError } from '../../errors.ts';
import { warnOnce } from '../../page/console.ts';
import type { LinkOptions } from '../state/call-info.ts';

/** The vendor's rule. The SDK puts the id into a SIP header unfiltered, where a line break would add headers. */
const EXTERNAL_CALL_ID = /^[a-z0-9]{1,32}$/;

/** An invalid name or hotline counts as not given; the call is placed. */
const optionsSchema = z.catch(
  z.object({
    name: z.catch(z.optional(filledLine), undefined),
    linkText: z.catch(z.optional(filledLine), undefined),
    hotline: z.catch(z.optional(textOrNumber), undefined),
    externalCallId: z.optional(z.unknown()),
  }),
  {},
);

/** @throws {DialerError} `configuration`: a call under a wrong id would be booked to somebody else */
export function parseCallOptions(given: unknown): LinkOptions {
  const { name: called, linkText, hotline, externalCallId } = z.parse(optionsSchema, given);
  return { name: called, linkText, hotline, externalCallId: parseExternalCallId(externalCallId) };
}

/** The attribute's id, for a call without its own. An invalid one is ignored with a warning. */
export function usableExternalCallId(id: string): string | undefined {
  if (id === '' || EXTERNAL_CALL_ID.test(id)) return id || undefined;
  warnOnce('external-call-id', 'is not 1 to 32 characters from a-z and 0-9');
  return undefined;
}

function parseExternalCallId(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const id = z.safeParse(textOrNumber, given).data ?? '';
  if (EXTERNAL_CALL_ID.test(id)) return id;
  throw new DialerError('configuration', 'An external call id must be 1 to 32 characters from a-z and 0-9.');
}
