/** `npm run doctor`: what stands between this configuration and a telephone call, and what to do about it. */
import { parseArgs } from 'node:util';
import { findVendor } from '../../dev/find-vendor.ts';
import { ConfigError, EXIT_CONFIGURATION, readConfig, type Config } from '../../server/config.ts';
import { fix, ok, type Finding } from './findings.ts';
import { examinePage, type PagePlan, type PageReport } from './page.ts';
import { examineVendor } from './vendor.ts';

const USAGE = `Usage: npm run doctor -- [--origin ORIGIN] [--sdk URL] [--json]

  --origin ORIGIN  where the page with the dialer is, e.g. https://crm.example; else the first of ALLOWED_ORIGINS,
                   else the demo's
  --sdk URL        the SDK script, instead of the vendor's pinned one (or the sandbox's)
  --json           one JSON object instead of lines

It only reads: no money moves, no member is created, the key is not printed.
Exit: 0 all good; 1 something to fix; 78 the configuration or these options are wrong.`;

/** The element's own default (src/element/settings.ts); a test holds the two together. */
const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';
const DEMO_ORIGIN = 'http://127.0.0.1:5173';
const SANDBOX_SCRIPT = '/vendor/vbot-sdk.js';
const EXIT_TO_FIX = 1;

const SANDBOX_SOCKET = ['wss: is for the vendor’s own script with SANDBOX_WSS=on.'];
const VENDOR_SOCKET = [
  'wss: stands for the telephone exchange, whose address nobody knows before a member has signed in: look it up',
  'in the network tab then, and write wss://host:port instead.',
];

interface Order {
  readonly origin: string | undefined;
  readonly sdk: string | undefined;
  readonly json: boolean;
}

interface Diagnosis extends PageReport {
  readonly vendor: string;
  readonly sandbox: boolean;
  readonly origin: string;
}

async function run(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json');
  try {
    if (args.includes('--help')) {
      console.log(USAGE);
      return 0;
    }
    const order = readOrder(args);
    const diagnosis = await examine(readConfig(process.env, 'provision'), order);
    console.log(order.json ? JSON.stringify(toJson(diagnosis), undefined, 2) : toText(diagnosis));
    return isGood(diagnosis) ? 0 : EXIT_TO_FIX;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const finding = fix('environment', error.message, 'Correct it, then run the doctor again.');
    console.log(wantsJson ? JSON.stringify({ ok: false, checks: [finding] }, undefined, 2) : error.message);
    return EXIT_CONFIGURATION;
  }
}

/** @throws {ConfigError} */
function readOrder(args: readonly string[]): Order {
  const { origin, sdk, json } = parse(args);
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
    throw new ConfigError(`--origin is an exact origin such as https://crm.example.\n\n${USAGE}`);
  }
  if (sdk !== undefined && !(URL.canParse(sdk) && /^https?:$/.test(new URL(sdk).protocol))) {
    throw new ConfigError(`--sdk is an http(s) address.\n\n${USAGE}`);
  }
  return { origin, sdk: sdk === undefined ? undefined : new URL(sdk).href, json };
}

function parse(args: readonly string[]) {
  const options = {
    origin: { type: 'string' },
    sdk: { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : ''}\n\n${USAGE}`, {
      cause: error,
    });
  }
}

async function examine(configuration: Config, order: Order): Promise<Diagnosis> {
  const vendor = await findVendor(configuration);
  const sandbox = configuration.vendor === undefined;
  const plan: PagePlan = {
    origin: order.origin ?? configuration.allowedOrigins[0] ?? DEMO_ORIGIN,
    sdkUrl: order.sdk ?? (sandbox ? new URL(SANDBOX_SCRIPT, vendor.baseUrl).href : DEFAULT_SDK_URL),
    baseUrl: vendor.baseUrl,
    sandbox,
  };
  try {
    const [vendorFindings, page] = await Promise.all([
      examineVendor(vendor, configuration),
      examinePage(plan),
    ]);
    const findings = [describeEnvironment(configuration), ...vendorFindings, ...page.findings];
    return { ...page, findings, vendor: vendor.baseUrl, sandbox, origin: plan.origin };
  } finally {
    await vendor.close();
  }
}

function describeEnvironment({ vendor, topUp, demoLogin }: Config): Finding {
  const { mode, amount, dailyLimitPerMember, dailyLimit } = topUp;
  const most = `at most ${dailyLimitPerMember} a day for a member and ${dailyLimit} for all`;
  const money = mode === 'off' ? 'top-ups off' : `top-ups ${mode}: ${amount} VND, ${most}`;
  const who = vendor ? `the vendor at ${vendor.baseUrl}` : 'no VENDOR_API_KEY, so the sandbox';
  return ok('environment', `Valid: ${who}; ${money}; demo sign-in ${demoLogin ? 'on' : 'off'}.`);
}

function isGood({ findings }: Diagnosis): boolean {
  return findings.every(({ result }) => result === 'ok');
}

function toJson(diagnosis: Diagnosis): object {
  const { findings, script, policy, ...rest } = diagnosis;
  return { ok: isGood(diagnosis), ...rest, checks: findings, script, contentSecurityPolicy: policy };
}

function toText(diagnosis: Diagnosis): string {
  const { findings, script, policy, sandbox, origin } = diagnosis;
  const rows = findings.flatMap(({ check, result, sentence, todo }) => [
    `${result.padEnd(8)} ${check.padEnd(14)} ${sentence}`,
    ...(todo === undefined ? [] : [`${' '.repeat(23)} → ${todo}`]),
  ]);
  const pin = script?.integrity && `sdk-url="${script.url}" sdk-integrity="${script.integrity}"`;
  const lines = [
    ...rows,
    ...(pin ? ['', 'For the element, so that it runs this very script or none:', `  ${pin}`] : []),
    '',
    `Content-Security-Policy of ${origin}, beside what the page needs itself:`,
    ...policy.map((directive) => `  ${directive}`),
    ...(sandbox ? SANDBOX_SOCKET : VENDOR_SOCKET),
    'With require-trusted-types-for, add: trusted-types partner-dialer lit-html;',
    '',
    isGood(diagnosis) ? 'All good.' : 'There is something to fix: begin at the top.',
  ];
  // What others said must not steer the terminal.
  return lines.map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')).join('\n');
}

process.exitCode = await run(process.argv.slice(2));
