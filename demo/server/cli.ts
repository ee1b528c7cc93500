/** `npm run provision -- MEMBER_NO`: the four steps once, printed. */
import { parseArgs } from 'node:util';
import { findVendor } from '../dev/find-vendor.ts';
import { memberNoSchema, VendorError, type MemberNo } from './open-api/open-api.ts';
import { checkDatabase, openTools } from './companion.ts';
import { ConfigurationError, EXIT_CONFIGURATION, readEnvironment } from './environment.ts';
import { provision, type Step } from './provision.ts';
import { blockersOf } from './readiness.ts';

const USAGE = `Usage: npm run provision -- MEMBER_NO [--hotline CODE] [--top-up VND] [--json]

  MEMBER_NO       the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE  the hotline to assign, instead of HOTLINE_CODE
  --top-up VND    how much to add if the balance is not above 0, instead of TOP_UP_AMOUNT
  --json          one JSON object instead of lines

Exit: 0 the member can call; 2 bad input; 3 provisioned, but cannot call; 4 the vendor refused or is unreachable.`;

const EXIT_BAD_INPUT = 2;
const EXIT_CANNOT_CALL = 3;
const EXIT_VENDOR = 4;

interface Order {
  readonly memberNo: MemberNo;
  readonly hotline: string | undefined;
  readonly topUp: string | undefined;
  readonly json: boolean;
}

class InputError extends Error {}

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  try {
    return await provisionOnce(readOrder(args));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof InputError) return EXIT_BAD_INPUT;
    if (error instanceof ConfigurationError) return EXIT_CONFIGURATION;
    return error instanceof VendorError ? EXIT_VENDOR : 1;
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
  return { memberNo: memberNo.data, hotline: values.hotline, topUp, json: values.json };
}

function parse(args: readonly string[]) {
  const options = {
    hotline: { type: 'string' },
    'top-up': { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : ''}\n\n${USAGE}`, { cause: error });
  }
}

async function provisionOnce({ memberNo, hotline, topUp, json }: Order): Promise<number> {
  const configuration = readEnvironment({
    ...process.env,
    ...(hotline === undefined ? {} : { HOTLINE_CODE: hotline }),
    ...(topUp === undefined ? {} : { TOP_UP_AMOUNT: topUp }),
  });
  await checkDatabase(configuration);
  const vendor = await findVendor(configuration);
  const { tools, close } = openTools(configuration, vendor);
  const steps: Step[] = [];
  const print = (result: object) => console.log(JSON.stringify({ memberNo, ...result }, undefined, 2));
  const report = (step: Step) => {
    steps.push(step);
    if (!json) console.log(formatStep(step));
  };
  try {
    const reason = topUp === undefined ? 'session' : 'operator';
    const { member, hotlines } = await provision(memberNo, tools, reason, report);
    const blockers = blockersOf(member, hotlines);
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

function formatStep({ step, name, status, detail }: Step): string {
  return `${step}. ${name.padEnd(9)} ${status.padEnd(8)} ${detail}`;
}
