/** What a call has cost, from the broker's list of the member's calls. */
import * as z from 'zod/mini';
import { normalize } from '../numbers/read.ts';
import { warnLeftOut } from '../page/console.ts';
import { cost } from './contract.ts';
import { parseLeniently } from './lenient.ts';
import type { BrokerSession } from './session.ts';

/** The vendor counts whole seconds, from its own time of the answer. */
const TOLERANCE_SECONDS = 2;

const callSchema = z.object({
  direction: z.string(),
  number: z.string(),
  externalCallId: z.nullish(z.string()),
  talkSeconds: z.nullish(z.number()),
  /** The vendor may list a call with a cost of 0 before it is charged. */
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
 * A call is found by the page's external id, if the broker lists it, else by its number, because vendor and SDK have different ids
 * and clocks. Its length has to match: a page may give several calls one id, and an earlier call of the same length has cost the same.
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
  const isListed =
    externalCallId !== undefined && outgoing.some((call) => call.externalCallId === externalCallId);
  const seconds = (endedAt - answeredAt) / 1000;
  const isAsLong = ({ talkSeconds }: z.infer<typeof callSchema>) =>
    talkSeconds == null ? isListed : Math.abs(talkSeconds - seconds) <= TOLERANCE_SECONDS;
  const isSameCall = (call: z.infer<typeof callSchema>) =>
    isAsLong(call) &&
    (isListed ? call.externalCallId === externalCallId : normalize(call.number) === normalize(number));
  // The newest comes first: while it is not charged, an earlier one of nearly that length does not count.
  return outgoing.find(isSameCall)?.cost || undefined;
}
