/** The companion as one function from request to response, to be mounted in any server. */
import { createBroker } from './broker.ts';
import type { Configuration, Vendor } from './environment.ts';
import { openDatabase, type Database } from './database.ts';
import { Hotlines } from './hotlines.ts';
import { Ledger } from './ledger.ts';
import { OpenApi } from './open-api.ts';
import type { Tools } from './provision.ts';
import { TIMING, TopUp } from './top-up.ts';

export interface Companion {
  /** Answers `/dialer/*`, `/healthz` and, with the demo sign-in, `/login` and `/logout`. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const SWEEP_MS = 30_000;

/** @param vendor where to find it: the configured one, or what `findVendor` came up with. */
export function createCompanion(configuration: Configuration, vendor: Vendor): Companion {
  const { tools, close } = openTools(configuration, vendor);
  const broker = createBroker(configuration, tools);
  const endSweeping = keepSweeping(tools.topUp);
  return {
    fetch: async (request) => broker.fetch(request),
    close: async () => {
      await endSweeping();
      await close();
    },
  };
}

/** What provisioning works with; its database stays open until `close`. */
export function openTools(
  configuration: Configuration,
  vendor: Vendor,
): { tools: Tools; database: Database; ledger: Ledger; close(): Promise<void> } {
  const api = new OpenApi(vendor);
  const database = openDatabase(configuration.databaseUrl);
  const ledger = new Ledger(database, TIMING.leaseMs);
  const hotlines = new Hotlines(api, database);
  const topUp = new TopUp(api, ledger, configuration.topUp);
  return {
    tools: { vendor: api, topUp, hotlines, hotlineCode: configuration.hotlineCode },
    database,
    ledger,
    close: async () => {
      await Promise.all([api.close(), database.close()]);
    },
  };
}

/** Recovers what an earlier life left open, now and again and again; returns how to end that. */
function keepSweeping(topUp: TopUp): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const sweep = () => {
    sweeping ??= topUp
      .sweep()
      .catch((error: unknown) => console.warn(`Top-ups left open: ${String(error)}`))
      .finally(() => (sweeping = undefined));
  };
  const timer = setInterval(sweep, SWEEP_MS);
  sweep();
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}
