/** The doctor's look at the vendor: is it there, does it take the key, are there a hotline and money? It only reads. */
import { lookup } from 'node:dns/promises';
import * as z from 'zod/mini';
import type { Config } from '../../server/config.ts';
import { OpenApi } from '../../server/vendor/api.ts';
import type { Vendor } from '../../server/vendor/client.ts';
import { VendorError } from '../../server/vendor/response.ts';
import { explainFailure, fix, isTrustworthy, ok, TIMEOUT_MS, skipped, type Finding } from './findings.ts';

const KEY_TODO =
  'Copy the key again from the vendor’s console (group settings, Api Key) into VENDOR_API_KEY.';
const BASE_TODO =
  'Compare VENDOR_BASE_URL with the vendor’s documentation; it ends in the version, as in /v3.0.';
const WAIT_TODO =
  'Run the doctor again in a few minutes; if it stays, tell the vendor the time and this address.';

const IN_CLEAR = fix(
  'vendor',
  'Not asked: without https, the key could be read on its way.',
  'Set VENDOR_BASE_URL to the vendor’s https address.',
);

/** Every check of the vendor, in the order in which to mend things. */
export async function examineVendor(vendor: Vendor, configuration: Config): Promise<Finding[]> {
  const { reached, key }: Knock = isTrustworthy(vendor.baseUrl) ? await knock(vendor) : { reached: IN_CLEAR };
  if (key?.result !== 'ok') {
    const why = key ? 'the key is not accepted' : 'the vendor does not answer as it should';
    const rest = key ? [key] : [skipped('key', why)];
    return [reached, ...rest, skipped('hotlines', why), skipped('admin balance', why)];
  }
  const api = new OpenApi(vendor);
  try {
    return [reached, key, await checkHotlines(api, configuration), await checkBalance(api, configuration)];
  } finally {
    await api.close();
  }
}

interface Knock {
  readonly reached: Finding;
  /** Absent: nothing was said about the key. */
  readonly key?: Finding;
}

const envelopeSchema = z.object({ error: z.optional(z.int()), errorCode: z.optional(z.int()) });

/** Not through the client, which does not tell a refusal by HTTP from one in the envelope. */
async function knock({ baseUrl, apiKey }: Vendor): Promise<Knock> {
  const begin = performance.now();
  const since = () => `${Math.round(performance.now() - begin)} ms`;
  try {
    const { hostname, protocol } = new URL(baseUrl);
    await lookup(hostname.replaceAll(/[[\]]/g, ''));
    const dns = since();
    const answer = await fetch(`${baseUrl}/api/hotline/getAll`, {
      headers: { 'X-API-Key': apiKey, Accept: 'application/json' },
      // Followed, it would carry the key to wherever it points.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const envelope = parseEnvelope(await answer.text());
    const how = protocol === 'https:' ? 'over TLS' : 'without TLS';
    const times = `name found after ${dns}, HTTP ${answer.status} ${how} after ${since()}`;
    return judge(answer.status, (envelope?.error || envelope?.errorCode) ?? envelope?.error, times);
  } catch (error) {
    const { why, todo } = explainFailure(error);
    return { reached: fix('vendor', `${new URL(baseUrl).host} cannot be reached: ${why}.`, todo) };
  }
}

function judge(status: number, code: number | undefined, times: string): Knock {
  if (status >= 500 || status === 429) {
    return { reached: fix('vendor', `It is there but out of order (${times}).`, WAIT_TODO) };
  }
  const reached = ok('vendor', `It answers: ${times}.`);
  if (code === 0 && status < 300) return { reached, key: ok('key', 'The vendor accepts it.') };
  if (code === undefined && (status === 401 || status === 403)) {
    const sentence = `Refused with HTTP ${status}, before the vendor’s API looked at it.`;
    return {
      reached,
      key: fix('key', sentence, `${KEY_TODO} If it is right, ask whether your IP is allowed.`),
    };
  }
  if (code === 401) {
    return {
      reached,
      key: fix('key', `Refused with error 401 (HTTP ${status}): unknown or withdrawn.`, KEY_TODO),
    };
  }
  if (code === 403) {
    const todo = 'Ask the vendor to allow the Open API for this key.';
    return { reached, key: fix('key', 'Refused with error 403: known, but not allowed to do this.', todo) };
  }
  if (code === 409) {
    const sentence = 'Refused with error 409, which is how some of the vendor’s modules name a wrong key.';
    return { reached, key: fix('key', sentence, KEY_TODO) };
  }
  if (code !== undefined && code !== 0) {
    return { reached: fix('vendor', `It answers with error ${code} (${times}).`, WAIT_TODO) };
  }
  return { reached: fix('vendor', `Something answers, but not the vendor’s API (${times}).`, BASE_TODO) };
}

async function checkHotlines(api: OpenApi, { hotlineCode }: Config): Promise<Finding> {
  const check = 'hotlines';
  try {
    const hotlines = await api.listHotlines();
    const count = `${hotlines.length} ${hotlines.length === 1 ? 'hotline' : 'hotlines'}`;
    const codes = hotlines.map(({ code }) => code);
    const [first] = codes;
    if (first === undefined) {
      return fix(
        check,
        'There is none, so nobody could call.',
        'Ask the vendor to activate a hotline for this account.',
      );
    }
    if (hotlineCode === undefined) return ok(check, `${count}; members get the first, ${first}.`);
    if (codes.includes(hotlineCode)) return ok(check, `${count}; members get HOTLINE_CODE, ${hotlineCode}.`);
    const todo = `Set HOTLINE_CODE to one of: ${codes.join(', ')}.`;
    return fix(check, `${count}, but HOTLINE_CODE ${hotlineCode} is none of them.`, todo);
  } catch (error) {
    return trouble(check, error);
  }
}

async function checkBalance(api: OpenApi, { topUp }: Config): Promise<Finding> {
  const check = 'admin balance';
  try {
    const balance = await api.adminBalance();
    if (topUp.mode === 'off')
      return ok(check, `${balance} VND; TOP_UP_MODE is off, so none of it is needed.`);
    if (balance >= topUp.amount) {
      return ok(
        check,
        `${balance} VND, enough for ${Math.floor(balance / topUp.amount)} × ${topUp.amount} VND.`,
      );
    }
    const sentence = `${balance} VND, less than one top-up of ${topUp.amount} VND.`;
    return fix(check, sentence, 'Pay into the account at the vendor, or set TOP_UP_MODE=off.');
  } catch (error) {
    return trouble(check, error);
  }
}

function trouble(check: string, error: unknown): Finding {
  if (error instanceof VendorError) return fix(check, error.message, WAIT_TODO);
  throw error;
}

function parseEnvelope(body: string): z.infer<typeof envelopeSchema> | undefined {
  try {
    return envelopeSchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}
