/** What the vendor has written down: what each call has cost, and which customer has a number. */
import type { EndedCall } from '../../src/index.ts';
import { json, type Answer } from './answers.ts';
import type { ExchangeCall } from './exchange.ts';
import { ownersIn } from './members.ts';

/** Each call has a price of its own: these for its place in the books, and one for each second. */
const PLACE_VND = 100_000;
/** The dialer counts from its own times; what it asks for may be a second or two longer. */
const TOLERANCE_SECONDS = 3;

const secondsOf = ({ answeredAt = 0, endedAt = 0 }: ExchangeCall) =>
  Math.round((endedAt - answeredAt) / 1000);
/** However the number is written. */
const subscriberOf = (number: string) => number.replaceAll(/\D/g, '').slice(-9);

export function listedCalls(calls: readonly ExchangeCall[], owner: string): Answer {
  const rows = calls.flatMap((call, place) => {
    const isTheirs = ownersIn(call.number).every((member) => member === owner);
    if (call.direction === 'incoming' || !call.answered || !call.endedBy || !isTheirs) return [];
    const talkSeconds = secondsOf(call);
    return {
      direction: 'outgoing',
      number: call.number,
      talkSeconds,
      cost: PLACE_VND * place + talkSeconds + 1,
    };
  });
  return json({ calls: rows.toReversed() });
}

/** Is that the price of a call to this number, of this length? */
export function hasCost(
  calls: readonly ExchangeCall[],
  { number, durationMs, cost = 0 }: EndedCall,
): boolean {
  const call = calls[Math.floor(cost / PLACE_VND)];
  if (!call || subscriberOf(call.number) !== subscriberOf(number)) return false;
  return Math.abs(secondsOf(call) - durationMs / 1000) <= TOLERANCE_SECONDS;
}

export function customersWith(number: string): Answer {
  return json({ customers: [{ code: number, name: `Khách ${number}`, number }] });
}

/** Is that who has the number? */
export function isNamedAfter(name: string, number: string): boolean {
  return subscriberOf(name) === subscriberOf(number);
}
