/** The links of a broker move money and hotlines, so they are guarded like the session itself. */
import * as z from 'zod/mini';
import { type Session } from '../../src/broker/answer.ts';
import { parseReadiness } from '../../src/broker/parse-answer.ts';
import { FORM, holdsToken, STRANGER, type Answer, type Ask, type Check } from './broker-answers.ts';

interface Link {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  ask(headers?: Record<string, string>, body?: string): Promise<Answer>;
}

const customersSchema = z.object({
  customers: z.array(z.object({ code: z.string(), name: z.string(), number: z.string() })),
});
const NO_LINKS = { skipped: 'there are no links' };

export const LINK_CHECKS: readonly Check[] = [
  {
    name: 'Every link answers as the dialer expects, without a token',
    run: async ({ url, signedIn }, ask, session) => {
      const links = linksOf(url, ask, session);
      for (const link of links) {
        const trouble = misunderstood(await link.ask(signedIn));
        if (trouble) return `${link.name}: ${trouble}`;
      }
      return links.length === 0 ? NO_LINKS : undefined;
    },
  },
  {
    name: 'Who is not signed in can use no link',
    run: async ({ url }, ask, session) => {
      const links = linksOf(url, ask, session);
      for (const link of links) {
        const { status } = await link.ask();
        if (status < 400) return `${link.name} answers with ${status}`;
      }
      return links.length === 0 ? NO_LINKS : undefined;
    },
  },
  {
    name: 'A page of a strange origin can use no link',
    run: async ({ url, signedIn }, ask, session) => {
      const links = linksOf(url, ask, session);
      for (const link of links) {
        const { status, headers } = await link.ask({
          ...signedIn,
          Origin: STRANGER,
          'Sec-Fetch-Site': 'cross-site',
        });
        if (headers.has('access-control-allow-origin')) return `it may read the answer of ${link.name}`;
        if (link.method === 'POST' && status < 400) return `${link.name} answers with ${status}`;
      }
      return links.length === 0 ? NO_LINKS : undefined;
    },
  },
  {
    name: 'The link of customers, if there is one, tells signed-in agents whose number it is, and nobody else',
    run: async ({ url, signedIn }, ask, { links }) => {
      if (links?.customers === undefined) return { skipped: 'there is no such link' };
      const at = (phone: string) => `${new URL(links.customers ?? '', url).href}?phone=${phone}`;
      const { status, body } = await ask('GET', signedIn, undefined, at('0900000200'));
      if (status !== 200 || !customersSchema.safeParse(parseJson(body)).success) {
        return `it answers with ${status} and something else than {"customers": [{code, name, number}]}`;
      }
      const nonsense = await ask('GET', signedIn, undefined, at('x'));
      if (nonsense.status < 400) return `it answers with ${nonsense.status} to what is no number`;
      const stranger = await ask('GET', undefined, undefined, at('0900000200'));
      return stranger.status < 400 ? `who is not signed in is answered with ${stranger.status}` : undefined;
    },
  },
  {
    name: 'A form on another site moves nothing',
    run: async ({ url, signedIn }, ask, session) => {
      const links = linksOf(url, ask, session).filter(({ method }) => method === 'POST');
      for (const { name, ask: send } of [sessionItself(ask), ...links]) {
        const { status } = await send({ ...signedIn, ...FORM, Origin: STRANGER }, 'a=1');
        if (status < 400) return `${name} answers with ${status}`;
      }
      return undefined;
    },
  },
];

function linksOf(url: string, ask: Ask, { links = {} }: Session): Link[] {
  const known = [
    ['status', 'GET', links.status],
    ['topUp', 'POST', links.topUp],
    ['hotline', 'POST', links.hotline],
  ] as const;
  return known.flatMap(([name, method, link]) => {
    if (link === undefined) return [];
    const address = new URL(link, url).href;
    return [{ name, method, ask: (headers, body) => ask(method, headers, body, address) }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sessionItself(ask: Ask): Link {
  return { name: 'the session', method: 'POST', ask: (headers, body) => ask('POST', headers, body) };
}

function misunderstood(answer: Answer): string | undefined {
  if (holdsToken(answer)) return 'it holds a token';
  try {
    parseReadiness(answer);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not understood';
  }
}
