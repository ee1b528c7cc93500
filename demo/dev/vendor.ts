/** The vendor of this repository's commands: the configured one, the sandbox of a running `npm run dev`, or a new sandbox. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { readConfig, type Command, type Config } from '../companion/config.ts';
import type { Vendor } from '../companion/vbot/client.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface OpenVendor extends Vendor {
  /** Ends a sandbox of our own; else does nothing. */
  close(): Promise<void>;
}

export const VENDOR_PATH = '/vendor/v3.0';
const SANDBOX_API_KEY = 'sandbox-api-key';

/**
 * Takes `VENDOR_*` of a sandbox out of the environment. The companion then counts as one without a vendor, and uses the same
 * ledger for every sandbox, whatever its port.
 */
export function splitSandbox(env: Environment): { readonly sandbox?: Vendor; readonly others: Environment } {
  const { VENDOR_BASE_URL: baseUrl, VENDOR_API_KEY: apiKey, ...others } = env;
  return baseUrl && apiKey === SANDBOX_API_KEY ? { sandbox: { baseUrl, apiKey }, others } : { others: env };
}

/** @throws {ConfigError} */
export async function openVendor(
  env: Environment,
  command: Command = 'provision',
): Promise<OpenVendor & { readonly config: Config }> {
  const { sandbox, others } = splitSandbox(env);
  const config = readConfig(others, command);
  const vendor = config.vendor ?? sandbox;
  return {
    ...(vendor ? { ...vendor, close: async () => undefined } : await startSandbox(sandboxStateFile(config))),
    config,
  };
}

export async function startSandbox(stateFile: string): Promise<OpenVendor> {
  // Imported only when needed, as it loads an exchange.
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  const sandbox = createSandbox({ stateFile });
  const server = createServer(getRequestListener((request, env) => sandbox.fetch(request, env)));
  sandbox.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${VENDOR_PATH}`,
    apiKey: SANDBOX_API_KEY,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await sandbox.close();
    },
  };
}

/** Members and money of a sandbox last as long as the ledger. */
export function sandboxStateFile({ databaseUrl }: Config): string {
  const folder = databaseUrl.startsWith('file:') ? dirname(databaseUrl.slice('file:'.length)) : '.data';
  return join(folder, 'sandbox-state.json');
}
