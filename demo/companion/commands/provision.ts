/** `provision`: the vendor's four steps for one member, printed, or for all of a file. */
import { parseArgs } from 'node:util';
import type { DestinationStream } from 'pino';
import { readConfig, type Config } from '../config.ts';
import { Hotlines } from '../hotlines.ts';
import { Ledger } from '../money/ledger.ts';
import type { TopUpReason } from '../money/movement.ts';
import { TopUp } from '../money/top-up.ts';
import { findBlockers, provision, type Dependencies, type Step } from '../provision.ts';
import { openDatabase } from '../store/database.ts';
import { Telemetry } from '../telemetry.ts';
import { memberNoSchema, OpenApi, type MemberNo } from '../vbot/api.ts';
import type { Vendor, VendorOptions } from '../vbot/client.ts';
import { VendorError } from '../vbot/errors.ts';
import { describeTrace, type Trace } from '../vbot/shape.ts';
import { provisionFile, readMembers } from './provision-file.ts';
import { EXIT, findVendor, InputError, USAGE, type FindVendor, type Terminal } from './terminal.ts';

type Arguments = ReturnType<typeof readArguments>;

export async function runProvision(
  args: readonly string[],
  find: FindVendor | undefined,
  terminal: Terminal,
): Promise<number> {
  const { env, out, err } = terminal;
  const parsed = readArguments(args);
  const config = readConfig({ LOG_LEVEL: 'info', ...env }, 'provision', find !== undefined, err);
  checkLimits(parsed, config);
  const { members, isJson } = parsed;
  const vendor = await findVendor(config, find, config.topUp.mode !== 'off');
  const traces: Trace[] = [];
  const trace = (one: Trace) => (isJson ? void traces.push(one) : out(describeTrace(one)));
  const log = { write: (line: string) => err(line.trimEnd()) };
  const { dependencies, close } = openDependencies(
    parsed,
    config,
    vendor,
    log,
    parsed.isTraced ? trace : undefined,
  );
  // With TOP_UP_MODE=request, provisioning counts as a session, which pays nobody.
  const reason = parsed.topUp === undefined && config.topUp.mode === 'request' ? 'session' : 'operator';
  try {
    if (typeof members !== 'string')
      return await provisionFile(members, dependencies, reason, isJson, terminal);
    return await provisionMember(members, dependencies, reason, parsed, traces, out);
  } finally {
    await close();
    await vendor.close();
  }
}

async function provisionMember(
  memberNo: MemberNo,
  dependencies: Dependencies,
  reason: TopUpReason,
  { isJson, isTraced }: Arguments,
  traces: readonly Trace[],
  out: Terminal['out'],
): Promise<number> {
  const steps: Step[] = [];
  const print = (result: object) => {
    const told = { memberNo, ...result, ...(isTraced && { trace: traces }) };
    out(JSON.stringify(told, undefined, 2));
  };
  const report = (step: Step) => {
    steps.push(step);
    if (!isJson) out(`${step.step}. ${step.name.padEnd(9)} ${step.status.padEnd(8)} ${step.detail}`);
  };
  try {
    const blockers = findBlockers(await provision(memberNo, dependencies, reason, report));
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
  }
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const topUp = values['top-up'];
  if (topUp !== undefined && !/^[1-9]\d{0,8}$/.test(topUp)) {
    throw new InputError('--top-up must be a whole number of VND above 0.');
  }
  if (values.hotline === '') throw new InputError('--hotline needs a hotline code.');
  return {
    /** One member, or those of a file. */
    members:
      values.file === undefined ? readMemberNo(positionals) : readFile(values.file, values, positionals),
    hotline: values.hotline,
    /** VND. */
    topUp: topUp === undefined ? undefined : Number(topUp),
    isBeyondLimits: values['beyond-limits'],
    isTraced: values.trace,
    isJson: values.json,
  };
}

function readMemberNo(positionals: readonly string[]): MemberNo {
  if (positionals.length !== 1) throw new InputError(USAGE);
  const { data } = memberNoSchema.safeParse(positionals[0]);
  if (data === undefined)
    throw new InputError(`MEMBER_NO may contain only letters a-z, A-Z and digits.\n\n${USAGE}`);
  return data;
}

/** With `--file`, only the environment sets amount and limits. */
function readFile(file: string, values: ReturnType<typeof parse>['values'], positionals: readonly string[]) {
  const { trace, 'top-up': topUp, 'beyond-limits': isBeyondLimits } = values;
  if (positionals.length > 0 || trace || topUp !== undefined || isBeyondLimits) {
    throw new InputError(`With --file, only --hotline and --json are allowed.\n\n${USAGE}`);
  }
  return readMembers(file);
}

function parse(args: readonly string[]) {
  const options = {
    file: { type: 'string' },
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
function checkLimits({ topUp, isBeyondLimits }: Arguments, { topUp: policy }: Config): void {
  const most = Math.min(policy.dailyLimitPerMember, policy.dailyLimit);
  if (topUp === undefined || topUp <= most || isBeyondLimits) return;
  throw new InputError(
    `--top-up ${topUp} exceeds the limit of ${most} VND a day. To pay it anyway, add --beyond-limits.`,
  );
}

/** Without top-ups, the database only records hotlines; provisioning goes on without it. */
function openDependencies(
  { members, hotline, topUp: amount, isBeyondLimits }: Arguments,
  config: Config,
  vendor: Vendor,
  log: DestinationStream,
  trace: VendorOptions['trace'],
): { dependencies: Dependencies; close(): Promise<void> } {
  // In a file, the vendor may fail for one member after another and respond for the rest.
  const openMs = typeof members === 'string' ? undefined : 0;
  const api = new OpenApi(vendor, { format: config.vendorFormat, trace, openMs });
  const database = openDatabase(config.databaseUrl, config.account);
  const topUp =
    config.topUp.mode === 'off'
      ? undefined
      : new TopUp(
          api,
          new Ledger(database),
          {
            ...config.topUp,
            amount: amount ?? config.topUp.amount,
            isBeyondLimits: isBeyondLimits && amount !== undefined,
          },
          { log: new Telemetry(config, log) },
        );
  return {
    dependencies: {
      vendor: api,
      hotlines: new Hotlines(api, database),
      hotlineCode: config.hotlineCode,
      orderedHotline: hotline,
      topUp,
    },
    close: async () => {
      await topUp?.rest();
      await database.close();
      await api.close();
    },
  };
}
