/** What a broker under test is asked, and what its answers come to. */
import { type Session } from '../../src/broker/answer.ts';
import { parseSession } from '../../src/broker/parse-answer.ts';

export interface BrokerUnderTest {
  readonly url: string;
  /** What makes a request one of a signed-in agent, e.g. a cookie. */
  readonly signedIn: Readonly<Record<string, string>>;
  /** A page that is meant to be allowed from elsewhere, if there is one. */
  readonly origin: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type Ask = (
  method: string,
  headers?: Record<string, string>,
  body?: string,
  url?: string,
) => Promise<Answer>;
export type Finding = string | { readonly skipped: string } | undefined;

export interface Check {
  readonly name: string;
  /** What is wrong; undefined: nothing. */
  run(broker: BrokerUnderTest, ask: Ask, session: Session): Promise<Finding>;
}

const ANSWER_WITHIN_MS = 10_000;
/** A page that no broker knows. */
export const STRANGER = 'https://stranger.invalid';
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export function refusedWithoutToken(answer: Answer): string | undefined {
  if (holdsToken(answer)) return 'it got one';
  return answer.status < 400 ? `it was answered with ${answer.status}` : undefined;
}

export function holdsToken(answer: Answer): boolean {
  return answer.status < 400 && parseOrUndefined(answer)?.token !== undefined;
}

export function parseOrUndefined(answer: Answer): Session | undefined {
  try {
    return parseSession(answer);
  } catch {
    return undefined;
  }
}

export function explainNoSession(answer: Answer, session: Session | undefined): string {
  if (session) return `HTTP ${answer.status}, no token: ${session.blockers.join(', ')}`;
  try {
    parseSession(answer);
    return 'no token';
  } catch (error) {
    return error instanceof Error ? error.message : 'not understood';
  }
}

export function describeSession({ member, blockers }: Session): string {
  const who = member ? `of ${member.memberNo}` : 'of a member it does not name';
  return blockers.length === 0 ? who : `${who}, who cannot call: ${blockers.join(', ')}`;
}

export async function request(
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
  url: string,
): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
