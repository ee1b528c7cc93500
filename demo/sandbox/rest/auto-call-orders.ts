/** What may be ordered of automatic calls, and how an order reads once it is accepted. */
import * as z from 'zod/mini';
import { SCRIPTS } from '../world/scripts.ts';
import { CODE } from './envelope.ts';

const MOST_AT_ONCE = 5;

const externalId = z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/)));
const limits = { max_time: z._default(z.int(), -1), max_waiting_time: z._default(z.int(), 30) };
const template = z.string().check(z.refine((code) => SCRIPTS.some((script) => script.code === code)));
export const membersBody = z.object({
  template_code: template,
  display_name: z._default(z.string().check(z.regex(/^\S+$/)), 'SCRIPT'),
  type: z.optional(z.literal('MEMBER')),
  member_infos: z.nullish(
    z.array(
      z.object({
        member_no: z.string().check(z.regex(/^[A-Za-z0-9]+$/)),
        external_call_id: externalId,
        name: z.optional(z.string()),
      }),
    ),
  ),
  ...limits,
});

/** The list without repeats, or the code it is refused with. */
export function firstOfEach<T>(
  items: readonly T[] | null | undefined,
  keyOf: (item: T) => string,
): T[] | number {
  if (!items) return CODE.badRequest;
  const first = new Map(items.toReversed().map((item) => [keyOf(item), item]));
  const kept = items.filter((item) => first.get(keyOf(item)) === item);
  return kept.length > MOST_AT_ONCE ? CODE.tooMany : kept;
}

interface Body {
  readonly template_code: string;
  readonly max_time: number;
  readonly max_waiting_time: number;
}

interface Info {
  readonly external_call_id?: string | undefined;
  readonly name?: string | undefined;
}

export function createOrder(body: Body, info: Info) {
  return {
    templateCode: body.template_code,
    externalCallId: info.external_call_id,
    name: info.name,
    maxTime: body.max_time,
    maxWaitingTime: body.max_waiting_time,
  };
}
