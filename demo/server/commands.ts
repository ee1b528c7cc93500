/** The companion's commands: `serve`, `provision`, `reconcile`. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { timeout, TimeoutStrategy } from 'cockatiel';
import { ConfigError, EXIT_CONFIGURATION, readConfig, type Config } from './config.ts';
import { Hotlines } from './hotlines.ts';
import { Ledger } from './money/ledger.ts';
import { describe, reconcile } from './money/reconcile.ts';
import { TopUp } from './money/top-up.ts';
import { blockersOf, provision, type Dependencies, type Step } from './provision.ts';
import { codeOf, openDatabase, WrongDatabaseError } from './store/database.ts';
import { memberNoSchema, OpenApi, type MemberNo } from './vbot/api.ts';
import { VendorError, type Vendor, type VendorOptions } from './vbot/client.ts';
import { describeTrace, type Trace } from './vbot/shape.ts';

const USAGE = `Usage: partner-dialer-companion [serve]
       partner-dialer-companion provision MEMBER_NO [--hotline CODE] [--top-up VND] [--beyond-limits] [--trace] [--json]
       partner-dialer-companion reconcile

serve answers the dialer, on HOST and PORT.

provision makes one member able to call, and prints each step.
  MEMBER_NO        the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE   the hotline to assign, instead of HOTLINE_CODE
  --top-up VND     how much to add if the balance is not above 0, instead of TOP_UP_AMOUNT
  --beyond-limits  lets --top-up be more than the limits allow; it is on record, and uses up no limit
  --trace          prints of each response of the vendor its status, its keys and the types of its values
  --json           one JSON object instead of lines
  Exit: 0 the member can call; 2 bad input; 3 provisioned, but cannot call; 4 the vendor refused or is unreachable.

reconcile compares what the ledger settled with what has left the partner account.
  Exit: 0 it agrees; 1 money is missing; 3 the account was filled up, so that nothing can be told;
  4 the vendor or the store is unreachable.

All: 78 the configuration is wrong.`;

const EXIT = { bad: 2, cannotCall: 3, missing: 1, filled: 3, unreachable: 4 };
/** A stop takes no longer; other companions settle what is still open then. */
const STOP_MS = 9000;
const DRAIN_MS = 5000;
/**
 * Milliseconds. A client that sends slower than this is cut off. Proxies usually keep a connection for 60 s; we keep it longer,
 * as a connection that we close while a request arrives costs an agent a 502.
 */
const TIMEOUTS = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 75_000,
};

export interface FoundVendor extends Vendor {
  close(): Promise<void>;
}

/** Finds a vendor, e.g. a sandbox, where none is configured. The copied folder has no such function. */
export type FindVendor = (config: Config) => Promise<FoundVendor>;

/** Where a command reads its settings and writes what it found. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
}

const TERMINAL: Terminal = { env: process.env, out: console.log, err: console.error };

class InputError extends Error {}

/** @returns the exit status; with `serve` the process goes on */
export async function runCommand(
  args: readonly string[],
  find?: FindVendor,
  terminal: Terminal = TERMINAL,
): Promise<number> {
  const [command = 'serve', ...rest] = args;
  try {
    if ([command, ...rest].some((one) => one === '--help' || one === '-h')) {
      terminal.out(USAGE);
      return 0;
    }
    if (command === 'provision') return await runProvision(rest, find, terminal);
    if (command !== 'serve' && command !== 'reconcile') {
      throw new InputError(`There is no command ${command}.\n\n${USAGE}`);
    }
    if (rest.length > 0) throw new InputError(`${command} takes no arguments.\n\n${USAGE}`);
    return await (command === 'serve' ? serve(find, terminal) : runReconcile(find, terminal));
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error));
    if (error instanceof InputError) return EXIT.bad;
    if (error instanceof VendorError) return EXIT.unreachable;
    return error instanceof ConfigError ? EXIT_CONFIGURATION : 1;
  }
}

/** Resolves when it serves; SIGTERM ends it. */
async function serve(find: FindVendor | undefined, { env, out }: Terminal): Promise<number> {
  const { createApp } = await import('./app.ts');
  const { getRequestListener } = await import('@hono/node-server');
  // The default of `readConfig` is silent, for tests and for servers that mount the companion.
  const config = readConfig({ LOG_LEVEL: 'info', ...env }, 'serve', find !== undefined);
  const vendor = await findVendor(config, find);
  const server = createServer(TIMEOUTS);
  try {
    await once(server.listen(config.port, config.host), 'listening');
  } catch (error) {
    await vendor.close();
    throw error;
  }
  const app = createApp(config, vendor);
  // HTTP/1.0 requests have no Host.
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    hostname: 'localhost',
  });
  server.on('request', (request, response) => void listener(request, response));
  const { address, port } = server.address() as AddressInfo;
  out(`Companion: http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  out(`Vendor:    ${vendor.baseUrl}${config.vendor ? '' : ' (sandbox)'}`);

  let isStopping = false;
  const stop = async () => {
    // A second signal must not cut a top-up under way.
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    app.retire();
    await drain(server);
    await app.close();
    await vendor.close();
    // Connections to a database that hangs would keep this process alive.
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop()).on('SIGINT', () => void stop());
  return 0;
}

/** Takes no new requests, and waits for those under way; a connection whose request has ended is idle, and closed. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(force);
}

interface Order {
  readonly memberNo: MemberNo;
  readonly hotline: string | undefined;
  /** VND. */
  readonly topUp: number | undefined;
  readonly isBeyondLimits: boolean;
  readonly isTraced: boolean;
  readonly isJson: boolean;
}

/** The four steps once, printed. */
async function runProvision(
  args: readonly string[],
  find: FindVendor | undefined,
  { env, out }: Terminal,
): Promise<number> {
  const order = readOrder(args);
  const config = readConfig(env, 'provision', find !== undefined);
  checkLimits(order, config);
  const { memberNo, isJson } = order;
  const vendor = await findVendor(config, find, config.topUp.mode !== 'off');
  const steps: Step[] = [];
  const traces: Trace[] = [];
  const trace = (one: Trace) => (isJson ? void traces.push(one) : out(describeTrace(one)));
  const { dependencies, close } = openDependencies(order, config, vendor, order.isTraced ? trace : undefined);
  const print = (result: object) => {
    const told = { memberNo, ...result, ...(order.isTraced && { trace: traces }) };
    out(JSON.stringify(told, undefined, 2));
  };
  const report = (step: Step) => {
    steps.push(step);
    if (!isJson) out(`${step.step}. ${step.name.padEnd(9)} ${step.status.padEnd(8)} ${step.detail}`);
  };
  try {
    const reason = order.topUp === undefined ? 'session' : 'operator';
    const blockers = blockersOf(await provision(memberNo, dependencies, reason, report));
    const canCall = blockers.length === 0;
    if (isJson) print({ canCall, blockers, steps });
    else out(`${memberNo} ${canCall ? 'can call' : `cannot call: ${blockers.join(', ')}`}.`);
    return canCall ? 0 : EXIT.cannotCall;
  } catch (error) {
    if (isJson && error instanceof VendorError) {
      const { code, message, vendorCode } = error;
      print({ canCall: false, steps, error: { code, message, vendorCode } });
    }
    throw error;
  } finally {
    await close();
    await vendor.close();
  }
}

function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parse(args);
  const memberNo = memberNoSchema.safeParse(positionals[0]);
  if (positionals.length !== 1) throw new InputError(USAGE);
  if (!memberNo.success) {
    throw new InputError(`MEMBER_NO may hold only letters a-z, A-Z and digits.\n\n${USAGE}`);
  }
  const topUp = values['top-up'];
  if (topUp !== undefined && !/^[1-9]\d{0,8}$/.test(topUp)) {
    throw new InputError('--top-up is a whole number of VND.');
  }
  if (values.hotline === '') throw new InputError('--hotline is the code of a hotline.');
  return {
    memberNo: memberNo.data,
    hotline: values.hotline,
    topUp: topUp === undefined ? undefined : Number(topUp),
    isBeyondLimits: values['beyond-limits'],
    isTraced: values.trace,
    isJson: values.json,
  };
}

function parse(args: readonly string[]) {
  const options = {
    hotline: { type: 'string' },
    'top-up': { type: 'string' },
    'beyond-limits': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : ''}\n\n${USAGE}`, { cause: error });
  }
}

/** Only the environment sets limits; `--top-up` cannot raise them. */
function checkLimits({ topUp, isBeyondLimits }: Order, { topUp: policy }: Config): void {
  const most = Math.min(policy.dailyLimitPerMember, policy.dailyLimit);
  if (topUp === undefined || topUp <= most || isBeyondLimits) return;
  throw new InputError(
    `--top-up ${topUp} is more than the limit of ${most} VND a day; --beyond-limits says that it is meant.`,
  );
}

/** Without top-ups, provisioning needs no database. */
function openDependencies(
  { hotline, topUp: amount, isBeyondLimits }: Order,
  config: Config,
  vendor: Vendor,
  trace: VendorOptions['trace'],
): { dependencies: Dependencies; close(): Promise<void> } {
  const api = new OpenApi(vendor, { format: config.vendorFormat, trace });
  const hotlineCode = hotline ?? config.hotlineCode;
  const isOff = config.topUp.mode === 'off';
  const database = isOff ? undefined : openDatabase(config.databaseUrl, config.account);
  const topUp =
    database &&
    new TopUp(api, new Ledger(database), {
      ...config.topUp,
      amount: amount ?? config.topUp.amount,
      isBeyondLimits: isBeyondLimits && amount !== undefined,
    });
  return {
    dependencies: { vendor: api, hotlines: new Hotlines(api, database), hotlineCode, topUp },
    close: async () => {
      await topUp?.rest();
      await database?.close();
      await api.close();
    },
  };
}

async function runReconcile(find: FindVendor | undefined, { env, out, err }: Terminal): Promise<number> {
  const config = readConfig(env, 'reconcile', find !== undefined);
  const vendor = await findVendor(config, find);
  const api = new OpenApi(vendor, { format: config.vendorFormat });
  const database = openDatabase(config.databaseUrl, config.account);
  try {
    const mismatches = await new Ledger(database).mismatches();
    for (const mismatch of mismatches) err(mismatch);
    const found = await reconcile(database, api);
    out(found ? describe(found) : 'The balance is noted; there is none to compare it with yet.');
    if (mismatches.length > 0 || found?.result === 'missing') return EXIT.missing;
    return found?.result === 'filled' ? EXIT.filled : 0;
  } catch (error) {
    const { message, cause } = error as Error;
    err(`Nothing was compared: ${message}${cause instanceof Error ? ` ${cause.message}` : ''}`);
    return EXIT.unreachable;
  } finally {
    await database.close();
    await api.close();
    await vendor.close();
  }
}

/** The configured vendor, or a stand-in. @throws {ConfigError} without either, or if the database cannot be used */
async function findVendor(
  config: Config,
  find: FindVendor | undefined,
  needsDatabase = true,
): Promise<FoundVendor> {
  if (needsDatabase) await refuseWrongDatabase(config);
  if (config.vendor) return { ...config.vendor, close: async () => undefined };
  return (find as FindVendor)(config);
}

const checkInTime = timeout(5000, TimeoutStrategy.Aggressive);

/** PostgreSQL's wrong password or role, missing database, missing rights; what the file system refuses. */
const NEVER_WORKS = /^(?:28|3D|42501$|E(?:ACCES|EXIST|NOTDIR|PERM|ROFS)$|SQLITE_NOTADB$)/;

/**
 * A database stays with one account: play money and real money must never meet.
 *
 * @throws {ConfigError} if waiting cannot mend it; a database that is away is no error here
 */
export async function refuseWrongDatabase({ databaseUrl, account }: Config): Promise<void> {
  const database = openDatabase(databaseUrl, account);
  try {
    await checkInTime.execute(() => database.read('select 1 as one'));
  } catch (error) {
    if (!(error instanceof Error)) return;
    if (error instanceof WrongDatabaseError) throw new ConfigError(error.message, { cause: error });
    if (NEVER_WORKS.test(codeOf(error))) {
      throw new ConfigError(`The database of DATABASE_URL cannot be used: ${error.message}`, {
        cause: error,
      });
    }
  } finally {
    await database.close();
  }
}
