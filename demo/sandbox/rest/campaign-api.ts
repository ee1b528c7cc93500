/** The older paths of automatic calls, which keep working: `/api/campaignCall/`. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { SCRIPTS, SCRIPT_FIELDS } from '../world/scripts.ts';
import type { AutoCall, World } from '../world/world.ts';
import { pageOf } from './auto-call-api.ts';
import { orderOf, phone, phoneBody, template } from './auto-call-orders.ts';
import { secondsOf, type AutoCalls } from './auto-calls.ts';
import { CODE, fail, vendorMiddleware, readJson, succeed } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const phonesBody = z.object({
  template_code: template,
  hotline_code: z.string(),
  phoneInfos: z.array(z.object({ phone: phone.phone, name: phone.name })),
});

/** The app to mount at the version segment of the base address. */
export function createCampaignApi(world: World, calls: AutoCalls): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);
  app.post('/api/campaignCall/callConfirm/insert', ...middleware, async (c) => {
    const body = phoneBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    calls.callPhone(body.phone, orderOf(body, body));
    return succeed(c, 'success', true);
  });
  app.post('/api/campaignCall/callConfirm/insertListPhone', ...middleware, async (c) => {
    const body = phonesBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const order = { ...body, max_time: -1, max_waiting_time: 30 };
    for (const info of body.phoneInfos) calls.callPhone(info.phone, orderOf(order, info));
    return succeed(c, 'success', { batch_id: 1, phone_count: body.phoneInfos.length, status: 1 });
  });
  app.get('/api/campaignCall/callConfirm/getCustomFieldInScript', ...middleware, (c) =>
    succeed(c, 'success', SCRIPT_FIELDS),
  );
  app.get('/api/campaignCall/cdr/getAll', ...middleware, (c) =>
    succeed(
      c,
      'success',
      (pageOf(c, world.autoCalls.toReversed(), (call) => call.phone) ?? []).map(describeOld),
    ),
  );
  app.get('/api/campaignCall/cdr/countAll', ...middleware, (c) =>
    succeed(c, 'success', world.autoCalls.length),
  );
  app.get('/api/campaignCall/cdr/getBotConversation', ...middleware, (c) => fail(c, world, 500));
  app.get('/api/campaignCall/templateScript/getAll', ...middleware, (c) => succeed(c, 'success', SCRIPTS));
  app.get('/api/campaignCall/templateScript/countAll', ...middleware, (c) =>
    succeed(c, 'success', SCRIPTS.length),
  );
  app.get('/api/campaignCall/campaign/getAll', ...middleware, (c) => succeed(c, 'success', []));
  app.get('/api/campaignCall/campaign/countAll', ...middleware, (c) => succeed(c, 'success', 0));

  return app;
}

function describeOld(call: AutoCall): Record<string, unknown> {
  const { transId, externalCallId, phone: number, disposition, createAt } = call;
  return {
    trans_id: transId,
    external_call_id: externalCallId,
    phone: number,
    disposition,
    create_at: createAt,
    billsec: secondsOf(call),
  };
}
