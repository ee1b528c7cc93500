/** Finds the vendor: the configured one, else a sandbox that runs already, else a sandbox of our own. */
import { readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import * as z from 'zod/mini';
import type { Config } from '../server/config.ts';
import type { Vendor } from '../server/vendor/client.ts';

export interface FoundVendor extends Vendor {
  /** Ends a sandbox of our own; else does nothing. */
  close(): Promise<void>;
}

const addressSchema = z.object({ baseUrl: z.url(), apiKey: z.string() });
const PATH = '/vendor/v3.0';
const PROBE_MS = 1000;

/** @throws {Error} when a sandbox is needed and `demo/sandbox` is not there. */
export async function findVendor({ vendor, databaseFile }: Config): Promise<FoundVendor> {
  const found = vendor ?? (await findSandbox(databaseFile));
  return found ? { ...found, close: async () => undefined } : startSandbox(databaseFile);
}

/** Writes the address of the sandbox for later starts on the same files; returns how to remove it. */
export async function publishSandbox(databaseFile: string, vendor: Vendor): Promise<() => Promise<void>> {
  const path = addressFile(databaseFile);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ baseUrl: vendor.baseUrl, apiKey: vendor.apiKey }));
  return () => rm(path, { force: true });
}

/** Where a sandbox keeps its state, so that the next start finds it. */
export function sandboxStateFile(databaseFile: string): string {
  return join(dirname(databaseFile), 'sandbox-state.json');
}

function addressFile(databaseFile: string): string {
  return join(dirname(databaseFile), 'sandbox-address.json');
}

/** The file may be left over and its port reused by another program, so the server has to identify itself. */
async function findSandbox(databaseFile: string): Promise<Vendor | undefined> {
  try {
    const vendor = addressSchema.parse(JSON.parse(await readFile(addressFile(databaseFile), 'utf8')));
    const answer = await fetch(new URL('/sandbox', vendor.baseUrl), {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    z.object({ sandbox: z.literal('partner-dialer') }).parse(await answer.json());
    return vendor;
  } catch {
    return undefined;
  }
}

async function startSandbox(databaseFile: string): Promise<FoundVendor> {
  const { createSandbox, SANDBOX_API_KEY } = await importSandbox();
  const sandbox = createSandbox({ stateFile: sandboxStateFile(databaseFile) });
  const server = createServer(getRequestListener((request, env) => sandbox.fetch(request, env)));
  sandbox.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${PATH}`,
    apiKey: SANDBOX_API_KEY,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await sandbox.close();
    },
  };
}

/** The sandbox is not part of a deployment, so nothing may need it until now. */
async function importSandbox() {
  try {
    return await import('../sandbox/sandbox.ts');
  } catch (error) {
    const hint =
      'No vendor is configured (VENDOR_BASE_URL, VENDOR_API_KEY), and there is no demo/sandbox to stand in.';
    throw new Error(hint, { cause: error });
  }
}
