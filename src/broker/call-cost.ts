/** What a call has cost, from the broker's list of the member's calls. */
import * as z from 'zod/mini';
import { national } from '../numbers/read.ts';
import type { BrokerClient } from './client.ts';

/** The vendor counts whole seconds, from its own beginning of the talk. */
const TOLERANCE_SECONDS = 2;

/** Before a call is charged, the vendor may list it with a cost of 0. */
const chargedSchema = z.object({
  direction: z.literal('outgoing'),
  number: z.string(),
  talkSeconds: z.number(),
  cost: z.number().check(z.positive()),
});
const answerSchema = z.object({ calls: z.array(z.unknown()) });

interface FinishedCall {
  readonly number: string;
  readonly answeredAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/**
 * The vendor's id of a call is not the SDK's, and clocks differ. So the call is found by its number and length; an earlier one
 * with the same number and length has cost the same.
 *
 * @returns VND; `undefined`: the vendor does not know yet
 * @throws {DialerError} as `BrokerClient`, or a SyntaxError
 */
export async function findCallCost(
  { number, answeredAt = 0, endedAt = 0 }: FinishedCall,
  broker: BrokerClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { status, body } = await broker.calls(signal);
  const rows = status === 200 ? z.safeParse(answerSchema, JSON.parse(body)).data?.calls : undefined;
  const seconds = (endedAt - answeredAt) / 1000;
  return rows
    ?.map((row) => z.safeParse(chargedSchema, row).data)
    .find(
      (call) =>
        call &&
        national(call.number) === national(number) &&
        Math.abs(call.talkSeconds - seconds) <= TOLERANCE_SECONDS,
    )?.cost;
}
