/** A broker inside the test: it answers what the test told it to, and remembers what it was asked. */

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly credentials: RequestCredentials;
}

export type Answer = Response | Error | (() => Response | Promise<Response>);

const ORIGINAL_FETCH = globalThis.fetch;

export const MEMBER = {
  memberNo: 'agent001',
  name: 'Nguyễn Thị An',
  extension: '101',
  balance: 12_500,
  currency: 'VND',
  expiresAt: '2027-11-21T00:00:00Z',
} as const;

export const HOTLINES = [
  { name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE' },
  { name: 'Chăm sóc khách hàng', number: '842899990003', code: 'HL_CARE', type: 'ALIAS' },
] as const;

export const LINKS = { status: 'status', topUp: 'top-up', hotline: 'hotline' } as const;

export function json(body: unknown, status = 200, type = 'application/json'): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
}

export function session(change: object = {}): Response {
  const answer = {
    token: 'header.payload.signature',
    member: MEMBER,
    hotlines: HOTLINES,
    blockers: [],
    links: LINKS,
  };
  return json({ ...answer, ...change });
}

export function readiness(change: object = {}): Response {
  return json({ member: MEMBER, hotlines: HOTLINES, blockers: [], links: LINKS, ...change });
}

/** Money is used up. */
export const BROKE = { member: { ...MEMBER, balance: 0 }, blockers: ['insufficient-funds'] };

/** What a broker answers about such a member, at the sign-in and later. */
export function memberWith(change: object): Readonly<Record<string, Answer>> {
  return { 'POST session': () => session(change), 'GET status': () => readiness(change) };
}

export class FakeBroker {
  readonly url = new URL('/broker/session', location.href).href;
  readonly asked: Asked[] = [];
  readonly #answers = new Map<string, Answer>();

  constructor() {
    this.on('POST session', () => session());
    this.on('GET status', () => readiness());
    this.on('POST top-up', () => readiness());
    this.on('POST hotline', () => readiness());
    globalThis.fetch = (input, init) => this.#fetch(new Request(input, init));
  }

  /** @param what Method and last part of the path, e.g. `POST session` */
  on(what: string, answer: Answer): this {
    this.#answers.set(what, answer);
    return this;
  }

  count(what: string): number {
    return this.asked.filter(({ method, path }) => `${method} ${path}` === what).length;
  }

  close(): void {
    globalThis.fetch = ORIGINAL_FETCH;
  }

  async #fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (!path.startsWith('/broker/')) return ORIGINAL_FETCH(request);
    const { method, headers, credentials } = request;
    const name = path.slice('/broker/'.length);
    this.asked.push({ method, path: name, headers, credentials });
    const answer = this.#answers.get(`${method} ${name}`) ?? json({}, 404);
    if (answer instanceof Error) throw answer;
    const answered = typeof answer === 'function' ? await answer() : answer.clone();
    request.signal.throwIfAborted();
    return answered;
  }
}
