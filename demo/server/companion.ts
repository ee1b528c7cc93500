/** The companion as one function from request to response, to be mounted in any server. */
import { setTimeout as delay } from 'node:timers/promises';
import { CallEvents } from './calls/call-events.ts';
import { Limits } from './http/limits.ts';
import { openDatabase, OtherVendorError, type Database } from './money/database.ts';
import { Ledger } from './money/ledger.ts';
import { TIMING } from './money/timing.ts';
import { OpenApi, type Vendor } from './open-api/open-api.ts';
import { Watch } from './operations/telemetry.ts';
import { createBroker, NotReady } from './broker.ts';
import { ConfigurationError, type Configuration } from './environment.ts';
import { Hotlines } from './hotlines.ts';
import type { Tools } from './provision.ts';
import { TopUp } from './money/top-up.ts';

export interface Companion {
  /** Answers every route; `bindings` are those of `@hono/node-server`. */
  fetch(request: Request, bindings: unknown): Promise<Response>;
  /** Says `not ready` to whoever asks, and ends the streams, so that a server can be drained. */
  retire(): void;
  close(): Promise<void>;
}

const SWEEP_MS = 30_000;
/** An agent without money still needs the token, and soon. */
const PATIENCE_MS = 4000;

/** @param vendor where to find it: the configured one, or what `findVendor` came up with. */
export function createCompanion(configuration: Configuration, vendor: Vendor): Companion {
  const watch = new Watch(configuration);
  const limits = new Limits(configuration);
  const { tools, database, ledger, close } = openTools(configuration, vendor, watch);
  const closing = new AbortController();
  const ready = async () => {
    if (closing.signal.aborted) throw new NotReady('retired');
    await database.all('select 1 as one').catch((cause: unknown) => {
      throw new NotReady('The database cannot be used.', { cause });
    });
  };
  const events = new CallEvents(database);
  const parts = { tools, ledger, events, limits, watch, ready, closing: closing.signal };
  const broker = createBroker(configuration, parts);
  const sweeping = keepSweeping(tools.topUp, watch, closing.signal);
  return {
    fetch: async (request, bindings) => broker.fetch(request, bindings as object),
    retire: () => closing.abort(),
    close: async () => {
      closing.abort();
      await sweeping;
      await Promise.all([limits.close(), close()]);
    },
  };
}

/**
 * What provisioning works with; its database stays open until `close`, which waits for money that is on its way.
 *
 * @param watch a companion's; absent at the command line, where a person waits, and reads the alerts.
 */
export function openTools(
  configuration: Configuration,
  vendor: Vendor,
  watch?: Watch,
): { tools: Tools; database: Database; ledger: Ledger; close(): Promise<void> } {
  const api = new OpenApi(vendor, watch?.vendorCall && { observe: watch.vendorCall });
  const database = openDatabaseOf(configuration);
  const ledger = new Ledger(database, TIMING.leaseMs);
  const hotlines = new Hotlines(api, database);
  const timing = watch ? { ...TIMING, patienceMs: PATIENCE_MS } : TIMING;
  const alert = watch && ((text: string) => watch.log.error(text));
  const topUp = new TopUp(api, ledger, configuration.topUp, timing, alert);
  return {
    tools: { vendor: api, topUp, hotlines, hotlineCode: configuration.hotlineCode },
    database,
    ledger,
    close: async () => {
      await topUp.rest();
      await Promise.all([api.close(), database.close()]);
    },
  };
}

/** @throws {ConfigurationError} when the database belongs to another vendor; one that is merely away may come back. */
export async function checkDatabase(configuration: Configuration): Promise<void> {
  const database = openDatabaseOf(configuration);
  try {
    await database.all('select 1 as one');
  } catch (error) {
    if (!(error instanceof OtherVendorError)) return;
    throw new ConfigurationError(`${error.message} Set another DATABASE_URL.`, { cause: error });
  } finally {
    await database.close();
  }
}

/** The sandbox goes by a name of its own, as its port is another one at every start. */
function openDatabaseOf({ databaseUrl, vendor }: Configuration): Database {
  return openDatabase(databaseUrl, vendor ? new URL(vendor.baseUrl).href : 'the sandbox');
}

/** Recovers what an earlier life left open, now and again and again. */
async function keepSweeping(topUp: TopUp, { log }: Watch, signal: AbortSignal): Promise<void> {
  do await topUp.sweep().catch((error: unknown) => log.error({ err: error }, 'sweep'));
  while (await delay(SWEEP_MS, true, { signal }).catch(() => false));
}
