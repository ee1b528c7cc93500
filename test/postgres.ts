/** A real PostgreSQL for the tests, from Debian's package, in a folder and on a port of its own. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface RunningPostgres {
  /** Without a database. */
  readonly address: string;
  /** Makes an empty database; resolves to its address. */
  createDatabase(): Promise<string>;
  /** As after a crash: cuts everybody off, and comes back with what was committed. */
  restart(): Promise<void>;
  /** Stands still, with every connection open and nothing answered, until it is thawed. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export type UsedPostgres = Pick<RunningPostgres, 'createDatabase' | 'close'>;

const VERSIONS = '/usr/lib/postgresql';
const START_MS = 30_000;
/** Names its address, without the database. */
export const SHARED = 'TEST_POSTGRES';

/**
 * @returns undefined, with the reason printed, where it can neither be found nor installed
 * @throws {Error} instead, in CI: there the tests count only if they all run
 */
export async function startPostgres(): Promise<RunningPostgres | undefined> {
  const programs = findPrograms() ?? install();
  if (programs !== undefined) return start(programs);
  const reason = `PostgreSQL is not in ${VERSIONS} and could not be installed (apt-get install postgresql, as root).`;
  if (process.env['CI']) throw new Error(reason);
  console.warn(`Skipped: ${reason}`);
  return undefined;
}

/** The one that the run has started for all of its files, else one of its own. */
export async function usePostgres(): Promise<UsedPostgres | undefined> {
  const shared = process.env[SHARED];
  if (shared === undefined) return startPostgres();
  return { createDatabase: () => createDatabase(shared), close: async () => undefined };
}

function findPrograms(): string | undefined {
  try {
    const versions = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a));
    return versions[0] === undefined ? undefined : join(VERSIONS, versions[0], 'bin');
  } catch {
    return undefined;
  }
}

function install(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
    env,
    stdio: 'ignore',
  });
  return findPrograms();
}

async function start(programs: string): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const port = await freePort();
  const user = notRoot();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initArgs, { ...user, cwd: folder, stdio: 'ignore' });
  const serverArgs = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const launch = () =>
    spawn(join(programs, 'postgres'), serverArgs, { ...user, cwd: folder, stdio: 'ignore' });
  let server = launch();
  // Should whoever started it not live to stop it; SIGQUIT is for servers whose data nobody needs.
  const abandon = () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const stop = () => {
    process.off('exit', abandon);
    return end(server, folder);
  };
  const address = `postgres://postgres@127.0.0.1:${port}`;
  try {
    await untilItAnswers(`${address}/postgres`, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    createDatabase: () => createDatabase(address),
    async restart() {
      const exit = once(server, 'exit');
      server.kill('SIGQUIT');
      await exit;
      server = launch();
      await untilItAnswers(`${address}/postgres`, server);
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    close: async () => {
      signalAll(server, 'SIGCONT');
      await stop();
    },
  };
}

/** The server and the processes it has made for its connections. */
function signalAll({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return;
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout;
  for (const one of [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)]) {
    try {
      process.kill(one, signal);
    } catch (error) {
      // A process that was made for a connection ends with it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** PostgreSQL refuses to run as root; its package brings a user for it. */
function notRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOfPostgres('-u'), gid: idOfPostgres('-g') };
}

function idOfPostgres(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  // SIGINT: ends connections and writes everything down, but waits for nobody.
  if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const giveUp = Date.now() + START_MS;
  for (;;) {
    try {
      await withClient(url, (client) => client.query('select 1'));
      return;
    } catch (error) {
      if (Date.now() > giveUp || server.exitCode !== null) throw error;
      await delay(50);
    }
  }
}

async function createDatabase(address: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(`${address}/postgres`, (client) => client.query(`create database ${name}`));
  return `${address}/${name}`;
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
