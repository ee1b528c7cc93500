/** The environment of the companion, read once at start: a typed configuration, or one message that names every mistake. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Rates } from './http/limits.ts';
import type { Vendor } from './open-api/open-api.ts';

export interface TopUpPolicy {
  /** `auto`: at every session that needs it; `request`: only when the agent asks; `off`: never. */
  readonly mode: 'auto' | 'request' | 'off';
  /** VND of one top-up. */
  readonly amount: number;
  /** VND a day for one member. */
  readonly dailyLimitPerMember: number;
  /** VND a day for all members together. */
  readonly dailyLimit: number;
}

export interface Configuration extends Rates {
  /** Absent: the sandbox. */
  readonly vendor: Vendor | undefined;
  readonly port: number;
  /** `postgres://…`, or `file:PATH`. */
  readonly databaseUrl: string;
  /** Files that last are named after this one, which is the database itself unless that is PostgreSQL. */
  readonly databaseFile: string;
  readonly sessionSecret: string;
  /** Web origins, besides our own, whose pages may ask. */
  readonly allowedOrigins: readonly string[];
  /** Code of the hotline members get; absent: the first listed. */
  readonly hotlineCode: string | undefined;
  readonly topUp: TopUpPolicy;
  readonly demoLogin: boolean;
  /** What the vendor's webhooks carry in their authorization header; absent: nobody may send any. */
  readonly webhookAuth: string | undefined;
  /** Opens `/operator` and `/metrics` to whoever knows it; absent: open in the sandbox, shut with a real vendor. */
  readonly operatorPassword: string | undefined;
  /** The script that calls an agent's own dialer; absent: the first active one. */
  readonly callMeScript: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** Exit status of a program that is configured wrongly: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIGURATION = 78;

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** How many members could be topped up on one day, unless TOP_UP_DAILY_LIMIT says otherwise. */
const DEFAULT_TOP_UPS_A_DAY = 100;
const DEFAULT_DATABASE = 'file:.data/companion.db';
const MAX_VND = 1_000_000_000;
/** Agents are few requests apart, but a whole call centre may share one address. Tests of a sandbox are in a hurry. */
const RATES = { member: 60, address: 1200, sandbox: 100_000 };

const words = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
const secret = (length: number) =>
  z.string().check(z.minLength(length, `must have at least ${length} characters`));
const number = (pattern: RegExp, message: string, most = Infinity, tooMuch = message) =>
  z.pipe(words(pattern, message), z.pipe(z.transform(Number), z.number().check(z.maximum(most, tooMuch))));
const vnd = number(/^\d{1,10}$/, 'must be a whole number of VND', MAX_VND, `must be at most ${MAX_VND}`);
const count = number(/^[1-9]\d{0,6}$/, 'must be a whole number above 0');
const port = number(/^\d{1,5}$/, 'must be a port number', 65_535);
const origin = z.string().check(z.refine(isOrigin, 'must be exact origins such as https://crm.example'));
const address = z
  .string()
  .check(z.refine(isHttpAddress, 'must be an http(s) address without query or login'));

const environmentSchema = z
  .object({
    VENDOR_BASE_URL: z.optional(address),
    VENDOR_API_KEY: z.optional(words(/^[\x21-\x7e]+$/, 'must be printable, without blanks')),
    PORT: z._default(port, 8787),
    DATABASE_URL: z._default(
      words(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, 'must be file:PATH or postgres://…'),
      DEFAULT_DATABASE,
    ),
    SESSION_SECRET: z.optional(secret(32)),
    ALLOWED_ORIGINS: z._default(z.pipe(z.pipe(z.string(), z.transform(splitList)), z.array(origin)), []),
    HOTLINE_CODE: z.optional(z.string()),
    TOP_UP_AMOUNT: z._default(vnd.check(z.positive('must be more than 0')), 1000),
    TOP_UP_DAILY_LIMIT_PER_MEMBER: z.optional(vnd),
    TOP_UP_DAILY_LIMIT: z.optional(vnd),
    TOP_UP_MODE: z._default(z.enum(['auto', 'request', 'off'], 'must be auto, request or off'), 'auto'),
    DEMO_LOGIN: z.optional(z.enum(['on', 'off'], 'must be on or off')),
    WEBHOOK_AUTH: z.optional(secret(16)),
    OPERATOR_PASSWORD: z.optional(secret(16)),
    CALL_ME_SCRIPT: z.optional(z.string()),
    RATE_LIMIT_PER_MEMBER: z.optional(count),
    RATE_LIMIT_PER_ADDRESS: z.optional(count),
    PROXY_HOPS: z._default(number(/^\d$/, 'must be a digit'), 0),
    LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'silent'),
  })
  .check(
    // Checked even when a single variable is wrong, so that the message is complete.
    z.refine((env) => (env.VENDOR_API_KEY === undefined) === (env.VENDOR_BASE_URL === undefined), {
      path: ['VENDOR_API_KEY'],
      message: 'and VENDOR_BASE_URL go together: set both, or neither for the sandbox',
      when: () => true,
    }),
    z.refine((env) => env.VENDOR_API_KEY === undefined || env.SESSION_SECRET !== undefined, {
      path: ['SESSION_SECRET'],
      message: 'is required with a real vendor',
      when: () => true,
    }),
  );

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && search === '' && hash === '';
}

function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}

/** @throws {ConfigurationError} its message names every mistake, and no value. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Configuration {
  // An empty variable is how shells and container files say "not set".
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    const mistakes = result.error.issues.map(({ path, message }) => `  ${String(path[0])} ${message}`);
    throw new ConfigurationError(`The environment is not right:\n${[...new Set(mistakes)].join('\n')}`);
  }
  const { data } = result;
  const vendor =
    data.VENDOR_BASE_URL === undefined || data.VENDOR_API_KEY === undefined
      ? undefined
      : { baseUrl: data.VENDOR_BASE_URL.replace(/\/+$/, ''), apiKey: data.VENDOR_API_KEY };
  return {
    vendor,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    databaseFile: (data.DATABASE_URL.startsWith('file:') ? data.DATABASE_URL : DEFAULT_DATABASE).slice(5),
    // Nobody's session has to outlive a sandbox.
    sessionSecret: data.SESSION_SECRET ?? randomBytes(32).toString('base64url'),
    allowedOrigins: data.ALLOWED_ORIGINS,
    hotlineCode: data.HOTLINE_CODE,
    topUp: {
      mode: data.TOP_UP_MODE,
      amount: data.TOP_UP_AMOUNT,
      dailyLimitPerMember: data.TOP_UP_DAILY_LIMIT_PER_MEMBER ?? data.TOP_UP_AMOUNT,
      dailyLimit: data.TOP_UP_DAILY_LIMIT ?? data.TOP_UP_AMOUNT * DEFAULT_TOP_UPS_A_DAY,
    },
    demoLogin: (data.DEMO_LOGIN ?? (vendor ? 'off' : 'on')) === 'on',
    // In the sandbox both ends of it are ours.
    webhookAuth: data.WEBHOOK_AUTH ?? (vendor ? undefined : randomBytes(16).toString('hex')),
    operatorPassword: data.OPERATOR_PASSWORD,
    callMeScript: data.CALL_ME_SCRIPT,
    ratePerMember: data.RATE_LIMIT_PER_MEMBER ?? (vendor ? RATES.member : RATES.sandbox),
    ratePerAddress: data.RATE_LIMIT_PER_ADDRESS ?? (vendor ? RATES.address : RATES.sandbox),
    proxyHops: data.PROXY_HOPS,
    logLevel: data.LOG_LEVEL,
  };
}
