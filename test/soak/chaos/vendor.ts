/** The sandbox vendor on a bad day: it loses answers before and after it acts, is late, and talks nonsense. */
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createSandbox, SANDBOX_API_KEY } from '../../../demo/sandbox/sandbox.ts';
import { startServer } from '../../../demo/companion/test/free-port.ts';
import type { World } from '../../../demo/sandbox/world/world.ts';
import { CUT_MEMBER, LATE_MEMBER, MOVEMENT_HEADER, PACE } from './plan.ts';

/** One POST that asked for money. */
export interface Order {
  readonly memberNo: string;
  /** Of the ledger, as the companion has named it. */
  readonly movement: string;
  applied: boolean;
}

export interface BadVendor {
  readonly world: World;
  readonly vendor: { readonly baseUrl: string; readonly apiKey: string };
  readonly orders: readonly Order[];
  /** How often each member had a balance of 0 that a top-up was due for. */
  dues(memberNo: string): number;
  spendAll(memberNo: string): void;
  /** Whether everything works, as it does until somebody says otherwise. */
  behave(well: boolean): void;
  close(): Promise<void>;
}

const ADMIN_BALANCE = 1_000_000_000;
const MONEY_FAULTS = 0.45;
const READ_FAULTS = 0.03;
/** How old a balance may be when it reaches who asked. */
const SLOWEST_READ_MS = 60;
/** How often a member's balance, once shown, stays the same to whoever asks. */
const LAGS = 0.4;

export async function startBadVendor(dice: () => number): Promise<BadVendor> {
  const sandbox = createSandbox();
  const { world } = sandbox;
  world.setAdminBalance(ADMIN_BALANCE);
  const orders: Order[] = [];
  const spent = new Map<string, number>();
  let healthy = true;
  const shown = new Map<string, { readonly body: string; readonly until: number }>();
  let owed: { readonly memberNo: string; readonly apply: () => Promise<Response> }[] = [];

  async function answer(request: Request, env: { incoming: IncomingMessage }): Promise<Response> {
    const hangUp = () => {
      env.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    };
    const path = new URL(request.url).pathname;
    if (path.endsWith('/addMoney')) return takeOrder(request, hangUp);
    if (!healthy && dice() < READ_FAULTS) return dice() < 0.5 ? hangUp() : new Response('', { status: 503 });
    const response = await sandbox.fetch(request, env);
    if (!path.endsWith('/getByMemberNo')) return response;
    const due = owed.filter(({ memberNo }) => request.url.endsWith(`=${memberNo}`));
    owed = owed.filter((one) => !due.includes(one));
    for (const { apply } of due) await apply();
    return showMember(request.url, response);
  }

  /** A replica that lags: never older than what it has shown before. */
  async function showMember(url: string, response: Response): Promise<Response> {
    const body = await response.text();
    const last = shown.get(url);
    const isLate = url.includes(`=${LATE_MEMBER}`);
    const isStale = (isLate || !healthy) && last && Date.now() < last.until;
    const lag = PACE.longestLagMs * (isLate ? 1 : dice() < LAGS ? dice() : 0);
    if (!isStale) shown.set(url, { body, until: Date.now() + lag });
    await delay(healthy ? 0 : SLOWEST_READ_MS * dice());
    return new Response(isStale ? last.body : body, response);
  }

  async function takeOrder(request: Request, hangUp: () => Response): Promise<Response> {
    const body = await request.text();
    const order: Order = {
      memberNo: (JSON.parse(body) as { member_no: string }).member_no,
      movement: request.headers.get(MOVEMENT_HEADER) ?? '',
      applied: false,
    };
    orders.push(order);
    const apply = async () => {
      // A copy, as its connection may be gone by the time it is applied.
      const { url, method, headers } = request;
      const response = await sandbox.fetch(new Request(url, { method, headers, body }));
      order.applied = ((await response.clone().json()) as { error: number }).error === 0;
      return response;
    };
    if (order.memberNo.startsWith(CUT_MEMBER)) {
      owed.push({ memberNo: order.memberNo, apply });
      return hangUp();
    }
    if (healthy || dice() >= MONEY_FAULTS) return apply();
    switch (Math.floor(dice() * 10)) {
      case 0: // applied, but the answer is lost
        await apply();
        return hangUp();
      case 1: // applied when the asker has given up
        await delay(PACE.vendorDeadlineMs * 1.1);
        await apply();
        return hangUp();
      case 2: // applied after the asker was hung up on
        setTimeout(() => void apply(), PACE.latestEffectMs * dice());
        return hangUp();
      case 3: // applied, and then silent
        await apply();
        return new Promise<Response>(() => undefined);
      case 4:
        await apply();
        return new Response('{"error":0,"mess', { headers: { 'Content-Type': 'application/json' } });
      case 5:
        if (dice() < 0.5) await apply();
        return new Response('<h1>500</h1>', { status: 500 });
      case 6:
        return new Response('<!doctype html><h1>Bad Gateway</h1>');
      case 7:
        return Response.json({ error: dice() < 0.5 ? 402 : -1, message: 'no', data: null });
      case 8: // silent, and nothing happens
        return new Promise<Response>(() => undefined);
      default: // hung up on before anything happened
        return hangUp();
    }
  }

  const server = createServer(getRequestListener(answer as Parameters<typeof getRequestListener>[0]));
  const origin = await startServer(server);
  return {
    world,
    orders,
    vendor: { baseUrl: `${origin}/vendor/v3.0`, apiKey: SANDBOX_API_KEY },
    dues: (memberNo) => 1 + (spent.get(memberNo) ?? 0),
    spendAll: (memberNo) => {
      const member = world.members.get(memberNo);
      if (!member || member.balance <= 0) return;
      world.setBalance(member, 0);
      spent.set(memberNo, (spent.get(memberNo) ?? 0) + 1);
    },
    behave: (well) => {
      healthy = well;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await sandbox.close();
    },
  };
}
