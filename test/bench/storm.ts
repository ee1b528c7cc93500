/** Eight in the morning: thousands sign in within a minute, two tabs each, on three companions and one PostgreSQL. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startPostgres } from '../../demo/server/test/postgres.ts';
import { median, type Measure } from './measure.ts';

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

interface Server {
  readonly child: ChildProcess;
  readonly pool: Pool;
  readonly origin: string;
}

interface Count {
  readonly cpuMicroseconds: number;
  readonly calls: number;
  readonly refused: number;
  readonly credited: number;
}

export async function benchStorm(): Promise<Measure[]> {
  const postgres = await startPostgres();
  const servers: Server[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const server = await startServer(file, env);
    servers.push(server);
    return server;
  };
  try {
    const vendor = await start('vendor-process.ts', {
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
    for (let n = 0; n < COMPANIONS; n += 1) companions.push(await start('companion-process.ts', env));
    return await measure(vendor, companions);
  } finally {
    for (const { child, pool } of servers) {
      void pool.destroy();
      child.kill();
    }
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
      cookies[n] = await signIn(placeOf(n), `agent${n}`);
    }
  };
  await Promise.all(Array.from({ length: LOGINS }, logIn));
  const cpuBefore = await Promise.all(companions.map(ask));
  const waits: number[] = [];
  let unserved = 0;
  const open = async (n: number, tab: number) => {
    const wait = await untilServed(placeOf(n, tab), cookies[n] ?? '');
    if (wait === undefined) unserved += 1;
    else waits.push(wait);
  };
  const sitDown = async (n: number) => {
    await delay(Math.random() * SECONDS * 1000);
    await Promise.all(Array.from({ length: TABS }, (_, tab) => open(n, tab)));
  };
  await Promise.all(cookies.map((_, n) => sitDown(n)));
  const { calls, refused, credited } = await ask(vendor);
  const cpuAfter = await Promise.all(companions.map(ask));
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
async function untilServed({ pool }: Server, cookie: string): Promise<number | undefined> {
  const begin = performance.now();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { status, retryAfter } = await post(pool, cookie);
    if (status === 200) return performance.now() - begin;
    if (status !== 503) throw new Error(`The storm got HTTP ${status}.`);
    await delay(retryAfter * 1000 * (0.5 + Math.random()));
  }
  return undefined;
}

async function post(pool: Pool, cookie: string): Promise<{ status: number; retryAfter: number }> {
  const shot = { method: 'POST', path: '/dialer/session', headers: { Cookie: cookie } } as const;
  try {
    const { statusCode, headers, body } = await pool.request(shot);
    await body.dump();
    return { status: statusCode, retryAfter: Number(headers['retry-after'] ?? 1) };
  } catch {
    // A kept connection that ended meanwhile: a browser would try again at once.
    return { status: 503, retryAfter: 0.1 };
  }
}

async function signIn({ pool }: Server, memberNo: string): Promise<string> {
  const { headers, body } = await pool.request({
    method: 'POST',
    path: '/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ memberNo }),
  });
  await body.dump();
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

async function startServer(file: string, env: Record<string, string>): Promise<Server> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, { execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } });
  const [port] = (await once(child, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  return { child, origin, pool: new Pool(origin, { connections: 256 }) };
}

async function ask({ child }: Server): Promise<Count> {
  const answer = once(child, 'message') as Promise<[Count]>;
  child.send('count');
  return (await answer)[0];
}
