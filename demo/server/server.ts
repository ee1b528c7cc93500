/**
 * The back end of `<partner-dialer>` in one file: the vendor's four steps, and the four routes that the dialer requests.
 *
 *     npx tsx server.ts             serves the dialer at http://127.0.0.1:8787/dialer/session
 *     npx tsx server.ts agent001    prepares one member for calls, and prints the steps
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import ky from 'ky';
import * as z from 'zod';

const MEMBER_NO = /^[A-Za-z0-9]{1,64}$/;
const vnd = z.string().regex(/^\d{1,9}$/, 'must be whole VND'); // 1.000 would be 1
const fromHere = (path: string) => resolve(import.meta.dirname, path.trim()); // the same in each working directory
export const Settings = z.object({
  VENDOR_BASE_URL: z.url().regex(/^(https:|http:\/\/(localhost|127\.0\.0\.1)[:/])/, 'must be https'),
  VENDOR_API_KEY: z.string().regex(/^[!-~]+$/, 'must be ASCII without spaces and line ends'),
  HOTLINE_CODE: z.string().optional(), // for members without a hotline; absent: the first one listed
  TOP_UP: vnd.default('1000').transform(Number), // once a day for a member without money; 0: never
  AGENT_TOKENS: z.string().default(''), // `secret:agent001 secret2:agent002`: the member of each bearer token
  PORT: z.coerce.number().int().min(1).max(65_535).default(8787),
  PAID_DIR: z.string().default('paid').transform(fromHere), // where payments are recorded: one folder for all processes that pay
});
type Settings = z.infer<typeof Settings>;
const plain = (text: string) => text.replaceAll('\\', ''); // JSON in a message hides a key that has quotes
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Who is signed in? Replace this with your own session. Never read it from a body or a query: money is spent on this member. */
function memberOf({ headers }: IncomingMessage, { AGENT_TOKENS }: Settings): string | undefined {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const agents = AGENT_TOKENS.split(/\s+/).map((pair) => pair.split(':'));
  const found = agents.find(([secret = '']) => token && hash(secret) === hash(token)) ?? []; // hashes: the timing reveals nothing
  const [, memberNo = '', ...more] = found;
  return MEMBER_NO.test(memberNo) && more.length === 0 ? memberNo : undefined;
}

// The vendor's responses, as documented. Anything else is an error, and pays nobody.
const Envelope = z.object({ error: z.int(), message: z.unknown().optional(), data: z.unknown().optional() });
const REFUSALS: unknown[] = [-1, 401, 402, 403, 404]; // of addMoney; after any other error, the money may have moved
const Text = z.string().optional().catch(undefined);
const Assignment = z.unknown().refine((data) => data !== false, 'data is false'); // its form is not documented
const Hotline = z
  .object({ hotline_name: Text, hotline_number: z.string(), hotline_code: z.string(), hotline_type: Text })
  .transform(({ hotline_name: name, hotline_number: number, hotline_code: code, hotline_type: type }) => {
    return { name, number, code, type };
  });
const Id = z.union([z.string(), z.number()]).transform(String);
const MemberRow = z.looseObject({ member_no: Id, member_name: Text, member_money: z.number() });
const Member = MemberRow.transform(({ member_no: no, member_name: name, member_money: balance, ...more }) => {
  // The response may list the member's hotlines, under a name that is not documented.
  const list = Object.entries(more).find(([key, value]) => /hotline/i.test(key) && Array.isArray(value));
  return { no, name, balance, hotlines: list?.[1] as unknown[] | undefined };
});
type Hotline = z.infer<typeof Hotline>;
type Member = z.infer<typeof Member> & { readonly day: string }; // the day (in Vietnam) on which the balance was read
const today = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10);

/** The vendor refused (`cause` is its code), cannot be reached, or did not respond as documented. */
class VendorError extends Error {}

export function createBackEnd(settings: Settings, log: (line: string) => void = console.log) {
  const { VENDOR_BASE_URL, VENDOR_API_KEY, HOTLINE_CODE, TOP_UP, PAID_DIR } = settings;
  /** Whether a member (key: lower case) has a hotline: by the vendor's list, else by our last assignment. A missing entry blocks nobody. */
  const hasHotline = new Map<string, boolean>();

  /** The vendor's four steps. @throws {VendorError} if one of the first three fails, or the last read of the member */
  async function provision(memberNo: string, report = (step: string) => log(`${memberNo} ${step}`)) {
    // 1. The project's hotlines, and the one to call with.
    const listed = listHotlines();
    const { hotlines, hotline } = await listed;
    report(`1 hotlines  ${hotlines.length} listed, ${hotline?.number ?? 'none'} is used`);
    // 2. The token. It creates a new member.
    const order = { member_no: memberNo, hotline_codes: hotline ? [hotline.code] : [] };
    const token = await ask(z.string().min(1), 'sdk/tokenSdk', order);
    report('2 token     issued');
    // 3. The member, who may not exist before the token.
    const member = await readMember(memberNo);
    report(`3 member    ${member.balance} VND`);
    // 4. What is missing: a hotline, and money for a member who has one.
    report(`4 hotline   ${await assignHotline(memberNo, hotline)}`);
    report(`4 top-up    ${(await topUp(memberNo, member))[0]}`);
    return { token, ...(await readStatus(memberNo, listed)) };
  }

  async function assignHotline(memberNo: string, hotline?: Hotline): Promise<string> {
    const key = memberNo.toLowerCase();
    if (hasHotline.get(key)) return 'already assigned';
    if (!hotline) return 'no hotline to assign';
    const order = { member_no: memberNo, hotline_number: hotline.number, allow_call: true };
    try {
      await ask(Assignment, 'hotline/member/add', { ...order, start_time: '', end_time: '' });
      hasHotline.set(key, true);
      return `${hotline.number} assigned`;
    } catch (error) {
      const { message, cause } = error as VendorError;
      hasHotline.set(key, cause === 409 || hasHotline.get(key) === true); // has it; or another sign-in assigned it
      return hasHotline.get(key) ? 'already assigned' : `not assigned: ${message}`;
    }
  }

  /** At most once a day (in Vietnam time) for a member, whatever the response is. @returns what happened; a refusal's code */
  async function topUp(memberNo: string, { balance, day }: Member): Promise<[string, string?]> {
    if (balance > 0) return ['the balance is above 0'];
    if (TOP_UP === 0) return ['not paid: TOP_UP is 0', 'top-up-off'];
    if (!hasHotline.get(memberNo.toLowerCase())) return ['not paid: no hotline', 'no-hotline'];
    if (balance + TOP_UP <= 0) return ['not paid: the debt is larger than TOP_UP', 'top-up-too-small'];
    const account = await ask(z.number(), 'account/balance').catch(() => TOP_UP); // unknown: the payment itself will tell
    if (account < TOP_UP)
      return [`not paid: the partner account has only ${account} VND`, 'top-up-admin-short'];
    // Another sign-in may have paid since the balance was read: only a record of the same day can tell.
    if (day !== today()) return ['not paid: the day has ended since the balance was read', 'top-up-later'];
    const note = join(PAID_DIR, `${day}-${memberNo.toLowerCase()}`);
    try {
      // On the disk before the money is sent, and never removed: if a response is lost, the money may have moved.
      await mkdir(PAID_DIR, { recursive: true });
      await writeFile(note, `${TOP_UP} VND\n`, { flag: 'wx', flush: true });
      const folder = process.platform === 'win32' ? undefined : await open(PAID_DIR); // Windows cannot flush a folder
      await folder?.sync().finally(() => folder.close());
      await ask(z.unknown(), 'member/addMoney', { member_no: memberNo, money: TOP_UP });
      return [`${TOP_UP} VND paid`];
    } catch (error) {
      const { code, path, message, cause } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && path === note) return ["not paid: today's top-up is used up", 'top-up-limit'];
      if (!(error instanceof VendorError)) return [`not paid: ${message}`, 'top-up-later'];
      if (REFUSALS.includes(cause))
        return [`refused: ${message}. Not paid? Delete ${note}`, 'top-up-refused'];
      return [`in doubt, not sent again today: ${message}`];
    }
  }

  /** What the dialer reads: docs/broker.md. */
  async function readStatus(memberNo: string, listed = listHotlines()) {
    const { hotlines, hotline } = await listed;
    const { balance, name, hotlines: list } = await readMember(memberNo);
    const text = JSON.stringify(list ?? []); // its form is not documented: a number or a code may stand anywhere in it
    const isIn = (one: Hotline) => text.includes(`"${one.number}"`) || text.includes(`"${one.code}"`);
    const assigned = hotlines.filter(isIn);
    const canUse = hotlines.length > 0 && (hasHotline.get(memberNo.toLowerCase()) ?? hotline !== undefined);
    return {
      member: { memberNo, name, balance, currency: 'VND' },
      hotlines: !canUse ? [] : assigned.length > 0 || !hotline ? assigned : [hotline],
      blockers: [...(balance > 0 ? [] : ['insufficient-funds']), ...(canUse ? [] : ['no-hotline'])],
      links: { status: 'status', topUp: `top-up?member=${memberNo}`, hotline: `hotline?member=${memberNo}` },
    };
  }

  async function listHotlines() {
    const hotlines = await ask(z.array(Hotline), 'hotline/getAll');
    return { hotlines, hotline: hotlines.find(({ code }) => !HOTLINE_CODE || code === HOTLINE_CODE) };
  }

  async function readMember(memberNo: string): Promise<Member> {
    const day = today(); // before the balance is read
    const key = memberNo.toLowerCase();
    const Own = Member.refine(({ no }) => no.toLowerCase() === key, 'another member'); // a cache may ignore the query
    const member = await ask(Own, `member/getByMemberNo?member_no=${memberNo}`);
    if (member.hotlines) hasHotline.set(key, member.hotlines.length > 0);
    return { ...member, day };
  }

  async function ask<T>(data: z.ZodType<T>, path: string, json?: object): Promise<T> {
    const failed = (why: string, code?: number) =>
      new VendorError(`${path}: ${plain(why).replaceAll(plain(VENDOR_API_KEY), '(key)')}`, { cause: code });
    const signal = AbortSignal.timeout(10_000); // until the body has arrived
    const response = await ky(`${VENDOR_BASE_URL.replace(/\/$/, '')}/api/${path}`, {
      ...(json && { method: 'post', json }),
      headers: { 'X-API-Key': VENDOR_API_KEY },
      redirect: 'error', // following it would send the key elsewhere
      retry: 0, // never pay twice
      signal,
      throwHttpErrors: false,
    }).catch(({ message, cause = message }: Error) => Promise.reject(failed(String(cause))));
    let size = 0;
    const transform = (part: Uint8Array, to: TransformStreamDefaultController) =>
      (size += part.length) > 1_000_000 ? to.error() : to.enqueue(part);
    const stream = response.body?.pipeThrough(new TransformStream({ transform }), { signal }); // Node 20 may lose ky's signal
    const body = Envelope.safeParse(await new Response(stream).json().catch(() => undefined)).data;
    const code = response.status < 500 ? body?.error : undefined; // of a vendor that is broken, it proves nothing
    if (body?.error) throw failed(`error ${body.error}, ${JSON.stringify(body.message)}`, code);
    const parsed = data.safeParse(body?.data);
    if (body && response.ok && parsed.success) return parsed.data;
    const trouble = body && parsed.error ? z.prettifyError(parsed.error) : `HTTP ${response.status}`;
    throw failed(`not as documented: ${trouble}`);
  }

  /** The agent asks for what is missing. @returns the status, or the code of a refusal (a string) */
  async function repeatStep4(memberNo: string, wanted: 'money' | 'hotline'): Promise<object | string> {
    if (wanted === 'hotline') hasHotline.delete(memberNo.toLowerCase()); // the agent says it is missing: only the vendor's list counts now
    const { hotline } = await listHotlines();
    const member = await readMember(memberNo);
    await assignHotline(memberNo, hotline);
    if (wanted === 'hotline') return readStatus(memberNo);
    const [result, refused] = await topUp(memberNo, member);
    log(`${memberNo} 4 top-up    ${result}`);
    return refused ?? readStatus(memberNo);
  }

  const ROUTES: Record<string, [method: string, (memberNo: string) => Promise<object | string>]> = {
    '/dialer/session': ['POST', (memberNo) => provision(memberNo)],
    '/dialer/status': ['GET', readStatus],
    '/dialer/top-up': ['POST', (memberNo) => repeatStep4(memberNo, 'money')],
    '/dialer/hotline': ['POST', (memberNo) => repeatStep4(memberNo, 'hotline')],
  };

  /** Also for use in your own server. */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await answer(request).catch(() => [400, 'invalid-request'] as const);
    response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
    response.writeHead(status, { 'Content-Type': `application/${status < 400 ? '' : 'problem+'}json` });
    response.end(JSON.stringify(typeof body === 'string' ? { title: body, status, code: body } : body));
  }

  async function answer(request: IncomingMessage): Promise<[status: number, body: object | string]> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length; // no route reads a body
    const { host, origin = `https://${host}` } = request.headers;
    if (origin !== `https://${host}` && origin !== `http://${host}`) return [403, 'origin-not-allowed'];
    const [path = '', query] = (request.url ?? '').split('?');
    const [method, act] = ROUTES[path] ?? [];
    if (!act) return [404, 'not-found'];
    if (request.method !== method) return [405, 'invalid-request'];
    if (size > 4096) return [413, 'invalid-request'];
    const memberNo = memberOf(request, settings);
    if (memberNo === undefined) return [401, 'broker-unauthorized'];
    try {
      // A page may be open in which another member was signed in: it is told who it is now, and nobody is paid.
      const asked = new URLSearchParams(query).get('member') ?? memberNo;
      const body = await (asked === memberNo ? act : readStatus)(memberNo);
      return [typeof body === 'string' ? 409 : 200, body];
    } catch (error) {
      console.error(`${memberNo} ${(error as Error).message}`);
      return [503, 'vendor-unreachable'];
    }
  }

  return { provision, handle };
}

const fail = (code: number, reason: string) => (console.error(reason.replace(/^listen E\w+/, 'PORT')), code);
/** @returns the exit code */
export async function run([memberNo, ...more]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (more.length > 0 || !MEMBER_NO.test(memberNo ?? 'none'))
    return fail(2, 'Usage: server.ts [MEMBER_NO]; a MEMBER_NO contains only a-z, A-Z and 0-9');
  const given = Object.entries(env).filter(([, value]) => value !== '');
  const { data: settings, error: mistakes } = Settings.safeParse(Object.fromEntries(given));
  if (!settings) return fail(78, z.prettifyError(mistakes));
  const { provision, handle } = createBackEnd(settings);
  try {
    if (memberNo === undefined) {
      const server = createServer({ requestTimeout: 10_000 }, (...exchange) => void handle(...exchange));
      // After 5 seconds, whoever has sent half a request is cut off. A payment in progress ends first, even without its connection.
      const stop = () => server.close() && setTimeout(() => server.closeAllConnections(), 5000).unref();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
      await once(server.listen(settings.PORT, '127.0.0.1'), 'listening');
      console.log(`http://127.0.0.1:${settings.PORT}/dialer/session`);
      if (!settings.AGENT_TOKENS.includes(':')) console.log('AGENT_TOKENS names nobody: nobody can sign in');
      return await once(server, 'close').then(() => 0);
    }
    const { blockers } = await provision(memberNo, console.log);
    console.log(blockers.length === 0 ? 'can call' : `cannot call: ${blockers.join(', ')}`);
    return blockers.length === 0 ? 0 : 3;
  } catch (error) {
    return fail(error instanceof VendorError ? 4 : 78, (error as Error).message);
  }
}

const [, file, ...args] = process.argv;
if (file && realpathSync(file) === import.meta.filename) process.exitCode = await run(args, process.env);
