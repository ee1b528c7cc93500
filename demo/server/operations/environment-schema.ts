/** Every variable of the environment, what it has to be like, and which of them go together. */
import * as z from 'zod/mini';
import { address, count, digit, oneOf, origin, origins, port, secret, vnd, words } from './variables.ts';

export const DEFAULT_DATABASE = 'file:.data/companion.db';

type Variables = Readonly<Record<string, unknown>>;
/** Checked even when a single variable is wrong, so that the message is complete. */
const rule = (name: string, message: string, holds: (env: Variables) => boolean) =>
  z.refine((env) => holds(env as Variables), { path: [name], message, when: () => true });

export const environmentSchema = z
  .object({
    VENDOR_BASE_URL: z.optional(address),
    VENDOR_API_KEY: z.optional(words(/^[\x21-\x7e]+$/, 'must be printable, without blanks')),
    VENDOR_CONCURRENCY: z.optional(count),
    PORT: z._default(port, 8787),
    DATABASE_URL: z._default(
      words(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, 'must be file:PATH or postgres://…'),
      DEFAULT_DATABASE,
    ),
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
    CUSTOMER_CONTEXT_FIELD: z.optional(words(/^[\w-]{1,128}$/, 'must be the code of a field')),
    TOP_UP_MODE: z._default(oneOf(['auto', 'request', 'off']), 'auto'),
    TOP_UP_AMOUNT: z._default(vnd.check(z.positive('must be more than 0')), 1000),
    TOP_UP_DAILY_LIMIT_PER_MEMBER: z.optional(vnd),
    TOP_UP_DAILY_LIMIT: z.optional(vnd),
    WEBHOOK_AUTH: z.optional(secret(16)),
    WEBHOOK_AUTH_PREVIOUS: z.optional(secret(16)),
    WEBHOOK_KEEP_DAYS: z._default(count, 30),
    OPERATOR_PASSWORD: z.optional(secret(16)),
    CALL_ME_SCRIPT: z.optional(z.string()),
    CALL_ME_PER_MINUTE: z.optional(count),
    CALL_ME_PER_DAY: z.optional(count),
    RATE_LIMIT_PER_MEMBER: z.optional(count),
    RATE_LIMIT_PER_ADDRESS: z.optional(count),
    RATE_LIMIT_WEBHOOKS: z._default(count, 6000),
    PROXY_HOPS: z._default(digit, 0),
    LOG_LEVEL: z._default(oneOf(['silent', 'error', 'warn', 'info', 'debug']), 'silent'),
  })
  .check(
    rule(
      'VENDOR_API_KEY',
      'and VENDOR_BASE_URL go together: set both, or neither for the sandbox',
      (env) => (env['VENDOR_API_KEY'] === undefined) === (env['VENDOR_BASE_URL'] === undefined),
    ),
    rule(
      'AUTH_JWKS_URL',
      'and AUTH_JWT_SECRET exclude each other',
      (env) => env['AUTH_JWKS_URL'] === undefined || env['AUTH_JWT_SECRET'] === undefined,
    ),
    rule(
      'AUTH_JWKS_URL',
      'needs AUTH_ISSUER and AUTH_AUDIENCE: its keys sign for others, too',
      (env) => env['AUTH_JWKS_URL'] === undefined || Boolean(env['AUTH_ISSUER'] && env['AUTH_AUDIENCE']),
    ),
    rule(
      'SESSION_SECRET',
      'is required with a real vendor, unless agents sign in by AUTH_JWT_SECRET or AUTH_JWKS_URL',
      (env) =>
        env['VENDOR_API_KEY'] === undefined ||
        Boolean(env['SESSION_SECRET'] ?? env['AUTH_JWT_SECRET'] ?? env['AUTH_JWKS_URL']),
    ),
  );
