/**
 * Parsers for the attributes and properties of the tag. Frameworks set properties to anything: null, undefined and invalid
 * values fall back to the default, and the console names the attribute once.
 */
import type { ReactiveElement } from 'lit';
import { attempt } from '../errors.ts';
import { warnOnce } from '../page/console.ts';

/** The vendor's CDN never changes a versioned file; the address without a version would change under the page. */
export const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';
/** In VND. */
const DEFAULT_LOW_BALANCE = 500;

export const parseBrokerCredentials = oneOf('broker-credentials', ['same-origin', 'include', 'omit']);
export const parseConnectMode = oneOf('connect-mode', ['auto', 'interaction', 'manual']);
export const parseNumberPlan = oneOf('number-plan', ['vietnam', 'any']);
export const parseRecentCalls = oneOf('recent-calls', ['on', 'off']);
export const parseTheme = oneOf('theme', ['auto', 'light', 'dark']);
const parseCorner = oneOf('floating', ['bottom-right', 'bottom-left', 'top-right', 'top-left']);

/** @param values the first one is the default */
function oneOf<const T extends readonly [string, ...string[]]>(attribute: string, values: T) {
  return (value: unknown): T[number] => {
    const found = values.find((each) => each === value);
    if (found === undefined) warnOfText(attribute, value, `is not one of ${values.join(', ')}`);
    return found ?? values[0];
  };
}

/** An empty attribute, and what is no text, mean the default. */
function warnOfText(attribute: string, value: unknown, why: string): void {
  if (typeof value === 'string' && value !== '') warnOnce(attribute, why);
}

/** In VND. Only `0` itself switches the warning off; an empty value does not. */
export function parseLowBalance(value: unknown): number {
  const isAmount = typeof value === 'number' || /^\s*\d{1,12}\s*$/.test(parseText(value));
  const amount = isAmount ? Number(value) : -1;
  if (amount >= 0 && amount < Infinity) return amount;
  warnOfText('low-balance', value, 'is not a whole amount in VND');
  return DEFAULT_LOW_BALANCE;
}

/** An attribute that is present is on, as in HTML; the value `false` is off, because some frameworks write it. */
export function parseBoolean(value: unknown): boolean {
  return value != null && value !== false && value !== 'false';
}

/** Any other value than a corner is `bottom-right`. Frameworks write `true`. */
export function parseFloating(value: unknown) {
  return parseBoolean(value) && parseCorner(value === 'true' ? '' : value);
}

/** Empty: not set. */
export function parseText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  // A revoked proxy throws.
  return attempt(() => (value instanceof URL ? value.href : undefined)) ?? '';
}

/** A converter for Lit. */
export function parsedBy(parse: (value: unknown) => unknown) {
  return { fromAttribute: parse, toAttribute };
}

/** False: the attribute is absent. */
function toAttribute(value: unknown): unknown {
  return value === true ? '' : value || null;
}

/** What a framework sets as a property is parsed as the attribute is. */
export function parseProperties({ elementProperties, prototype }: typeof ReactiveElement): void {
  for (const [name, { converter }] of elementProperties) {
    const { set, ...accessor } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    const parse = typeof converter === 'object' && converter.fromAttribute;
    if (!set || !parse) continue;
    const parsed = {
      ...accessor,
      set(value: unknown) {
        set.call(this, parse(value as string));
      },
    };
    Object.defineProperty(prototype, name, parsed);
  }
}
