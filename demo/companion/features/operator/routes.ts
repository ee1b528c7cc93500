/** For operators: what is wrong now, the day's money and the last two weeks, on a page without scripts; and the metrics. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Config } from '../../config.ts';
import { isSameSecret } from '../../guards/http.ts';
import { readOutlook } from '../../health.ts';
import { clientAddress, type Limits } from '../../guards/limits.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { TopUp } from '../../money/top-up.ts';
import { Problem, type FromNode } from '../../problem.ts';
import type { Database } from '../../store/database.ts';
import type { Telemetry } from '../../telemetry.ts';
import { memberNoSchema } from '../../vbot/api.ts';
import { readBooks } from './books.ts';
import { readDays } from './days.ts';
import { en, type Words } from './en.ts';
import { drawPage } from './page.ts';
import { CONTENT_SECURITY_POLICY } from './style.ts';
import { vi } from './vi.ts';

interface Parts {
  readonly config: Pick<Config, 'operatorPassword' | 'vendor' | 'topUp' | 'proxyHops'>;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly telemetry: Telemetry;
  readonly topUp: Pick<TopUp, 'outlook' | 'account'>;
}

export function createMetricsRoute(parts: Parts): Hono<FromNode> {
  const { telemetry, topUp } = parts;
  return new Hono<FromNode>().get('/metrics', requireOperator(parts), async (c) => {
    telemetry.outlook(await readOutlook(topUp));
    const { metrics } = telemetry;
    return c.body(await metrics.metrics(), 200, { 'Content-Type': metrics.contentType });
  });
}

export function createOperatorRoutes(parts: Parts): Hono<FromNode> {
  const { config, database, ledger, topUp } = parts;
  const app = new Hono<FromNode>();

  app.get('/operator', requireOperator(parts), async (c) => {
    const { page = '', member, lang } = c.req.query();
    const asked = member?.trim();
    const found = memberNoSchema.safeParse(asked).data;
    // Before the books: they say whether the account is short of money.
    const balance = await topUp.account.read().then(
      (vnd) => vnd ?? 'refused',
      () => 'silent' as const,
    );
    const outlook = await topUp.outlook();
    const now = outlook.standing?.now ?? Date.now();
    const [books, days] = await Promise.all([
      readBooks(ledger, outlook, /^\d{1,6}$/.test(page) ? Number(page) : 0, found).catch(() => undefined),
      readDays(database, now).catch(() => []),
    ]);
    const isNoMember = asked !== undefined && asked !== '' && found === undefined;
    const words = chooseWords(lang, c.req.header('Accept-Language'));
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    c.header('Vary', 'Accept-Language');
    return c.html(
      drawPage(words, { now, balance, books, days, policy: config.topUp, isNoMember }),
      books ? 200 : 503,
    );
  });

  return app;
}

/** The right password always works: wrong guesses use up a budget of their own, and lock nobody out. */
function requireOperator({ config, limits, telemetry }: Parts): MiddlewareHandler<FromNode> {
  const { operatorPassword, vendor, proxyHops } = config;
  return async (c, next) => {
    if (operatorPassword === undefined) {
      if (vendor) throw new Problem('not-found');
      return next();
    }
    const { incoming } = c.env;
    const { authorization } = incoming.headers;
    const given = Buffer.from(authorization?.replace(/^Basic /i, '') ?? '', 'base64').toString();
    // Only the password counts, not the name.
    if (isSameSecret(given.slice(given.indexOf(':') + 1), operatorPassword)) return next();
    // A browser's first request has no password: that is no guess.
    if (authorization === undefined) await limits.anonymous(incoming);
    else {
      await limits.guess(incoming);
      telemetry.failedSignIn('operator', clientAddress(incoming, proxyHops));
    }
    c.header('WWW-Authenticate', 'Basic realm="operator"');
    throw new Problem('operator-unauthorized');
  };
}

/** What the link or the browser asks for; else English. */
function chooseWords(asked: string | undefined, acceptLanguage = ''): Words {
  const wanted = [asked ?? '', ...acceptLanguage.split(',')].map((tag) =>
    tag.trim().slice(0, 2).toLowerCase(),
  );
  return wanted.find((tag) => tag === 'vi' || tag === 'en') === 'vi' ? vi : en;
}
