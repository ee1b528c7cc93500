/** Empty databases of each kind, and the clock that companions take from them. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../store/database.ts';
import type { Ending } from './vendor.ts';

export async function makeFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'companion-'));
  // A companion that is still running may write into it meanwhile.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** From now on the store's clock stands still, at this moment: an ISO date. */
export async function stopClock(databaseUrl: string, at: string): Promise<void> {
  const database = openDatabase(databaseUrl);
  await database.transact(async (sql) => {
    await sql('drop view clock');
    await sql(`create view clock as select ${Date.parse(at)} as now`);
  });
  await database.close();
}

let server: Promise<string> | undefined;

/** An empty database of PostgreSQL, with its address. */
export async function createPostgresDatabase(): Promise<string> {
  server ??= startPostgres();
  const address = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${address}/${name}`;
}

/** The one in `TEST_POSTGRES`, without a database; else Debian's, in a folder and on a port of its own, until the file has run. */
async function startPostgres(): Promise<string> {
  const running = process.env['TEST_POSTGRES'];
  if (running !== undefined) return running;
  const root = '/usr/lib/postgresql';
  const [version] = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  if (version === undefined)
    throw new Error('No PostgreSQL was found: apt-get install postgresql, or its address in TEST_POSTGRES.');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const port = await freePort();
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  const run = (program: string, ...args: string[]) => {
    const file = join(root, version, 'bin', program);
    if (isRoot) execFileSync('runuser', ['-u', 'postgres', '--', file, ...args], { stdio: 'ignore' });
    else execFileSync(file, args, { stdio: 'ignore' });
  };
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start');
  process.once('exit', () => {
    run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  });
  return `postgres://postgres@127.0.0.1:${port}`;
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres']));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}
