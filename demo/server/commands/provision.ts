/** `provision MEMBER_NO`: the four steps once, printed. */
import { parseArgs } from 'node:util';
import { blockersOf } from '../contract.ts';
import { readEnvironment, type Configuration } from '../environment.ts';
import { Hotlines, type AssignmentRecord } from '../hotlines.ts';
import { provision, type Dependencies } from '../provision.ts';
import type { Step } from '../operations/steps.ts';
import type { Vendor } from '../vendor/client.ts';
import { memberNoSchema, type MemberNo } from '../vendor/data.ts';
import { VendorError } from '../vendor/response.ts';
import { OpenApi } from '../vendor.ts';
import { findOrRequire, type FindVendor } from './find-vendor.ts';

const USAGE = `Usage: provision MEMBER_NO [--hotline CODE] [--top-up VND] [--beyond-limits] [--json]

  MEMBER_NO        the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE   the hotline to assign, instead of HOTLINE_CODE
  --top-up VND     how much to add if the balance is not above 0, instead of TOP_UP_AMOUNT
  --beyond-limits  lets --top-up be more than the limits allow; it is on record, and uses up no limit
  --json           one JSON object instead of lines

Exit: 0 the member can call; 2 bad input; 3 provisioned, but cannot call; 4 the vendor refused or is unreachable.`;

const EXIT_BAD_INPUT = 2;
const EXIT_CANNOT_CALL = 3;
const EXIT_VENDOR = 4;

interface Order {
  readonly memberNo: MemberNo;
  readonly hotline: string | undefined;
  /** VND. */
  readonly topUp: number | undefined;
  readonly isBeyondLimits: boolean;
  readonly json: boolean;
}

class InputError extends Error {}

/** @param find where to find a vendor when none is configured */
export async function runProvision(args: readonly string[], find?: FindVendor): Promise<number> {
  try {
    const order = readOrder(args);
    const configuration = readEnvironment(process.env);
    checkLimits(order, configuration);
    return await provisionOnce(order, configuration, find);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof VendorError)) throw error;
    console.error(error.message);
    return error instanceof InputError ? EXIT_BAD_INPUT : EXIT_VENDOR;
  }
}

function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parse(args);
  const memberNo = memberNoSchema.safeParse(positionals[0]);
  if (positionals.length !== 1) throw new InputError(USAGE);
  if (!memberNo.success)
    throw new InputError(`MEMBER_NO may hold only letters a-z, A-Z and digits.\n\n${USAGE}`);
  const topUp = values['top-up'];
  if (topUp !== undefined && !/^[1-9]\d{0,8}$/.test(topUp))
    throw new InputError('--top-up is a whole number of VND.');
  if (values.hotline === '') throw new InputError('--hotline is the code of a hotline.');
  return {
    memberNo: memberNo.data,
    hotline: values.hotline,
    topUp: topUp === undefined ? undefined : Number(topUp),
    isBeyondLimits: values['beyond-limits'],
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  const options = {
    hotline: { type: 'string' },
    'top-up': { type: 'string' },
    'beyond-limits': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : ''}\n\n${USAGE}`, { cause: error });
  }
}

/** The limits come from the environment, whoever asks: what is typed here raises none. */
function checkLimits({ topUp, isBeyondLimits }: Order, { topUp: policy }: Configuration): void {
  const most = Math.min(policy.dailyLimitPerMember, policy.dailyLimit);
  if (topUp === undefined || topUp <= most || isBeyondLimits) return;
  throw new InputError(
    `--top-up ${topUp} is more than the limit of ${most} VND a day; --beyond-limits says that it is meant.`,
  );
}

async function provisionOnce(
  order: Order,
  configuration: Configuration,
  find: FindVendor | undefined,
): Promise<number> {
  const { memberNo, json } = order;
  const vendor = await findOrRequire(configuration, find, checkDatabase);
  const { dependencies, close } = await open(order, configuration, vendor);
  const steps: Step[] = [];
  const print = (result: object) => console.log(JSON.stringify({ memberNo, ...result }, undefined, 2));
  const report = (step: Step) => {
    steps.push(step);
    if (!json) console.log(`${step.step}. ${step.name.padEnd(9)} ${step.status.padEnd(8)} ${step.detail}`);
  };
  try {
    const reason = order.topUp === undefined ? 'session' : 'operator';
    const blockers = blockersOf(await provision(memberNo, dependencies, reason, report));
    const canCall = blockers.length === 0;
    if (json) print({ canCall, blockers, steps });
    else console.log(`${memberNo} ${canCall ? 'can call' : `cannot call: ${blockers.join(', ')}`}.`);
    return canCall ? 0 : EXIT_CANNOT_CALL;
  } catch (error) {
    if (json && error instanceof VendorError) {
      const { code, message, vendorCode } = error;
      print({ canCall: false, steps, error: { code, message, vendorCode } });
    }
    throw error;
  } finally {
    await close();
    await vendor.close();
  }
}

async function checkDatabase(configuration: Configuration): Promise<void> {
  if (configuration.topUp.mode === 'off') return;
  const { refuseOtherVendor } = await import('./refuse-other-vendor.ts');
  await refuseOtherVendor(configuration);
}

/** Without top-ups neither the ledger nor a database is needed, nor loaded. */
async function open(
  { hotline, topUp, isBeyondLimits }: Order,
  configuration: Configuration,
  vendor: Vendor,
): Promise<{ dependencies: Dependencies; close(): Promise<void> }> {
  const api = new OpenApi(vendor);
  const hotlineCode = hotline ?? configuration.hotlineCode;
  if (configuration.topUp.mode === 'off') {
    const hotlines = new Hotlines(api, NO_RECORD);
    return {
      dependencies: { vendor: api, hotlines, hotlineCode, topUp: undefined },
      close: () => api.close(),
    };
  }
  const { openMoney } = await import('../money/open-money.ts');
  const amount = topUp ?? configuration.topUp.amount;
  const policy = { ...configuration, topUp: { ...configuration.topUp, amount } };
  const money = openMoney(policy, api, { isBeyondLimits: isBeyondLimits && topUp !== undefined });
  const hotlines = new Hotlines(api, money.record);
  return {
    dependencies: { vendor: api, hotlines, hotlineCode, topUp: money.topUp },
    close: async () => {
      await money.close();
      await api.close();
    },
  };
}

/** A hotline that the vendor does not list is assigned again, which does no harm. */
const NO_RECORD: AssignmentRecord = {
  numbersOf: async () => [],
  add: async () => undefined,
};
