/** What a call has cost, from the broker's list of the member's calls. */
import * as z from 'zod/mini';
import { national } from '../numbers/read.ts';
import { warnLeftOut } from '../page/console.ts';
import { cost } from './contract.ts';
import { parseLeniently } from './lenient.ts';
import type { BrokerSession } from './session.ts';

/** The vendor counts whole seconds, from its own beginning of the talk. */
const TOLERANCE_SECONDS = 2;

const callSchema = z.object({
  direction: z.string(),
  number: z.string(),
  externalCallId: z.nullish(z.string()),
  talkSeconds: z.nullish(z.number()),
  /** Before a call is charged, the vendor may list it with a cost of 0. */
  cost: z.nullish(cost),
});
const answerSchema = z.object({ calls: z.array(callSchema) });

interface FinishedCall {
  readonly number: string;
  readonly externalCallId?: string | undefined;
  readonly answeredAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/**
 * The vendor's id of a call is not the SDK's, and clocks differ. So a call without an id of the page's is found by its number
 * and length; an earlier one with the same number and length has cost the same.
 *
 * @returns VND; `undefined`: the vendor does not know yet
 * @throws {DialerError} as `BrokerSession`, or a SyntaxError
 */
export async function findCallCost(
  { number, externalCallId, answeredAt = 0, endedAt = 0 }: FinishedCall,
  session: BrokerSession,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { status, body } = await session.calls(signal);
  if (status !== 200) return undefined;
  const { data, leftOut } = parseLeniently(answerSchema, JSON.parse(body));
  warnLeftOut("the broker's response", leftOut);
  const outgoing = (data?.calls ?? []).filter(({ direction }) => direction === 'outgoing');
  const hasExternalId =
    externalCallId !== undefined && outgoing.some((call) => call.externalCallId === externalCallId);
  const seconds = (endedAt - answeredAt) / 1000;
  const isSameCall = (call: z.infer<typeof callSchema>) =>
    hasExternalId
      ? call.externalCallId === externalCallId
      : national(call.number) === national(number) &&
        Math.abs((call.talkSeconds ?? -Infinity) - seconds) <= TOLERANCE_SECONDS;
  return outgoing.find((call) => call.cost && isSameCall(call))?.cost ?? undefined;
}
