/** What the partner's own people look at: the money, and the metrics. */
import { Hono, type MiddlewareHandler } from 'hono';
import { isSameSecret, Problem, type FromNode } from '../http.ts';
import { addressOf, type Limits } from '../limits.ts';
import type { Ledger } from '../money/ledger.ts';
import type { MoneyApi, TopUpPolicy } from '../money/top-up.ts';
import { dayOf } from '../store/schema.ts';
import type { Telemetry } from '../telemetry.ts';
import { drawPage, STYLE_HASH, type Books } from './page.ts';

/** How far back a movement that was given up is still shown as something to look at. */
const DAYS_BACK = 7;
const DAY_MS = 24 * 3_600_000;
/** Rows of a table. */
const PAGE_SIZE = 100;

interface Parts {
  readonly config: {
    /** Absent: open in the sandbox, shut with a real vendor. */
    readonly operatorPassword: string | undefined;
    readonly vendor: object | undefined;
    readonly topUp: TopUpPolicy;
    readonly proxyHops: number;
  };
  readonly api: Pick<MoneyApi, 'adminBalance'>;
  readonly ledger: Pick<Ledger, 'open' | 'page' | 'totals' | 'abandoned'>;
  readonly limits: Pick<Limits, 'anonymous'>;
  readonly telemetry: Telemetry;
}

export function createOperatorRoutes({ config, api, ledger, limits, telemetry }: Parts): Hono<FromNode> {
  const app = new Hono<FromNode>();
  const operatorOnly = requireOperator(config, limits, telemetry);

  app.get('/metrics', operatorOnly, async (c) => {
    const { metrics } = telemetry;
    return c.body(await metrics.metrics(), 200, { 'Content-Type': metrics.contentType });
  });

  app.get('/operator', operatorOnly, async (c) => {
    const page = /^\d{1,6}$/.test(c.req.query('page') ?? '') ? Number(c.req.query('page')) : 0;
    const now = Date.now();
    const [balance, books] = await Promise.all([
      api.adminBalance().catch(() => undefined),
      readBooks(ledger, now, page).catch(() => undefined),
    ]);
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    );
    return c.html(drawPage({ now, balance, books, policy: config.topUp }), books ? 200 : 503);
  });

  return app;
}

/** The right password always opens: guesses of others must not lock out whoever has it. They use up their own budget. */
function requireOperator(
  { operatorPassword, vendor, proxyHops }: Parts['config'],
  limits: Parts['limits'],
  telemetry: Telemetry,
): MiddlewareHandler<FromNode> {
  return async (c, next) => {
    if (operatorPassword === undefined) {
      if (vendor) throw new Problem('not-found');
      return next();
    }
    const { incoming } = c.env;
    const { authorization } = incoming.headers;
    const given = Buffer.from(authorization?.replace(/^Basic /i, '') ?? '', 'base64').toString();
    // Any name will do; it is the password that counts.
    if (isSameSecret(given.slice(given.indexOf(':') + 1), operatorPassword)) return next();
    await limits.anonymous(incoming);
    // Browsers ask once without a password before they ask the person for it.
    if (authorization !== undefined) telemetry.failedSignIn('operator', addressOf(incoming, proxyHops));
    c.header('WWW-Authenticate', 'Basic realm="operator"');
    throw new Problem('operator-unauthorized');
  };
}

async function readBooks(ledger: Parts['ledger'], now: number, page: number): Promise<Books> {
  const day = dayOf(now);
  const [open, today, totals, givenUp] = await Promise.all([
    ledger.open(),
    ledger.page(day, PAGE_SIZE, page),
    ledger.totals(day),
    ledger.abandoned(dayOf(now - (DAYS_BACK - 1) * DAY_MS), PAGE_SIZE),
  ]);
  const rows = totals.reduce((sum, { count }) => sum + count, 0);
  return { today, page, pages: Math.ceil(rows / PAGE_SIZE), totals, open: open.slice(0, PAGE_SIZE), givenUp };
}
