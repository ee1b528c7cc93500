/** How much time and CPU the companion adds to the vendor, in one run, beside a server that only answers. */
import { spawnSync, type ForkOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { signIn } from '../../demo/companion/test/app.ts';
import { median, type Measure } from './measure.ts';
import { COMPANION, NODE_ARGS, startServer, VENDOR, type Server } from './servers.ts';

const MEMBERS = 200;
/** Until the engine has compiled what is hot, which takes longer than one would think. */
const WARM_UP = 16_000;
const MANY = 10_000;
/** More than one core can serve, so that its time is all work: what a request costs at the peak. */
const MANY_CONNECTIONS = 400;
const ROUNDS = 5;
const FEW = 60;
const ALL_CORES = `0-${availableParallelism() - 1}`;

/** One request of the n-th member. */
type Shot = (n: number) => Parameters<Pool['request']>[0];

export async function benchBroker(): Promise<Measure[]> {
  const canPin = availableParallelism() > 1 && stayOn('1');
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const servers: Server[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const server = await startServer(file, env, onCore(file === VENDOR ? 1 : 0, canPin));
    servers.push(server);
    return server;
  };
  try {
    const vendor = await start(VENDOR, {});
    const env = {
      VENDOR_BASE_URL: `${vendor.origin}/v3.0`,
      VENDOR_API_KEY: 'bench',
      SESSION_SECRET: 'x'.repeat(32),
      DEMO_LOGIN: 'on',
      DATABASE_URL: `file:${folder}/companion.db`,
      RATE_LIMIT_PER_MEMBER: '1000000',
      RATE_LIMIT_PER_ADDRESS: '1000000',
    };
    return await measure(vendor, await start(COMPANION, env));
  } finally {
    for (const server of servers) server.stop();
    // What is measured next, and the browser that it starts, have all cores.
    if (canPin) stayOn(ALL_CORES);
    await rm(folder, { recursive: true, force: true });
  }
}

const plain: Shot = (n) => ({ method: 'GET', path: `/v3.0/api/member/getByMemberNo?member_no=agent${n}` });

async function measure(vendor: Server, companion: Server): Promise<Measure[]> {
  const members = Array.from({ length: MEMBERS }, (_, n) => `agent${n}`);
  const cookies = await Promise.all(members.map((memberNo) => signIn(companion.origin, memberNo)));
  const warm: Shot = (n) => ({
    method: 'POST',
    path: '/dialer/session',
    headers: { Cookie: cookies[n % MEMBERS] ?? '' },
  });

  await shoot(companion, warm, WARM_UP, MANY_CONNECTIONS);
  await shoot(vendor, plain, WARM_UP, MANY_CONNECTIONS);
  const roundTrip = median(await shoot(vendor, plain, FEW, 2));
  const token = median(await shoot(companion, warm, FEW, 2));
  const cpu: { ours: number; theirs: number }[] = [];
  // In turns, so that whatever else the machine does hits both.
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await cpuPerShot(companion, warm, MANY);
    cpu.push({ ours, theirs: await cpuPerShot(vendor, plain, MANY) });
  }
  return [
    {
      name: 'warm token p50 / vendor round trip',
      value: token / roundTrip,
      goal: 1.1,
      note: `${token.toFixed(1)} ms / ${roundTrip.toFixed(1)} ms`,
    },
    {
      name: 'CPU per warm token / per answer of the vendor',
      value: median(cpu.map(({ ours, theirs }) => ours / theirs)),
      goal: 15,
      note: cpu.map(({ ours, theirs }) => `${ours.toFixed(0)}/${theirs.toFixed(0)}`).join(' ') + ' µs',
    },
  ];
}

async function cpuPerShot(server: Server, shot: Shot, shots: number): Promise<number> {
  const before = await server.count();
  await shoot(server, shot, shots, MANY_CONNECTIONS);
  return ((await server.count()).cpuMicroseconds - before.cpuMicroseconds) / shots;
}

/** Sends so many requests over so many connections; returns how many milliseconds each took. */
async function shoot(
  { origin }: Server,
  shot: Shot,
  requests: number,
  connections: number,
): Promise<number[]> {
  const pool = new Pool(origin, { connections });
  const times: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      const begin = performance.now();
      const { statusCode, body } = await pool.request(shot(next++));
      await body.dump();
      if (statusCode !== 200) throw new Error(`The bench got HTTP ${statusCode}.`);
      times.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await pool.close();
  return times;
}

/** @returns whether the system can do that; what this process starts from now on stays there too */
function stayOn(cores: string): boolean {
  return spawnSync('taskset', ['-cp', cores, String(process.pid)]).status === 0;
}

/** What is measured has a core to itself, where the system can do that; everything else shares the other. */
function onCore(core: 0 | 1, canPin: boolean): ForkOptions {
  if (!canPin) return { execArgv: NODE_ARGS };
  return { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, ...NODE_ARGS] };
}
