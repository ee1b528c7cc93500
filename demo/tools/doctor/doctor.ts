/** `npm run doctor`: what keeps this configuration from a telephone call, and what to do about it. */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DEFAULT_SDK_URL } from '../../../src/element/attributes.ts';
import { openVendor, splitSandbox } from '../../dev/vendor.ts';
import { ConfigError, EXIT_CONFIGURATION, type Config } from '../../companion/config.ts';
import { OpenApi } from '../../companion/vbot/api.ts';
import type { VendorOptions } from '../../companion/vbot/client.ts';
import { VendorError } from '../../companion/vbot/errors.ts';
import { examinePage, fix, ok, skipped, type Finding, type PageReport } from './page.ts';

const USAGE = `Usage: npm run doctor -- [--origin ORIGIN] [--sdk URL] [--json]

  --origin ORIGIN  origin of the page with the dialer, e.g. https://crm.example; default: the first of ALLOWED_ORIGINS,
                   else the demo's
  --sdk URL        the SDK script, instead of the vendor's pinned one (or the sandbox's)
  --json           prints one JSON object instead of lines

It only reads: no money moves, no member is created, the key is not printed.
Exit: 0 all good; 1 something to fix; 78 the configuration or these options are wrong.`;

const DEMO_ORIGIN = 'http://127.0.0.1:5173';
const EXIT_TO_FIX = 1;
/** How the vendor's modules name a wrong key. */
const KEY_REFUSALS: readonly (number | undefined)[] = [401, 403, 409];

const KEY_TODO =
  'Copy the key again from the vendor’s console; if the key is right, ask the vendor whether key and IP address are allowed.';

const BALANCE_TODO =
  'Ask the vendor to let this key read the balance: until then members are topped up, but npm run reconcile cannot compare.';

interface Diagnosis extends PageReport {
  readonly vendor: string;
  readonly sandbox: boolean;
  readonly origin: string;
}

export interface Outcome {
  readonly exit: number;
  readonly text: string;
}

export async function runDoctor(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Outcome> {
  if (args.includes('--help')) return { exit: 0, text: USAGE };
  try {
    const { origin, sdk, json } = readOrder(args);
    const diagnosis = await examine(env, origin, sdk);
    const isGood = diagnosis.findings.every(({ result }) => result === 'ok');
    const { findings: checks, policy: contentSecurityPolicy, ...rest } = diagnosis;
    const told = { ok: isGood, ...rest, checks, contentSecurityPolicy };
    const text = json ? JSON.stringify(told, undefined, 2) : toText(diagnosis, isGood);
    return { exit: isGood ? 0 : EXIT_TO_FIX, text };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const finding = fix('environment', error.message, 'Correct the variables, then run the doctor again.');
    const told = JSON.stringify({ ok: false, checks: [finding] }, undefined, 2);
    return { exit: EXIT_CONFIGURATION, text: args.includes('--json') ? told : error.message };
  }
}

/** @throws {ConfigError} */
function readOrder(args: readonly string[]) {
  const options = {
    origin: { type: 'string' },
    sdk: { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { origin, sdk } = values;
    if (origin !== undefined && new URL(origin).origin !== origin)
      throw new Error('--origin must be an origin such as https://crm.example, without a path.');
    return { ...values, sdk: sdk === undefined ? undefined : new URL(sdk).href };
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

async function examine(
  env: Readonly<Record<string, string | undefined>>,
  givenOrigin: string | undefined,
  sdk: string | undefined,
): Promise<Diagnosis> {
  const vendor = await openVendor(env, 'serve');
  const { config, baseUrl } = vendor;
  const sandbox = config.vendor === undefined;
  const origin = givenOrigin ?? config.allowedOrigins[0] ?? DEMO_ORIGIN;
  const sdkUrl = sdk ?? (sandbox ? new URL('/vendor/vbot-sdk.js', baseUrl).href : DEFAULT_SDK_URL);
  const variants = new Set<string>();
  const trace: VendorOptions['trace'] = (one) =>
    one.variants.forEach((variant) => variants.add(`${one.path}: ${variant}`));
  const api = new OpenApi(vendor, { attempts: 1, format: config.vendorFormat, trace });
  try {
    const [ofVendor, page] = await Promise.all([
      examineVendor(api, config, variants),
      examinePage({ origin, sdkUrl, baseUrl, sandbox }),
    ]);
    const findings = [
      describeEnvironment(config, splitSandbox(env).sandbox !== undefined),
      ...ofVendor,
      ...page.findings,
    ];
    return { ...page, findings, vendor: baseUrl, sandbox, origin };
  } finally {
    await api.close();
    await vendor.close();
  }
}

function describeEnvironment({ vendor, topUp, demoLogin }: Config, isSandboxNamed: boolean): Finding {
  const { mode, amount, dailyLimitPerMember, dailyLimit } = topUp;
  const most = `at most ${dailyLimitPerMember} a day for a member and ${dailyLimit} for all`;
  const money = mode === 'off' ? 'top-ups off' : `top-ups ${mode}: ${amount} VND, ${most}`;
  const who = vendor
    ? `the vendor at ${vendor.baseUrl}`
    : `${isSandboxNamed ? 'VENDOR_API_KEY is the sandbox’s' : 'VENDOR_API_KEY is not set'}, so the sandbox is used`;
  return ok('environment', `Valid: ${who}; ${money}; demo sign-in ${demoLogin ? 'on' : 'off'}.`);
}

/** Whether the vendor responds and accepts the key, and whether there are a hotline and money: in the order in which to fix them. */
async function examineVendor(
  api: OpenApi,
  config: Config,
  variants: ReadonlySet<string>,
): Promise<Finding[]> {
  try {
    const hotlines = checkHotlines(await api.listHotlines(), config);
    const balance = await checkBalance(api, config);
    const key = ok('key', 'The vendor accepts the key.');
    return [ok('vendor', describeVariants([...variants])), key, hotlines, balance];
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const isKey = error.code === 'refused' && KEY_REFUSALS.includes(error.vendorCode);
    const why = isKey ? 'the key is not accepted' : 'the vendor does not respond as expected';
    const first = isKey
      ? [ok('vendor', 'It responds.'), fix('key', error.message, KEY_TODO)]
      : [describeOutage(error), skipped('key', why)];
    return [...first, skipped('hotlines', why), skipped('admin balance', why)];
  }
}

function describeVariants(variants: readonly string[]): string {
  if (variants.length === 0) return 'The vendor responds as documented.';
  return `The vendor's responses differ from the documentation but can be read: ${variants.join('; ')}.`;
}

function describeOutage(error: VendorError): Finding {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = cause && 'code' in cause ? ` (${String(cause.code)})` : '';
  return fix('vendor', `${error.message}${code}`, whatToDo(error));
}

function whatToDo({ code, status = 0 }: VendorError): string {
  if (code === 'rate-limited')
    return 'Run the doctor again later; if this continues, ask the vendor for your rate limits.';
  if (status >= 500)
    return 'The vendor responds with an error: run the doctor again later; if this continues, ask the vendor.';
  if (status >= 300 && status < 400) {
    return 'Set VENDOR_BASE_URL to the target of the redirect; the URL must end with the version, as in /v3.0.';
  }
  if (code === 'unreachable' || code === 'not-connected') {
    return 'Check address, DNS, firewall and clock of this machine; behind an inspecting proxy, set NODE_EXTRA_CA_CERTS.';
  }
  const shape =
    'TOP_UP_MODE=off npm run provision -- MEMBER_NO --trace shows the response; VENDOR_FIELDS sets how to read it';
  return `Compare VENDOR_BASE_URL with the vendor’s documentation; the URL must end with the version, as in /v3.0. If the URL is right: ${shape}.`;
}

function checkHotlines(listed: readonly { code: string }[], { hotlineCode }: Config): Finding {
  const codes = listed.map(({ code }) => code);
  const [first] = codes;
  const count = `${codes.length} ${codes.length === 1 ? 'hotline' : 'hotlines'}`;
  if (first === undefined) {
    const todo = 'Ask the vendor to activate a hotline for this account.';
    return fix('hotlines', 'The account has no hotline, so nobody can call.', todo);
  }
  if (hotlineCode === undefined)
    return ok('hotlines', `${count}; members without one get the first, ${first}.`);
  if (codes.includes(hotlineCode))
    return ok('hotlines', `${count}; members without one get HOTLINE_CODE, ${hotlineCode}.`);
  const sentence = `${count}, but HOTLINE_CODE ${hotlineCode} is not one of them.`;
  return fix('hotlines', sentence, `Set HOTLINE_CODE to one of: ${codes.join(', ')}.`);
}

async function checkBalance(api: OpenApi, { topUp }: Config): Promise<Finding> {
  const check = 'admin balance';
  const balance = await api.adminBalance().catch((error: unknown) => error as VendorError);
  if (balance instanceof VendorError) {
    return fix(check, balance.message, balance.code === 'refused' ? BALANCE_TODO : whatToDo(balance));
  }
  if (topUp.mode === 'off') return ok(check, `${balance} VND; TOP_UP_MODE is off, so no money is needed.`);
  const times = Math.floor(balance / topUp.amount);
  if (times > 0) return ok(check, `${balance} VND, enough for ${times} × ${topUp.amount} VND.`);
  const sentence = `${balance} VND, less than one top-up of ${topUp.amount} VND.`;
  return fix(check, sentence, 'Add money to the partner account, or set TOP_UP_MODE=off.');
}

function toText({ findings, pin, policy, sandbox, origin }: Diagnosis, isGood: boolean): string {
  const rows = findings.flatMap(({ check, result, sentence, todo }) => [
    `${result.padEnd(8)} ${check.padEnd(14)} ${sentence}`,
    ...(todo === undefined ? [] : [`${' '.repeat(23)} → ${todo}`]),
  ]);
  const lines = [
    ...rows,
    ...(pin
      ? ['', 'Attributes for <partner-dialer>, so that it runs only this exact script:', `  ${pin}`]
      : []),
    '',
    `Add this to the Content-Security-Policy of ${origin}:`,
    ...policy.map((directive) => `  ${directive}`),
    sandbox
      ? 'wss: is for the vendor’s own script with SANDBOX_WSS=on.'
      : 'wss: allows the exchange. Its address is known only after a member has signed in: find it in the network tab, and use it instead of wss:.',
    'With require-trusted-types-for, add: trusted-types partner-dialer lit-html;',
    '',
    isGood ? 'All good.' : 'Problems found: fix them from the top.',
  ];
  // Texts of others must not control the terminal.
  return lines.map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')).join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { exit, text } = await runDoctor(process.argv.slice(2), process.env);
  console.log(text);
  process.exitCode = exit;
}
