/** The companion as one function from request to response, to be mounted in any server. */
import { createBroker } from './broker.ts';
import type { Configuration, Vendor } from './environment.ts';
import { FileLedger } from './file-ledger.ts';
import { Hotlines } from './hotlines.ts';
import { OpenApi } from './open-api.ts';
import type { Tools } from './provision.ts';
import { TopUp } from './top-up.ts';

export interface Companion {
  /** Answers `/dialer/*`, `/healthz` and, with the demo sign-in, `/login` and `/logout`. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** @param vendor where to find it: the configured one, or what `findVendor` came up with. */
export function createCompanion(configuration: Configuration, vendor: Vendor): Companion {
  const { tools, close } = openTools(configuration, vendor);
  const broker = createBroker(configuration, tools);
  return { fetch: async (request) => broker.fetch(request), close };
}

/** What provisioning works with; its files stay open until `close`. */
export function openTools(
  configuration: Configuration,
  vendor: Vendor,
): { tools: Tools; close(): Promise<void> } {
  const { databaseFile, hotlineCode } = configuration;
  const api = new OpenApi(vendor);
  const ledger = new FileLedger(`${databaseFile}-top-ups.jsonl`);
  const hotlines = new Hotlines(api, `${databaseFile}-hotlines.jsonl`);
  const topUp = new TopUp(api, ledger, configuration.topUp);
  return {
    tools: { vendor: api, topUp, hotlines, hotlineCode },
    close: async () => {
      await Promise.all([api.close(), ledger.close(), hotlines.close()]);
    },
  };
}
