/**
 * Parsers for the attributes and properties of the tag. Frameworks set properties to anything: null, undefined and invalid
 * values fall back to the default.
 */
import * as z from 'zod/mini';
import { matches } from '../broker/contract.ts';

/** The vendor's CDN never changes a versioned file; the address without a version would change under the page. */
export const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';
/** In VND. */
const DEFAULT_LOW_BALANCE = 500;
const AMOUNT = /^\s*\d{1,12}\s*$/;

const brokerCredentialsSchema = z.enum(['same-origin', 'include', 'omit']);
const connectModeSchema = z.enum(['auto', 'interaction', 'manual']);
const themeSchema = z.enum(['auto', 'light', 'dark']);
const numberPlanSchema = z.enum(['vietnam', 'any']);
const recentCallsSchema = z.enum(['on', 'off']);
const cornerSchema = z.enum(['bottom-right', 'bottom-left', 'top-right', 'top-left']);

type Corner = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';

/** Attributes whose value can be invalid: schema and text of the warning. Frameworks write `floating` as true or false. */
const CHECKS: Readonly<Record<string, readonly [z.ZodMiniType, string]>> = {
  'broker-credentials': closedSet(brokerCredentialsSchema),
  'connect-mode': closedSet(connectModeSchema),
  theme: closedSet(themeSchema),
  'number-plan': closedSet(numberPlanSchema),
  'recent-calls': closedSet(recentCallsSchema),
  floating: [z.enum([...cornerSchema.options, 'true', 'false']), closedSet(cornerSchema)[1]],
  'low-balance': [matches(AMOUNT), 'is not a whole amount in VND'],
};

/** @returns what is wrong with the value; `undefined`: nothing */
export function whyIgnored(attribute: string, value: string): string | undefined {
  const [schema, why] = CHECKS[attribute] ?? [];
  return !schema || value === '' || z.safeParse(schema, value).success ? undefined : why;
}

function closedSet(schema: z.ZodMiniType & { readonly options: readonly string[] }) {
  return [schema, `is not one of ${schema.options.join(', ')}`] as const;
}

export const parseBrokerCredentials = fallingBack(brokerCredentialsSchema, 'same-origin');
export const parseConnectMode = fallingBack(connectModeSchema, 'auto');
export const parseNumberPlan = fallingBack(numberPlanSchema, 'vietnam');
export const parseRecentCalls = fallingBack(recentCallsSchema, 'on');
const parseTheme = fallingBack(themeSchema, 'auto');

function fallingBack<T>(schema: z.ZodMiniType<T>, fallback: T): (value: unknown) => T {
  return (value) => z.safeParse(schema, value).data ?? fallback;
}

/** In VND. Only `0` itself switches the warning off; an empty value does not. */
export function parseLowBalance(value: unknown): number {
  const amount = typeof value === 'number' || AMOUNT.test(parseText(value)) ? Number(value) : -1;
  return amount >= 0 && amount < Infinity ? amount : DEFAULT_LOW_BALANCE;
}

/** An attribute that is present is on, as in HTML; the value `false` is off, because some frameworks write it. */
export function parseBoolean(value: unknown): boolean {
  return value != null && value !== false && value !== 'false';
}

/** Any other value than a corner is `bottom-right`. */
export function parseFloating(value: unknown): Corner | false {
  return parseBoolean(value) && (z.safeParse(cornerSchema, value).data ?? 'bottom-right');
}

/** Empty: not set. */
export function parseText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  try {
    return value instanceof URL ? value.href : '';
  } catch {
    // A revoked proxy.
    return '';
  }
}

/** A converter for Lit: the property gets the parsed attribute. */
export function parsedBy<T>(parse: (value: unknown) => T): { fromAttribute(value: string | null): T } {
  return { fromAttribute: parse };
}

export const openConverter = {
  fromAttribute: parseBoolean,
  toAttribute: (value: unknown) => (parseBoolean(value) ? '' : null),
};

export const themeConverter = { fromAttribute: parseTheme, toAttribute: parseTheme };

export const floatingConverter = {
  fromAttribute: parseFloating,
  toAttribute: (value: unknown) => parseFloating(value) || null,
};
