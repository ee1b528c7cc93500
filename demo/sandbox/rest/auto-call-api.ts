/** The `/m-auto-call/` module: orders, their history, and the scripts. */
import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { SCRIPTS } from '../world/scripts.ts';
import type { AutoCall, World } from '../world/world.ts';
import { firstOfEach, membersBody, createOrder } from './auto-call-orders.ts';
import { talkSeconds, type AutoCalls } from './auto-calls.ts';
import {
  CODE,
  failAutoCall,
  numberText,
  vendorMiddleware,
  readJson,
  readQuery,
  succeedAutoCall,
} from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const FAILED = 500;

/** This module counts pages from 1. */
const listQuery = z.object({
  key_search: z._default(z.string(), ''),
  page: numberText(1),
  size: numberText(10),
});

/** The app to mount at the version segment of the base address. */
export function createAutoCallApi(world: World, calls: AutoCalls): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey, failAutoCall);

  app.post('/m-auto-call/api/call/create-list-member', ...middleware, async (c) => {
    const body = membersBody.safeParse(await readJson(c)).data;
    if (!body) return failAutoCall(c, FAILED);
    const infos = firstOfEach(body.member_infos, (info) => info.member_no);
    if (typeof infos === 'number') return failAutoCall(c, infos);
    for (const info of infos) {
      calls.callMember(info.member_no, body.display_name, createOrder(body, info));
    }
    return succeedAutoCall(c, true);
  });

  app.get('/m-auto-call/api/cdr/get-all', ...middleware, (c) => {
    const rows = pageOf(c, world.autoCalls.toReversed(), ({ phone: number, name }) => `${number} ${name}`);
    return rows ? succeedAutoCall(c, rows.map(describeAutoCall)) : failAutoCall(c, FAILED);
  });
  app.get('/m-auto-call/api/template-script/get-all', ...middleware, (c) => {
    const rows = pageOf(c, SCRIPTS, ({ name, code }) => `${name} ${code}`);
    return rows ? succeedAutoCall(c, rows) : failAutoCall(c, FAILED);
  });

  return app;
}

/** The rows asked for; undefined when the query makes no sense. */
function pageOf<T>(c: Context, rows: readonly T[], textOf: (row: T) => string): T[] | undefined {
  const query = readQuery(c, listQuery);
  if (!query) return undefined;
  const begin = (query.page - 1) * query.size;
  return rows.filter((row) => textOf(row).includes(query.key_search)).slice(begin, begin + query.size);
}

export function describeAutoCall(call: AutoCall): Record<string, unknown> {
  const billsec = talkSeconds(call);
  const duration = Math.round((call.endCallAt - call.createAt) / 1000);
  return { ...call, billsec, duration, serviceCharge: 0, isRecord: billsec > 0, callCollectedData: [] };
}
