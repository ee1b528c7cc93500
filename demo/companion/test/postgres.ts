/** A PostgreSQL for the tests, from Debian's package, in a folder and on a port of its own. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

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

/** Debian's folder, which is not in PATH. */
const VERSIONS = '/usr/lib/postgresql';
const START_MS = 30_000;

/** The folder of its programs. */
function findPostgres(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  if (newest !== undefined) return join(VERSIONS, newest, 'bin');
  const inPath = process.env['PATH']?.split(delimiter).find((folder) => existsSync(join(folder, 'initdb')));
  if (inPath !== undefined) return inPath;
  throw new Error(
    'No PostgreSQL was found: apt-get install postgresql, as root, or its address in TEST_POSTGRES.',
  );
}

export async function startPostgres(): Promise<RunningPostgres> {
  const programs = findPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = notRoot();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initArgs, { ...user, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const serverArgs = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const launch = () => {
    const child = spawn(join(programs, 'postgres'), serverArgs, { ...user, cwd: folder, stdio: 'ignore' });
    // A file of tests that has run ends, and the server with it.
    child.unref();
    return child;
  };
  let server = launch();
  // Should whoever started it not live to stop it; SIGQUIT is for servers whose data nobody needs.
  const abandon = () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
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
      server.ref();
      const exit = once(server, 'exit');
      server.ref();
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
  server.ref();
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

/** An empty one; resolves to its address. @param options of `create database` */
export async function createDatabase(address: string, options = ''): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(`${address}/postgres`, (client) => client.query(`create database ${name} ${options}`));
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
