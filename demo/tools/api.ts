/** `npm run api -- OPERATION key=value…`: calls any of the vendor's endpoints and prints its data as JSON. */
import { findVendor } from '../dev/find-vendor.ts';
import { ConfigError, EXIT_CONFIGURATION, readConfig } from '../server/config.ts';
import { VendorError } from '../server/vendor/response.ts';
import { ENDPOINTS, openCatalogue, type Operation } from './open-api/endpoints.ts';
import { drawTable } from './table.ts';

const USAGE = `Usage: npm run api -- OPERATION key=value…

A value is text, or JSON where the endpoint takes a number, a list or an object:
  npm run api -- readMember member_no=agent001
  npm run api -- callMembers template_code=T1 display_name=CRM type=MEMBER 'member_infos=[{"member_no":"agent001"}]'

Only addMoney is not for here: money goes through the ledger, by npm run provision -- MEMBER_NO --top-up VND.

A star marks what is required. Exit: 0 done; 2 bad input; 4 the vendor refused or is unreachable; 78 configuration.
`;
const EXIT_BAD_INPUT = 2;
const EXIT_VENDOR = 4;

process.exitCode = await run(process.argv.slice(2));

async function run([operation, ...pairs]: readonly string[]): Promise<number> {
  if (operation === undefined) {
    console.log(`${USAGE}\n${listOperations()}`);
    return 0;
  }
  if (!isOperation(operation)) {
    console.error(`There is no operation ${operation}; npm run api lists them.`);
    return EXIT_BAD_INPUT;
  }
  if (operation === 'addMoney') {
    console.error('Money goes through the ledger: npm run provision -- MEMBER_NO --top-up VND');
    return EXIT_BAD_INPUT;
  }
  try {
    const data = await call(operation, readInput(operation, pairs));
    // JSON escapes only some of the control characters that would steer the terminal.
    console.log(JSON.stringify(data, undefined, 2).replaceAll(/[\x7f-\x9f]/g, ' '));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof ConfigError) return EXIT_CONFIGURATION;
    if (!(error instanceof VendorError)) return 1;
    return error.code === 'not-sent' ? EXIT_BAD_INPUT : EXIT_VENDOR;
  }
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(ENDPOINTS, name);
}

async function call(operation: Operation, input: unknown): Promise<unknown> {
  const configuration = readConfig(process.env, 'provision');
  const vendor = await findVendor(configuration);
  const catalogue = openCatalogue(vendor);
  try {
    // The client checks the input against the endpoint's row; here it is only known as what somebody typed.
    const method = catalogue.endpoints[operation] as (typed: unknown) => Promise<unknown>;
    return (await method(input)) ?? null;
  } finally {
    await catalogue.close();
    await vendor.close();
  }
}

/** Text stays text where the endpoint takes text, so that a member number of digits does not become a number. */
function readInput(operation: Operation, pairs: readonly string[]): Record<string, unknown> {
  const texts = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new VendorError('not-sent', `${pair} is not key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  const wrong = ENDPOINTS[operation].input.safeParse(texts).error?.issues.map(({ path }) => path[0]) ?? [];
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, wrong.includes(key) ? readJson(text) : text]),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function listOperations(): string {
  const rows = Object.entries(ENDPOINTS).map(([name, { method, path, input }]) => {
    const keys = Object.entries(input.def.shape).map(
      ([key, schema]) => `${key}${schema.safeParse(undefined).success ? '' : '*'}`,
    );
    return [name, method, path, keys.join(' ')];
  });
  return drawTable(['operation', 'method', 'path', 'input'], rows);
}
