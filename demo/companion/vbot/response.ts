/** From a response to the data of its endpoint, or to the VendorError that says what is wrong with it. */
import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { isAmount, isRecord, lookUp, lookUpAll, readAmount } from './envelope.ts';
import type { DataForm, FieldName, Format, Found } from './envelope.ts';
import { describeMismatch, VendorError, type Mismatch, type VendorErrorCode } from './errors.ts';
import { describeCode, describeText, describeValue, isPage, listKeys, messageIn } from './shape.ts';

export interface Response {
  /** Of HTTP. */
  readonly status: number;
  readonly body: string;
  /** The body parsed; undefined: it is no JSON. */
  readonly json: unknown;
  readonly retryAfterMs: number | undefined;
  /** The origin that a redirect points to. */
  readonly redirect: string | undefined;
}

export interface Reading {
  readonly data: unknown;
  /** What differs from the documented form. */
  readonly variants: readonly string[];
}

const MOST_MISMATCHES = 3;
const WRONG_ADDRESS = 'check VENDOR_BASE_URL: it must end with the version, as in /v3.0';

/** @throws {VendorError} */
export function readResponse(
  endpoint: Endpoint,
  format: Format,
  response: Response,
  apiKey: string,
): Reading {
  const { status, json, retryAfterMs } = response;
  const vendorMessage = messageIn(json, format, apiKey);
  const fail = ({ code, why, ...codes }: Failure) => {
    const options = { vendorMessage, retryAfterMs, ...codes, status, isBlank: isBlank(response, format) };
    const text = `The vendor's ${endpoint.path} ${why}.`;
    return new VendorError(code, text.replaceAll(apiKey, '…'), options);
  };
  const verdict = judge(json, format);
  const said = vendorMessage === undefined ? '' : `: “${vendorMessage}”`;
  const refusal = refusalIn(endpoint, format, response, verdict, said);
  if (refusal) throw fail(refusal);
  const reading = understand(endpoint, format, response, verdict);
  if ('data' in reading) return reading;
  const [mismatch, hint] = reading.wrong;
  const why = `returned a response that cannot be parsed: HTTP ${status}, ${describeMismatch(mismatch)}${hint}`;
  throw fail({ code: 'invalid-answer', why });
}

interface Failure {
  readonly code: VendorErrorCode;
  readonly why: string;
  readonly vendorCode?: number | undefined;
  readonly hasEnvelope?: boolean;
}

/** What keeps the response from being read: the request was not looked at, or the vendor says no. */
function refusalIn(
  endpoint: Endpoint,
  format: Format,
  { status, body, json, redirect }: Response,
  verdict: Verdict,
  said: string,
): Failure | undefined {
  // Whatever the body says: the request was not looked at.
  if (status === 429) return { code: 'rate-limited', why: `received too many requests: HTTP 429${said}` };
  if (status >= 300 && status < 400) {
    const where = redirect === undefined ? '' : ` to ${redirect}`;
    const why = `redirects${where} (HTTP ${status}), which is not followed, because that would send the API key there`;
    return { code: 'unreachable', why };
  }
  if (status >= 500 || status === 408) return { code: 'unreachable', why: `failed: HTTP ${status}${said}` };
  const isRefused = verdict.is === 'no' || (verdict.is === 'silent' && status >= 400);
  if (!isRefused) return undefined;
  const code = verdict.is === 'no' ? verdict.code : status;
  const told = code === undefined ? 'without a number' : describeCode(code);
  const hasData = verdict.is === 'no' && holdsData(endpoint, readData(endpoint, format, json));
  const hint = hasData ? hintAtSuccess(format, code) : '';
  const page = isPage(body) ? `, an HTML page: ${WRONG_ADDRESS}` : '';
  const why = `refused: error ${told}${said}${page}${hint}`;
  const hasEnvelope = lookUpAll(json, format.names.error).some(({ value }) => value === code);
  return { code: 'refused', why, vendorCode: numberOf(code), hasEnvelope };
}

/** The data of a response that is not a refusal, or its first mismatch. */
function understand(
  endpoint: Endpoint,
  format: Format,
  { status, body, json }: Response,
  verdict: Verdict,
): DataReading {
  const { path } = verdict;
  if (json === undefined) {
    const hint = isPage(body) || status === 404 ? ` – ${WRONG_ADDRESS}` : '';
    return { wrong: [{ path: 'body', expected: 'JSON', found: describeText(body) }, hint] };
  }
  if (status >= 400) {
    return { wrong: [{ path, expected: `no success code with HTTP ${status}`, found: 'one' }, ''] };
  }
  if (verdict.is === 'silent') {
    const expected = `a success code (${format.success.map((one) => JSON.stringify(one)).join(', ')})`;
    return { wrong: [{ path, expected, found: verdict.found }, hintAtSilence(json, format)] };
  }
  const reading = readData(endpoint, format, json);
  if ('wrong' in reading) return reading;
  const ofCode = verdict.is === 'yes' ? verdict.variants : [];
  return { data: reading.data, variants: [...ofCode, ...reading.variants] };
}

function isBlank({ status, body, json }: Response, { success }: Format): boolean {
  if (status >= 300) return false;
  if (isRecord(json)) return Object.keys(json).length === 0;
  const text = json === undefined ? body.trim() : json;
  return text === '' || text === true || success.some((one) => isSame(one, text));
}

type Verdict =
  | { readonly is: 'no'; readonly path: string; readonly code: unknown }
  | { readonly is: 'yes'; readonly path: string; readonly variants: readonly string[] }
  | { readonly is: 'silent'; readonly path: string; readonly found: string };

/** A response may hold several codes: one that is not a success is a refusal. */
function judge(json: unknown, { names, success }: Format): Verdict {
  const isSuccess = (code: unknown) => success.some((one) => isSame(one, code));
  const first = codesIn(json, names.error);
  const codes = first.length > 0 ? first : codesIn(json, names.code);
  const refusal = codes.find(({ value }) => !isSuccess(value));
  const flag = lookUp(json, ['success']);
  if (refusal) return { is: 'no', path: refusal.key, code: refusal.value };
  if (flag?.value === false) return { is: 'no', path: flag.key, code: undefined };
  const [code = flag?.value === true ? flag : undefined] = codes;
  if (code) {
    const isDocumented = code.value === 0 && names.error.includes(code.key);
    return {
      is: 'yes',
      path: code.key,
      variants: isDocumented ? [] : [`${code.key} is ${JSON.stringify(code.value)}`],
    };
  }
  const none = lookUp(json, names.error);
  const path = none?.key ?? names.error[0] ?? '';
  if (success.includes(null))
    return { is: 'yes', path, variants: [`${path} is ${none ? 'null' : 'absent'}`] };
  const keys = isRecord(json) ? `; the object has ${listKeys(json)}` : `, but ${describeValue(json)}`;
  return { is: 'silent', path, found: none ? describeValue(none.value) : `nothing${keys}` };
}

/** An error may be an object, or a list of them, with the code inside. */
function codesIn(json: unknown, names: readonly string[]) {
  return lookUpAll(json, names).flatMap(({ key, value }) => {
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    if (Array.isArray(value) && inner === undefined) return [];
    if (!isRecord(inner)) return [{ key, value: inner }];
    const [code] = lookUpAll(inner, ['code', ...names]);
    return [{ key: code ? `${key}.${code.key}` : key, value: code?.value }];
  });
}

function isSame(one: unknown, code: unknown): boolean {
  return typeof one === 'string' && typeof code === 'string'
    ? one.toLowerCase() === code.toLowerCase()
    : one === code;
}

function numberOf(code: unknown): number | undefined {
  const isText = typeof code === 'string' && /^-?\d{1,9}$/.test(code);
  return Number.isInteger(code) || isText ? Number(code) : undefined;
}

type DataReading =
  | { readonly data: unknown; readonly variants: readonly string[] }
  | { readonly wrong: readonly [Mismatch, hint: string] };

function readData({ data: schema, form }: Endpoint, format: Format, json: unknown): DataReading {
  const isWhole = format.names.data[0] === '.';
  const place = isWhole ? { key: '', value: json } : lookUp(json, format.names.data);
  const documented = place?.key === 'data' || place === undefined;
  const given: Place = place ?? { key: 'data', value: isMissingRow(json, form, format) ? null : undefined };
  const { key: path, value, wrong } = form ? unwrap(given, form, format.names) : given;
  if (wrong) return { wrong: [wrong, ''] };
  const keys = new Map<FieldName, string>();
  const named = form ? nameFields(value, form, format, keys) : value;
  const result = schema.safeParse(named);
  if (!result.success)
    return { wrong: explain(result.error, path, { named, json, keys, form, isThere: place !== undefined }) };
  const moved = documented && path === 'data' ? [] : [`the data is in ${path || 'the response itself'}`];
  const renamed = [...keys].flatMap(([name, key]) => (name === key ? [] : [`${name} is ${key}`]));
  return { data: result.data, variants: [...moved, ...renamed] };
}

/** Without data, there is no row. An object or a field of the row may be the data under another name: then VENDOR_FIELDS has to name it. */
function isMissingRow(json: unknown, form: DataForm | undefined, { names }: Format): boolean {
  if (form?.is !== 'row' || !isRecord(json)) return false;
  const hasObject = Object.values(json).some((value) => typeof value === 'object' && value !== null);
  return !hasObject && !form.fields.some((field) => lookUp(json, names[field]));
}

interface Place extends Found {
  readonly wrong?: Mismatch;
}

/** Takes a list out of its page, a single row out of its list, and a value out of its object. */
function unwrap(place: Place, form: DataForm, names: Format['names']): Place {
  const { key, value } = place;
  const [here] = form.fields.flatMap((field) => lookUp(value, names[field]) ?? []);
  if (here) return form.is === 'value' ? { key: join(key, here.key), value: here.value } : place;
  const page = lookUp(value, names.items);
  if (page && Array.isArray(page.value)) {
    return unwrap({ key: join(key, page.key), value: page.value }, form, names);
  }
  if (form.is === 'rows' || !Array.isArray(value)) return place;
  const [only, ...more] = value as unknown[];
  if (more.length > 0)
    return { ...place, wrong: { path: key, expected: 'one', found: describeValue(value) } };
  return only === undefined ? { key, value: null } : unwrap({ key: `${key}[0]`, value: only }, form, names);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The rows with the documented names, and amounts as numbers. @param keys learns the fields' names in the response */
function nameFields(value: unknown, form: DataForm, format: Format, keys: Map<FieldName, string>): unknown {
  if (form.is === 'value') return isAmount(form.fields[0]) ? readAmount(value, format) : value;
  if (Array.isArray(value)) return value.map((row) => nameFields(row, form, format, keys));
  if (!isRecord(value)) return value;
  const named = form.fields.flatMap((field) => {
    const found = lookUp(value, format.names[field]);
    if (!found) return [];
    keys.set(field, found.key);
    return [[field, isAmount(field) ? readAmount(found.value, format) : found.value] as const];
  });
  return { ...value, ...Object.fromEntries(named) };
}

interface Context {
  readonly named: unknown;
  readonly json: unknown;
  readonly keys: ReadonlyMap<FieldName, string>;
  readonly form: DataForm | undefined;
  /** Whether there are data at all. */
  readonly isThere: boolean;
}

function explain({ issues }: z.core.$ZodError, root: string, context: Context): [Mismatch, string] {
  const { named, json, keys, form, isThere } = context;
  const own = form?.is === 'value' ? form.fields[0] : undefined;
  const missing: unknown[] = [];
  const mismatches = issues.slice(0, MOST_MISMATCHES).map(({ path: steps, message }): Mismatch => {
    const field = steps.at(-1) ?? own;
    const value = valueAt(named, steps);
    const others = isThere ? valueAt(named, steps.slice(0, -1)) : json;
    if (value === undefined) missing.push(isThere ? field : 'data');
    else if (own !== undefined && isRecord(value)) missing.push(own);
    const there = value === undefined && isRecord(others) ? `; the object has ${listKeys(others)}` : '';
    const path = steps.reduce<string>((begin, step) => {
      if (typeof step === 'number') return `${begin}[${step}]`;
      return join(begin, keys.get(step as FieldName) ?? String(step));
    }, root);
    return { path, expected: message, found: `${describeValue(value, field)}${there}` };
  });
  const [first, ...more] = mismatches;
  const rest = more.map((one) => `, and ${describeMismatch(one)}`).join('');
  const hint =
    missing.length > 0
      ? ` – if the vendor uses another name, set VENDOR_FIELDS={"${String(missing[0])}":"NAME"}`
      : '';
  return [first as Mismatch, `${rest}${hint}`];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

function holdsData({ form }: Endpoint, reading: DataReading): boolean {
  if (form === undefined || form.is === 'value' || !('data' in reading)) return false;
  return Array.isArray(reading.data) ? reading.data.length > 0 : Boolean(reading.data);
}

function hintAtSuccess({ success }: Format, code: unknown): string {
  const told = typeof code === 'string' ? describeCode(code) : JSON.stringify(code ?? 'CODE');
  const codes = [...success.map((one) => JSON.stringify(one)), told].join(',');
  return ` – but the response contains data: if this code means success, set VENDOR_FIELDS={"success":[${codes}]}`;
}

function hintAtSilence(json: unknown, { names, success }: Format): string {
  const codes = JSON.stringify([...success, null]);
  const isBare = !names.data.some((one) => lookUp(json, [one])) && names.data[0] !== '.';
  const data = isBare ? ',"data":"."' : '';
  return ` – if this means success, set VENDOR_FIELDS={"success":${codes}${data}}`;
}
