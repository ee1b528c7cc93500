/** A broker that answers as the sequence says, and counts what it is asked for. */
import { HOTLINES, MEMBER } from '../support/fake-broker.ts';
import { ANSWERS, withoutToken, type Answer, type AnswerName } from './answers.ts';
import { customersWith, listedCalls } from './books.ts';
import { ASSIGNED, callerNumbersOf, type Assigned, type CallerNumber } from './caller-numbers.ts';
import type { GIVEN } from './choices.ts';
import { turn } from './clock.ts';
import { SECRET_HEADER } from './headers.ts';
import type { MemberNo } from './members.ts';
import { CANARY, type World } from './world.ts';

export const PATHS = ['session', 'status', 'top-up', 'hotline', 'calls', 'customers'] as const;
export type Path = (typeof PATHS)[number];

/** So long after a failure the dialer may have sent the same request again. */
const REPEATED_MS = 3000;
/** Longer than a dialer needs for all else, shorter than it waits for what the page has begun. */
const LATE_MS = 4000;
const TOKEN = new RegExp(`${CANARY}\\.\\d+\\.signature`);

interface Plan {
  readonly answer: AnswerName;
  readonly delay: number;
}

export class PlayedBroker {
  readonly asked = Object.fromEntries(PATHS.map((path) => [path, 0])) as Record<Path, number>;
  /** How often it has answered a request for help. */
  helpAnswers = 0;
  readonly #plans: Record<Path, Plan>;
  readonly #world: World;
  readonly #fetch = globalThis.fetch;
  /** Who is signed in at the page. */
  memberNo: MemberNo = MEMBER.memberNo;
  /** Which caller numbers each member has. */
  readonly assigned: Record<MemberNo, Assigned> = { agent001: ASSIGNED[0], agent002: ASSIGNED[0] };
  /** Whose the tokens are. */
  readonly #owners = new Map<string, MemberNo>();
  /** Whom the answers with a token have named. */
  readonly #named = new Map<string, MemberNo>();
  /** The addresses of its sign-ins, by token. */
  readonly #addresses = new Map<string, string>();
  /** Tokens in what the page gave, and to which dialer; `undefined`: not for its next sign-in. */
  readonly #given = new Map<string, Element | undefined>();
  #topUpsUnderWay = new Set<Request>();
  /** A request may have moved money, and nobody has asked for the state since it ended without an answer. */
  #isMoneyUnknown = false;
  /** Numbers the questions, so that the later one can be told by the name of the member. */
  #questions = 0;
  #failedAt = -Infinity;

  constructor(world: World) {
    this.#world = world;
    const plan: Plan = { answer: 'ok', delay: 20 };
    this.#plans = Object.fromEntries(PATHS.map((path) => [path, plan])) as Record<Path, Plan>;
    globalThis.fetch = (input, init) => this.#answer(new Request(input, init));
  }

  plan(path: Path, plan: Plan): void {
    this.#plans[path] = plan;
  }

  /**
   * A sign-in that the page has begun: its answer, in a form that the page may give it in.
   *
   * @param to undefined: a dialer that has signed in already
   */
  give(form: (typeof GIVEN)[number], name: AnswerName, to: Element | undefined): unknown {
    const answer = this.#answerOf(name);
    const token = TOKEN.exec(answer.body)?.[0];
    if (token) this.#given.set(token, to);
    const response = () => respond(this.#world, answer);
    switch (form) {
      case 'answer':
        return parsed(answer.body);
      case 'response':
        return response();
      case 'promise':
        return Promise.resolve(response());
      case 'late':
        return new Promise((resolve) => this.#world.clock.later(LATE_MS, () => resolve(parsed(answer.body))));
      case 'failed':
        return Promise.reject(new TypeError('Failed to fetch'));
      case 'never':
        return new Promise(() => undefined);
      case 'wrong':
        return { accessToken: answer.body };
      case 'none':
        return null;
    }
  }

  /** A request for money lives as long as its dialer: the next one knows nothing of it. */
  forgetTopUps(): void {
    this.#topUpsUnderWay = new Set();
    this.#isMoneyUnknown = false;
  }

  /** What the page has given this dialer is not for its next sign-in. */
  voidGiven(to: Element): void {
    for (const [token, dialer] of this.#given) if (dialer === to) this.#given.set(token, undefined);
  }

  /** The SDK is started. */
  use(token: string): void {
    if (this.#given.has(token) && !this.#given.get(token))
      this.#world.violate('h a sign-in that was given for an earlier one');
  }

  /** All is well again. */
  heal(): void {
    for (const path of PATHS) this.plan(path, { answer: 'ok', delay: 20 });
  }

  /** Whom the broker named with this token. */
  memberOf(token: string): MemberNo | undefined {
    return this.#named.get(token);
  }

  /** What the SDK is told when it starts. */
  callerNumbersOf(token: string): readonly CallerNumber[] {
    const owner = this.#owners.get(token) ?? this.memberNo;
    return callerNumbersOf(owner, this.assigned[owner]);
  }

  /** Where somebody signed in for this token; `undefined`: the page gave it. */
  addressOf(token: string): string | undefined {
    return this.#addresses.get(token);
  }

  restore(): void {
    globalThis.fetch = this.#fetch;
  }

  async #answer(request: Request): Promise<Response> {
    this.#world.next();
    const { origin, pathname } = new URL(request.url);
    const name = pathname.split('/').at(-1);
    const path = PATHS.find((known) => known === name);
    if (request.url.includes(CANARY)) this.#world.violate('g token in an address');
    if (origin !== new URL(document.baseURI).origin || !path) {
      if (request.headers.has(SECRET_HEADER))
        this.#world.violate('g page headers sent elsewhere', request.url);
      throw new TypeError('Failed to fetch');
    }
    // Without a network it does not hear of it; but that the dialer tries to sign in again is seen.
    if (path === 'session' || this.#world.page.isOnline) this.asked[path] += 1;
    this.#world.note(`      broker is asked for ${path}: ${this.#plans[path].answer}`);
    if (!this.#world.page.isOnline) throw new TypeError('Failed to fetch');
    const isHelp = path === 'top-up' || path === 'hotline';
    if (isHelp && !this.#world.lacks(path)) this.#world.violate('e asked for help that nobody needs', path);
    if (path !== 'top-up') return this.#carryOut(path, request);
    if (this.#isMoneyUnknown)
      this.#world.violate('e asked for money again before the last request was known');
    const underWay = this.#topUpsUnderWay;
    underWay.add(request);
    if (underWay.size > 1) this.#world.violate('e two top-up requests at once');
    const at = this.#world.next();
    const { memberNo } = this;
    try {
      const response = await this.#carryOut(path, request);
      this.#isMoneyUnknown = false;
      return response;
    } catch (error) {
      this.#isMoneyUnknown = underWay === this.#topUpsUnderWay;
      const { reason } = request.signal;
      const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError';
      const isWanted = memberNo === this.memberNo && !this.#world.exchange.hasEnded(at);
      if (request.signal.aborted && !isTimeout && isWanted)
        this.#world.violate('e a request for money was cut off');
      throw error;
    } finally {
      underWay.delete(request);
    }
  }

  async #carryOut(path: Path, request: Request): Promise<Response> {
    const { answer, delay } = this.#plans[path];
    const { signal } = request;
    const { clock, page } = this.#world;
    this.#questions += 1;
    // A question that failed may be repeated, and then it is not the later one.
    const mark = clock.lived < this.#failedAt + REPEATED_MS ? '' : ` ${this.#questions}`;
    await this.#pass(answer === 'never' ? undefined : delay, signal);
    if (answer === 'network-error' || answer === 'answer-lost' || !page.isOnline) {
      this.#failedAt = clock.lived;
      throw new TypeError('Failed to fetch');
    }
    if (answer === 'redirect') return this.#redirect(request);
    if ((path === 'calls' || path === 'customers') && answer === 'ok')
      return respond(this.#world, this.#look(path, new URL(request.url)));
    if (path === 'top-up' || path === 'hotline') {
      this.helpAnswers += 1;
      return respond(this.#world, withoutToken(this.#answerOf(answer)));
    }
    const made = this.#answerOf(answer, mark);
    if (made.status === 200) this.#isMoneyUnknown = false;
    const token = TOKEN.exec(made.body)?.[0];
    if (path === 'session' && token) this.#addresses.set(token, request.url);
    return respond(this.#world, path === 'session' ? made : withoutToken(made));
  }

  /** In the books of the member who has this address. */
  #look(path: 'calls' | 'customers', { pathname, searchParams }: URL): Answer {
    const owner = pathname.split('/').at(-2);
    if (owner !== this.memberNo) return ANSWERS[401]();
    const { calls } = this.#world.exchange;
    return path === 'calls' ? listedCalls(calls, owner) : customersWith(searchParams.get('phone') ?? '');
  }

  /** About whoever is signed in at the page now. */
  #answerOf(name: AnswerName, mark = ''): Answer {
    const answered: Answer = ANSWERS[name as keyof typeof ANSWERS]();
    const numbers = callerNumbersOf(this.memberNo, this.assigned[this.memberNo]);
    const body = answered.body
      .replace(JSON.stringify(HOTLINES), JSON.stringify(numbers))
      .replaceAll(HOTLINES[0].number, callerNumbersOf(this.memberNo, [0])[0]?.number ?? '')
      .replaceAll(MEMBER.memberNo, this.memberNo)
      .replace(MEMBER.name, `${MEMBER.name}${mark}`);
    const token = TOKEN.exec(body)?.[0];
    if (token) this.#owners.set(token, this.memberNo);
    // Elsewhere in the answer, it is no name of a member.
    const named = /"token":"([^"]*)","member":\{"memberNo"/.exec(body)?.[1];
    if (named) this.#named.set(named, this.memberNo);
    return { ...answered, body };
  }

  #redirect(request: Request): Response {
    if (request.redirect === 'error') throw new TypeError('Failed to fetch');
    if (request.redirect === 'follow' && request.headers.has(SECRET_HEADER)) {
      this.#world.violate('g page headers follow a redirect elsewhere');
    }
    // Nobody can read where it leads, nor its status.
    if (request.redirect === 'manual')
      return Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
    const response = respond(this.#world, ANSWERS.html());
    Object.defineProperty(response, 'redirected', { value: true });
    return response;
  }

  /** @param ms undefined: for ever, or until the request is given up */
  #pass(ms: number | undefined, signal: AbortSignal): Promise<void> {
    const { clock } = this.#world;
    return new Promise((resolve, reject) => {
      const forget = ms === undefined ? () => undefined : clock.later(ms, resolve);
      const giveUp = () => {
        forget();
        this.#world.next();
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}

/** A response whose body comes without real time passing, in a task of its own, as in a browser. */
function respond(world: World, answer: Answer): Response {
  world.next();
  const { status, body, headers } = answer;
  const response = new Response(null, {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return Object.defineProperties(response, {
    text: { value: async () => (await turn(), world.next(), body) },
    clone: { value: () => respond(world, answer) },
  });
}

/** What a page gives that has read the answer itself. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
