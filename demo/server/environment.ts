/** The environment of the companion, read once at start: a typed configuration, or one message that names every mistake. */
import { randomBytes } from 'node:crypto';
import { DEFAULT_DATABASE, environmentSchema } from './operations/environment-schema.ts';

/** Exit status of a program that is configured wrongly: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIGURATION = 78;

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export type Configuration = ReturnType<typeof readEnvironment>;

/** How many members could be topped up on one day, unless TOP_UP_DAILY_LIMIT says otherwise. */
const DEFAULT_TOP_UPS_A_DAY = 100;
/** Tests of a sandbox are in a hurry. */
const SANDBOX_RATE = 100_000;

/** @throws {ConfigurationError} its message names every mistake, and no value. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>) {
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
  const { VENDOR_BASE_URL: baseUrl, VENDOR_API_KEY: apiKey } = data;
  const vendor = baseUrl && apiKey ? { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey } : undefined;
  const rate = (value: number | undefined, usual: number) => value ?? (vendor ? usual : SANDBOX_RATE);
  return {
    /** Absent: the sandbox. */
    vendor,
    vendorConcurrency: data.VENDOR_CONCURRENCY,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    /** Files that last are named after this one, which is the database itself unless that is PostgreSQL. */
    databaseFile: (data.DATABASE_URL.startsWith('file:') ? data.DATABASE_URL : DEFAULT_DATABASE).slice(5),
    publicOrigin: data.PUBLIC_ORIGIN,
    /** Web origins, besides our own, whose pages may ask. */
    allowedOrigins: data.ALLOWED_ORIGINS,
    // Nobody's session has to outlive a sandbox.
    sessionSecret: data.SESSION_SECRET ?? randomBytes(32).toString('base64url'),
    previousSessionSecret: data.SESSION_SECRET_PREVIOUS,
    sessionIdleMinutes: data.SESSION_IDLE_MINUTES,
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
    customerContextField: data.CUSTOMER_CONTEXT_FIELD,
    /** VND; see TopUpPolicy. */
    topUp: {
      mode: data.TOP_UP_MODE,
      amount: data.TOP_UP_AMOUNT,
      dailyLimitPerMember: data.TOP_UP_DAILY_LIMIT_PER_MEMBER ?? data.TOP_UP_AMOUNT,
      dailyLimit: data.TOP_UP_DAILY_LIMIT ?? data.TOP_UP_AMOUNT * DEFAULT_TOP_UPS_A_DAY,
    },
    // In the sandbox both ends of it are ours.
    webhookAuth: data.WEBHOOK_AUTH ?? (vendor ? undefined : randomBytes(16).toString('hex')),
    previousWebhookAuth: data.WEBHOOK_AUTH_PREVIOUS,
    webhookKeepDays: data.WEBHOOK_KEEP_DAYS,
    /** Opens `/operator` and `/metrics`; absent: open in the sandbox, shut with a real vendor. */
    operatorPassword: data.OPERATOR_PASSWORD,
    callMe: {
      script: data.CALL_ME_SCRIPT,
      perMinute: rate(data.CALL_ME_PER_MINUTE, 1),
      perDay: rate(data.CALL_ME_PER_DAY, 3),
    },
    ratePerMember: rate(data.RATE_LIMIT_PER_MEMBER, 60),
    /** Of anonymous requests: a whole call centre may share one address. */
    ratePerAddress: rate(data.RATE_LIMIT_PER_ADDRESS, 1200),
    rateOfWebhooks: data.RATE_LIMIT_WEBHOOKS,
    proxyHops: data.PROXY_HOPS,
    logLevel: data.LOG_LEVEL,
  };
}
