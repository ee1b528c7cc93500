/** The vendor's history of calls, fed by the exchange: the `/m-cdr/` module. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { CallRecord, World } from '../world/world.ts';
import { describeResult } from './call-results.ts';
import { findCustomerCode, describeCall, describeLeg, describeQuality, callType } from './call-rows.ts';
import { CODE, fail, numberText, vendorMiddleware, readQuery, succeed } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const IGNORE = -1;
const text = z._default(z.string(), '');
const filterQuery = z.object({
  key_search: text,
  member_no: text,
  hotline: text,
  disposition: text,
  customer_code: text,
  from: numberText(0),
  to: numberText(Number.MAX_SAFE_INTEGER),
  type_call: numberText(IGNORE),
  min_postage: numberText(IGNORE),
  max_postage: numberText(IGNORE),
  has_hotline: numberText(IGNORE),
  page: numberText(0),
  size: numberText(20),
});
type Filter = z.infer<typeof filterQuery>;

/** The app to mount at the version segment of the base address. */
export function createCallHistory(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  // In this module 409 is the code of a bad key.
  const middleware = vendorMiddleware(world, CODE.exists);
  const ended = () => world.calls.filter(({ state }) => state === 'ended').toReversed();
  const find = (id: string | undefined) => ended().find((call) => call.id === id);

  app.get('/m-cdr/api/call/get-all', ...middleware, (c) => {
    const filter = readQuery(c, filterQuery);
    if (!filter) return fail(c, 500);
    const calls = ended().filter((call) => matches(world, call, filter));
    const begin = filter.page * filter.size;
    return succeed(
      c,
      'Success',
      calls.slice(begin, begin + filter.size).map((call) => describeCall(world, call)),
    );
  });

  app.get('/m-cdr/api/call/count-all', ...middleware, (c) => {
    const filter = readQuery(c, filterQuery);
    if (!filter) return fail(c, 500);
    return succeed(c, 'SUCCESS', ended().filter((call) => matches(world, call, filter)).length);
  });

  app.get('/m-cdr/api/call/get-detail', ...middleware, (c) => {
    const call = find(c.req.query('group_id'));
    return succeed(c, 'success', call ? [describeLeg(world, call)] : []);
  });

  app.get('/m-cdr/api/agi/get-by-trans-id', ...middleware, (c) => {
    const call = find(c.req.query('trans_id'));
    return succeed(c, 'success', call ? describeQuality(call) : null);
  });

  return app;
}

/** A number below 0 means "ignore"; `has_hotline` alone ignores on 1, and leaves calls without one out on -1. */
function matches(world: World, call: CallRecord, filter: Filter): boolean {
  const hotline = call.hotline !== undefined;
  return (
    call.number.includes(filter.key_search) &&
    (filter.member_no === '' || call.memberNo === filter.member_no) &&
    (filter.hotline === '' || call.hotline === filter.hotline) &&
    (filter.disposition === '' || describeResult(call.finalStatus).disposition === filter.disposition) &&
    (filter.customer_code === '' || findCustomerCode(world, call) === filter.customer_code) &&
    call.startedAt >= filter.from &&
    call.startedAt <= filter.to &&
    (filter.type_call < 0 || callType(call) === filter.type_call) &&
    call.cost >= filter.min_postage &&
    (filter.max_postage < 0 || call.cost <= filter.max_postage) &&
    (filter.has_hotline === 1 || hotline === (filter.has_hotline !== 0))
  );
}
