/** Eight in the morning: thousands sign in within a minute, two tabs each, on three companions and one PostgreSQL. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { signIn } from '../../demo/companion/test/app.ts';
import { startPostgres } from '../../demo/companion/test/postgres.ts';
import { median, type Measure } from './measure.ts';
import { COMPANION, startServer, VENDOR, type Server } from './servers.ts';

/** Smaller with STORM_MEMBERS and STORM_SECONDS. */
const MEMBERS = Number(process.env['STORM_MEMBERS'] ?? 5000);
const SECONDS = Number(process.env['STORM_SECONDS'] ?? 60);
const COMPANIONS = 3;
const TABS = 2;
/** Calls a second that the vendor takes, and every so manieth member without money. */
const [RATE, POOR] = [400, 100];
/** Demo sign-ins at once, before the storm: they are not measured. */
const LOGINS = 16;
const AMOUNT = 1000;
/** Nobody comes back more often than a dialer does. */
const MOST_TRIES = 10;

/** Of each companion. */
const connections = new Agent({ connections: 256 });

export async function benchStorm(): Promise<Measure[]> {
  const postgres = await startPostgres();
  const servers: Server[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const server = await startServer(file, env);
    servers.push(server);
    return server;
  };
  try {
    const vendor = await start(VENDOR, {
      VENDOR_WAIT: '100',
      VENDOR_RATE: String(RATE),
      VENDOR_POOR: String(POOR),
    });
    const env = {
      VENDOR_BASE_URL: `${vendor.origin}/v3.0`,
      VENDOR_API_KEY: 'bench',
      SESSION_SECRET: 'x'.repeat(32),
      DEMO_LOGIN: 'on',
      DATABASE_URL: await postgres.createDatabase(),
      TOP_UP_AMOUNT: String(AMOUNT),
      TOP_UP_DAILY_LIMIT: '1000000000',
      RATE_LIMIT_PER_ADDRESS: '1000000',
    };
    const companions = [];
    for (let n = 0; n < COMPANIONS; n += 1) companions.push(await start(COMPANION, env));
    return await measure(vendor, companions);
  } finally {
    await connections.destroy();
    for (const server of servers) server.stop();
    await postgres.close();
  }
}

async function measure(vendor: Server, companions: readonly Server[]): Promise<Measure[]> {
  // The harder way: a proxy that takes turns, so that the tabs of a member reach different companions.
  const placeOf = (n: number, tab = 0) => companions[(n + tab) % COMPANIONS] as Server;
  const cookies: string[] = [];
  let next = 0;
  const logIn = async () => {
    while (next < MEMBERS) {
      const n = next++;
      cookies[n] = await signIn(placeOf(n).origin, `agent${n}`);
    }
  };
  await Promise.all(Array.from({ length: LOGINS }, logIn));
  const cpuBefore = await Promise.all(companions.map((companion) => companion.count()));
  const waits: number[] = [];
  let unserved = 0;
  const open = async (n: number, tab: number) => {
    const wait = await untilServed(placeOf(n, tab).origin, cookies[n] ?? '');
    if (wait === undefined) unserved += 1;
    else waits.push(wait);
  };
  const sitDown = async (n: number) => {
    await delay(Math.random() * SECONDS * 1000);
    await Promise.all(Array.from({ length: TABS }, (_, tab) => open(n, tab)));
  };
  await Promise.all(cookies.map((_, n) => sitDown(n)));
  const { calls, refused, credited } = await vendor.count();
  const cpuAfter = await Promise.all(companions.map((companion) => companion.count()));
  const cpu = cpuAfter.map(
    ({ cpuMicroseconds }, n) => cpuMicroseconds - (cpuBefore[n]?.cpuMicroseconds ?? 0),
  );
  const due = Math.ceil(MEMBERS / POOR) * AMOUNT;
  const note = `of ${MEMBERS} in ${SECONDS} s; ${refused} calls above the vendor's rate`;
  return [
    { name: 'tabs that were not served', value: unserved, goal: 0, note },
    {
      name: 'slowest sign-in, s',
      value: Math.max(...waits) / 1000,
      goal: 10,
      note: `p50 ${median(waits).toFixed(0)} ms`,
    },
    {
      name: 'vendor calls a member',
      value: calls / MEMBERS,
      goal: 4.2,
      note: `CPU of the companions: ${cpu.map((us) => (us / 1e6).toFixed(1)).join(', ')} s`,
    },
    { name: 'VND beyond what was due', value: credited - due, goal: 0, note: `${credited} of ${due}` },
  ];
}

/** As a dialer does it: 503 is tried again after its time, jittered. Milliseconds; undefined: in vain. */
async function untilServed(origin: string, cookie: string): Promise<number | undefined> {
  const begin = performance.now();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { status, retryAfter } = await post(origin, cookie);
    if (status === 200) return performance.now() - begin;
    if (status !== 503) throw new Error(`The storm got HTTP ${status}.`);
    await delay(retryAfter * 1000 * (0.5 + Math.random()));
  }
  return undefined;
}

async function post(origin: string, cookie: string): Promise<{ status: number; retryAfter: number }> {
  try {
    const { statusCode, headers, body } = await request(`${origin}/dialer/session`, {
      method: 'POST',
      headers: { Cookie: cookie },
      dispatcher: connections,
    });
    await body.dump();
    return { status: statusCode, retryAfter: Number(headers['retry-after'] ?? 1) };
  } catch {
    // A kept connection that ended meanwhile: a browser would try again at once.
    return { status: 503, retryAfter: 0.1 };
  }
}
