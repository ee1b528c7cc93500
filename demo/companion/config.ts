/** The environment of the companion, read once at start: a typed configuration, or one message that names every mistake. */
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { findMisspelt, readEnvironment, withFiles, type Environment } from './environment.ts';
import type { Account } from './store/schema.ts';
import type { Vendor } from './vbot/client.ts';
import { readFormat, USUAL_FORMAT } from './vbot/envelope.ts';

/** Exit status of a program that is configured wrongly: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIGURATION = 78;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Config = ReturnType<typeof readConfig>;
/**
 * What the configuration is for: `provision` and `reconcile` need no sign-in, and a server that mounts the companion
 * (`mount`) has its own.
 */
export type Command = 'serve' | 'mount' | 'provision' | 'reconcile';

const DEFAULT_DATABASE = 'file:.data/companion.db';
/** How many members could be topped up on one day, unless TOP_UP_DAILY_LIMIT says otherwise. */
const DEFAULT_TOP_UPS_A_DAY = 100;
/** With the sandbox, tests send many requests. */
const SANDBOX_RATE = 100_000;
const MAX_VND = 1_000_000_000;

const words = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
const such = (is: (text: string) => boolean, message: string) => z.string().check(z.refine(is, message));
const secret = (length: number) =>
  z.string().check(z.minLength(length, `must have at least ${length} characters`));
const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
const number = (pattern: RegExp, message: string, most = Infinity, tooMuch = message) =>
  z.pipe(words(pattern, message), z.pipe(z.transform(Number), z.number().check(z.maximum(most, tooMuch))));
const vnd = number(/^\d{1,10}$/, 'must be a whole number of VND', MAX_VND, `must be at most ${MAX_VND}`);
const count = number(/^[1-9]\d{0,6}$/, 'must be a whole number above 0');
const key = words(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
const origin = such(isOrigin, 'must be an origin such as https://crm.example, without path or wildcard');
const origins = z.pipe(z.pipe(z.string(), z.transform(splitList)), z.array(origin));
/** Keys and tokens go there: https, or this machine. */
const address = such(
  isSafeAddress,
  'must be an https URL (http on loopback only) without user name, password, query or fragment',
);
const database = such(
  isDatabase,
  'must be file:PATH or postgres://USER:PASSWORD@HOST/NAME, special characters percent-encoded',
);

const format = z.pipe(
  z.string(),
  z.transform((text, context) => {
    try {
      return readFormat(text);
    } catch (error) {
      const message = `must be a JSON object, or the path of a JSON file: ${(error as Error).message}`;
      context.issues.push({ code: 'custom', message, input: text });
      return USUAL_FORMAT;
    }
  }),
);

const VARIABLES = {
  VENDOR_BASE_URL: z.optional(address),
  VENDOR_BASE_URL_PREVIOUS: z.optional(address),
  VENDOR_API_KEY: z.optional(key),
  VENDOR_API_KEY_PREVIOUS: z.optional(key),
  VENDOR_CONCURRENCY: z.optional(count),
  VENDOR_FIELDS: z._default(z.optional(format), USUAL_FORMAT),
  HOST: z._default(words(/^[\w.:%-]+$/, 'must be an address or a host name of this machine'), '127.0.0.1'),
  PORT: z._default(number(/^\d{1,5}$/, 'must be a port number', 65_535), 8787),
  DATABASE_URL: z.optional(database),
  PUBLIC_ORIGIN: z.optional(origin),
  ALLOWED_ORIGINS: z._default(origins, []),
  SESSION_SECRET: z.optional(secret(32)),
  SESSION_SECRET_PREVIOUS: z.optional(secret(32)),
  SESSION_IDLE_MINUTES: z._default(count, 240),
  AUTH_JWT_SECRET: z.optional(secret(32)),
  AUTH_JWKS_URL: z.optional(address),
  AUTH_ISSUER: z.optional(z.string()),
  AUTH_AUDIENCE: z.optional(z.string()),
  AUTH_MEMBER_CLAIM: z._default(z.string(), 'member_no'),
  DEMO_LOGIN: z.optional(oneOf(['on', 'off'])),
  HOTLINE_CODE: z.optional(z.string()),
  CUSTOMER_CONTEXT_FIELD: z.optional(
    words(/^[\w-]{1,128}$/, 'must be a customer field code (letters, digits, _ and -)'),
  ),
  TOP_UP_MODE: z._default(oneOf(['auto', 'request', 'off']), 'auto'),
  TOP_UP_AMOUNT: z._default(vnd.check(z.positive('must be more than 0')), 1000),
  TOP_UP_DAILY_LIMIT_PER_MEMBER: z.optional(vnd),
  TOP_UP_DAILY_LIMIT: z.optional(vnd),
  WEBHOOK_AUTH: z.optional(
    z.union([z.literal('none'), secret(16)], 'must have at least 16 characters, or be none'),
  ),
  WEBHOOK_AUTH_PREVIOUS: z.optional(secret(16)),
  OPERATOR_PASSWORD: z.optional(secret(16)),
  CALL_ME_SCRIPT: z.optional(z.string()),
  CALL_ME_PER_MINUTE: z.optional(count),
  CALL_ME_PER_DAY: z.optional(count),
  RATE_LIMIT_PER_MEMBER: z.optional(count),
  RATE_LIMIT_PER_ADDRESS: z.optional(count),
  PROXY_HOPS: z._default(number(/^\d$/, 'must be a number from 0 to 9'), 0),
  LOG_LEVEL: z._default(oneOf(['silent', 'error', 'warn', 'info', 'debug']), 'silent'), // the commands set info
};

/** Mistakes across several variables, and whether each is made. */
function listRules(
  env: Environment,
  command: Command,
  hasSandbox: boolean,
): [mistake: string, isMade: boolean][] {
  const has = (name: keyof typeof VARIABLES) => env[name] !== undefined;
  const isReal = has('VENDOR_API_KEY') || !hasSandbox;
  const hasBearer = has('AUTH_JWT_SECRET') || has('AUTH_JWKS_URL');
  const isTooMuch = (limit: keyof typeof VARIABLES) =>
    env['TOP_UP_MODE'] !== 'off' && has(limit) && Number(env['TOP_UP_AMOUNT'] ?? 1000) > Number(env[limit]);
  return [
    ['VENDOR_BASE_URL is not set', isReal && !has('VENDOR_BASE_URL')],
    ['VENDOR_API_KEY is not set', !has('VENDOR_API_KEY') && (isReal || has('VENDOR_BASE_URL'))],
    [
      'DATABASE_URL is required: file:/var/lib/companion/companion.db, or postgres://…',
      isReal && !has('DATABASE_URL'),
    ],
    [
      'DATABASE_URL must contain an absolute path: a relative one names a different ledger in each working directory',
      isReal && /^file:(?!\/|[A-Za-z]:)/.test(env['DATABASE_URL'] ?? ''),
    ],
    ['AUTH_JWKS_URL and AUTH_JWT_SECRET cannot both be set', has('AUTH_JWKS_URL') && has('AUTH_JWT_SECRET')],
    [
      'AUTH_JWKS_URL needs AUTH_ISSUER and AUTH_AUDIENCE: its keys also sign tokens for other applications',
      has('AUTH_JWKS_URL') && !(has('AUTH_ISSUER') && has('AUTH_AUDIENCE')),
    ],
    [
      'AUTH_JWT_SECRET needs AUTH_AUDIENCE: the secret may also sign tokens for other applications',
      has('AUTH_JWT_SECRET') && !has('AUTH_AUDIENCE'),
    ],
    [
      'AUTH_JWT_SECRET or AUTH_JWKS_URL is required; otherwise nobody can sign in. (To try the companion out, set DEMO_LOGIN=on and SESSION_SECRET instead)',
      isReal && command === 'serve' && !hasBearer && !(has('SESSION_SECRET') && env['DEMO_LOGIN'] === 'on'),
    ],
    [
      'SESSION_SECRET is required: it signs the cookies of startSession',
      isReal && command === 'mount' && !hasBearer && !has('SESSION_SECRET'),
    ],
    [
      'DEMO_LOGIN=on lets anybody sign in as any agent and spend your money. It is allowed only on loopback, without PUBLIC_ORIGIN and PROXY_HOPS',
      env['DEMO_LOGIN'] === 'on' && isReal && isReachable(env),
    ],
    [
      'TOP_UP_AMOUNT is above TOP_UP_DAILY_LIMIT_PER_MEMBER: nobody would ever be topped up',
      isTooMuch('TOP_UP_DAILY_LIMIT_PER_MEMBER'),
    ],
    [
      'TOP_UP_AMOUNT is above TOP_UP_DAILY_LIMIT: nobody would ever be topped up',
      isTooMuch('TOP_UP_DAILY_LIMIT'),
    ],
  ];
}

/**
 * @param hasSandbox whether a sandbox can replace a missing vendor; in the copied folder, there is none
 * @param warn takes one sentence for each name that is nearly a setting
 * @throws {ConfigError} its message names every mistake, and no value.
 */
export function readConfig(
  env: Environment,
  command: Command = 'serve',
  hasSandbox = true,
  warn: (text: string) => void = console.warn,
) {
  const { given, mistakes: unreadable } = readEnvironment(env);
  const misspelt = findMisspelt(given, withFiles(Object.keys(VARIABLES)));
  const result = z.object(VARIABLES).safeParse(given);
  const mistakes = [
    ...unreadable,
    ...(result.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`),
    ...listRules(given, command, hasSandbox).flatMap(([mistake, isMade]) => (isMade ? [mistake] : [])),
    ...misspelt.mistakes,
  ];
  if (!result.success || mistakes.length > 0) {
    const lines = [...new Set(mistakes)].map((mistake) => `  ${mistake}`);
    throw new ConfigError(`The environment variables are not valid:\n${lines.join('\n')}`);
  }
  misspelt.warnings.forEach((warning) => warn(warning));
  const { data } = result;
  const { VENDOR_BASE_URL: baseUrl, VENDOR_API_KEY: apiKey } = data;
  const vendor = baseUrl && apiKey ? { baseUrl: withoutSlashes(baseUrl), apiKey } : undefined;
  const rate = (value: number | undefined, usual: number) => value ?? (vendor ? usual : SANDBOX_RATE);
  return {
    /** Absent: the sandbox. */
    vendor,
    vendorConcurrency: data.VENDOR_CONCURRENCY,
    /** How the vendor writes its responses. */
    vendorFormat: data.VENDOR_FIELDS,
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL ?? DEFAULT_DATABASE,
    /** The account to which the database belongs. */
    account: toAccount(vendor, data.VENDOR_BASE_URL_PREVIOUS, data.VENDOR_API_KEY_PREVIOUS),
    /** Where the outside world finds this server; absent: on loopback only. */
    publicOrigin: data.PUBLIC_ORIGIN,
    /** Other origins whose pages may send requests. */
    allowedOrigins: data.ALLOWED_ORIGINS,
    // Without SESSION_SECRET, cookies end with this process: for the sandbox, or with bearer tokens only.
    sessionSecret: data.SESSION_SECRET ?? randomBytes(32).toString('base64url'),
    /** Still believed, while secrets are being changed. */
    previousSessionSecret: data.SESSION_SECRET_PREVIOUS,
    sessionIdleMinutes: data.SESSION_IDLE_MINUTES,
    /** The partner's own tokens: HS256 with the secret, else the keys of `keysUrl`. */
    bearer:
      data.AUTH_JWT_SECRET === undefined && data.AUTH_JWKS_URL === undefined
        ? undefined
        : {
            secret: data.AUTH_JWT_SECRET,
            keysUrl: data.AUTH_JWKS_URL,
            issuer: data.AUTH_ISSUER,
            audience: data.AUTH_AUDIENCE,
            memberClaim: data.AUTH_MEMBER_CLAIM,
          },
    demoLogin: (data.DEMO_LOGIN ?? (vendor ? 'off' : 'on')) === 'on',
    hotlineCode: data.HOTLINE_CODE,
    /** Code of the field of a customer that agents read beside the name. */
    customerContextField: data.CUSTOMER_CONTEXT_FIELD,
    /** VND; see TopUpPolicy. */
    topUp: {
      mode: data.TOP_UP_MODE,
      amount: data.TOP_UP_AMOUNT,
      dailyLimitPerMember: data.TOP_UP_DAILY_LIMIT_PER_MEMBER ?? data.TOP_UP_AMOUNT,
      dailyLimit: data.TOP_UP_DAILY_LIMIT ?? data.TOP_UP_AMOUNT * DEFAULT_TOP_UPS_A_DAY,
    },
    /** What webhooks must send in `Authorization`. `none`: it is not checked. Absent: webhooks are refused. */
    webhookAuth: data.WEBHOOK_AUTH ?? (vendor ? undefined : randomBytes(16).toString('hex')),
    previousWebhookAuth: data.WEBHOOK_AUTH_PREVIOUS,
    /** Opens `/operator` and `/metrics`; absent: open in the sandbox, shut with a real vendor. */
    operatorPassword: data.OPERATOR_PASSWORD,
    callMe: {
      /** The vendor's code of the script that calls; absent: nobody is called. */
      script: data.CALL_ME_SCRIPT,
      perMinute: rate(data.CALL_ME_PER_MINUTE, 1),
      perDay: rate(data.CALL_ME_PER_DAY, 3),
    },
    ratePerMember: rate(data.RATE_LIMIT_PER_MEMBER, 60),
    /** Of anonymous requests: a whole call centre may share one address. */
    ratePerAddress: rate(data.RATE_LIMIT_PER_ADDRESS, 1200),
    /** Reverse proxies in front, each of which adds to `X-Forwarded-For`. */
    proxyHops: data.PROXY_HOPS,
    logLevel: data.LOG_LEVEL,
  };
}

/** Names of this machine, as `URL.hostname` has them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The sandbox has a fixed name, because its port changes at every start. */
function toAccount(vendor: Vendor | undefined, previousUrl?: string, previousKey?: string): Account {
  if (!vendor) return { vendor: 'the sandbox', key: 'none' };
  return {
    vendor: new URL(vendor.baseUrl).href,
    key: fingerprint(vendor.apiKey),
    previousVendor: previousUrl && new URL(withoutSlashes(previousUrl)).href,
    previousKey: previousKey && fingerprint(previousKey),
  };
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Tells keys apart without revealing them. */
function fingerprint(apiKey: string): string {
  return createHash('sha256').update(`companion ${apiKey}`).digest('hex').slice(0, 24);
}

/** Whether others than this machine reach it, as far as the environment tells. */
function isReachable(env: Environment): boolean {
  const { HOST = '127.0.0.1', PUBLIC_ORIGIN, PROXY_HOPS = '0' } = env;
  const isLocal = isLoopback(HOST.includes(':') ? `[${HOST}]` : HOST);
  return !isLocal || PUBLIC_ORIGIN !== undefined || PROXY_HOPS !== '0';
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isPrivate && username === '' && password === '' && search === '' && hash === '';
}

/** Also refuses passwords with an unencoded `#`, `/` or `%`, which change the meaning of the address. */
function isDatabase(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a line end in the middle would name another file
  if (/[\x00-\x1f\x7f]/.test(text)) return false;
  if (text.startsWith('file:')) return text.length > 'file:'.length;
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, hash, username, password, searchParams } = new URL(text);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
  } catch {
    return false;
  }
  return hash === '' && /^\/[^/]+$/.test(pathname) && (hostname !== '' || searchParams.has('host'));
}

function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}
