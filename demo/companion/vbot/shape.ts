/** What may be told of a response: keys and types, and of the values only codes, messages and unreadable amounts. */
import { isAmount, isRecord, lookUp, lookUpAll, plain, type Format } from './envelope.ts';

/** One response, for `--trace` and LOG_LEVEL=debug. */
export interface Trace {
  readonly method: string;
  readonly path: string;
  /** Of HTTP. */
  readonly status: number;
  readonly response: string;
  /** What differs from the documented form but was accepted. */
  readonly variants: readonly string[];
}

export function describeTrace({ method, path, status, response, variants }: Trace): string {
  const read = variants.length > 0 ? ` (accepted anyway: ${variants.join(', ')})` : '';
  return `   ${method} ${path}: HTTP ${status} ${response}${read}`;
}

const MESSAGE_LENGTH = 200;
const [MOST_KEYS, DEEPEST] = [40, 5];
/** Codes are short; longer text could be a token. */
const CODE = /^[\w .-]{1,24}$/;
const AMOUNT = /^[-+\d.,\s₫đVNDĐ]{1,24}$/iu;

/** Keys and types of a body. @param json undefined: it is no JSON */
export function describeBody(body: string, json: unknown, { names }: Format, apiKey: string): string {
  if (json === undefined) return describeText(body);
  const codes = [...names.error, ...names.code, 'success', 'code'].map(plain);
  /** @param isEnvelope whether this object may hold codes and messages; their values are printed */
  const describeShape = (value: unknown, depth: number, isEnvelope: boolean): string => {
    if (depth > DEEPEST) return '…';
    if (Array.isArray(value)) {
      const [first] = value as unknown[];
      return value.length === 0
        ? 'an empty array'
        : `array of ${value.length} × ${describeShape(first, depth + 1, isEnvelope)}`;
    }
    if (!isRecord(value)) return describeType(value);
    const all = Object.entries(value);
    const fields = all.slice(0, MOST_KEYS).map(([key, inner]) => {
      const isCode = isEnvelope && codes.includes(plain(key));
      const isMessage = isEnvelope && lookUp({ [key]: 0 }, names.message) !== undefined;
      const isInner = typeof inner === 'object' && inner !== null;
      const told =
        isInner || !(isCode || isMessage)
          ? describeShape(inner, depth + 1, isCode || isMessage)
          : tellValue(inner, isMessage, apiKey);
      return `${safeKey(key)}: ${told}`;
    });
    return `{${fields.join(', ')}${all.length > MOST_KEYS ? ', …' : ''}}`;
  };
  return describeShape(json, 0, true).replaceAll(apiKey, '…');
}

export function describeText(body: string): string {
  if (body.trim() === '') return 'an empty body';
  return `${isPage(body) ? 'an HTML page' : 'not JSON'}, ${body.length} characters`;
}

export function isPage(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|h\d|div|p)\b/i.test(body);
}

/** @param name of the field, as documented */
export function describeValue(value: unknown, name?: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && value !== '' && isAmount(name) && AMOUNT.test(value))
    return `string "${value}"`;
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isRecord(value)) return `an object with ${listKeys(value)}`;
  return value === null ? 'null' : `a ${typeof value}`;
}

export function listKeys(record: Readonly<Record<string, unknown>>): string {
  return Object.keys(record).slice(0, MOST_KEYS).map(safeKey).join(', ') || 'no keys';
}

export function describeCode(code: unknown): string {
  if (typeof code === 'string' && !CODE.test(code)) return describeValue(code);
  return isRecord(code) || Array.isArray(code) || code === undefined
    ? describeValue(code)
    : JSON.stringify(code);
}

/** The vendor's own words, from wherever they stand in the response. */
export function messageIn(json: unknown, format: Format, apiKey: string): string | undefined {
  const within = Array.isArray(json) ? (json as unknown[])[0] : json;
  for (const { value } of lookUpAll(within, format.names.message)) {
    const text = typeof value === 'string' ? value : messageIn(value, format, apiKey);
    if (text !== undefined && /\p{L}/u.test(text)) return printable(text, apiKey);
  }
  return undefined;
}

/** Nine digits or more, whatever marks stand between them, that are neither a time nor a sum. */
const TELEPHONE =
  /(?<kept>(?:20\d\d-[01]\d-[0-3]\d|\b[0-3]?\d\/[01]?\d\/20\d\d)(?:[T ]\d\d:\d\d(?::\d\d)?)?|\b\d{1,3}(?:[.,]\d{3})+(?= ?(?:₫|đ|VN)))|\+?\(?\d(?:[^\p{L}\d]{0,3}\d){8,}/giu;

/** The vendor's words reach logs and terminals: no control characters, nothing secret, no telephone number. */
function printable(text: string, apiKey: string): string {
  return text
    .replaceAll(apiKey, '…')
    .slice(0, MESSAGE_LENGTH)
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/\S{24,}/g, '…')
    .replaceAll(TELEPHONE, (_, kept?: string) => kept ?? '…')
    .trim();
}

function tellValue(value: unknown, isMessage: boolean, apiKey: string): string {
  if (typeof value !== 'string' || (CODE.test(value) && !isMessage)) return JSON.stringify(value);
  return isMessage ? `“${printable(value, apiKey)}”` : describeType(value);
}

function describeType(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (value === '') return 'empty string';
  return AMOUNT.test(value) ? 'numeric string' : 'string';
}

/** A key may hold anything, a number of a member too. */
function safeKey(key: string): string {
  return /^[A-Za-z_$]\w{0,31}$/.test(key) ? key : '…';
}
