/** What the partner's own people look at: the money, and the metrics. */
import { Hono, type Context } from 'hono';
import { addressOf } from '../http/address.ts';
import type { FromNode } from '../http/context.ts';
import type { Limits } from '../http/limits.ts';
import { isSame } from '../http/middleware.ts';
import { problem } from '../http/problem.ts';
import type { LedgerReader } from '../money/ledger-reader.ts';
import { dayOf } from '../money/movement.ts';
import type { MoneyApi } from '../money/payment.ts';
import type { TopUpPolicy } from '../money/rules.ts';
import { drawPage, STYLE_HASH } from './operator-page.ts';
import type { Books } from './operator-tables.ts';
import type { Telemetry } from './telemetry.ts';

/** How far back a movement that was given up is still shown as something to look at. */
const DAYS_BACK = 7;
const DAY_MS = 24 * 3_600_000;
/** Rows of a table. */
const PAGE_SIZE = 100;

export interface OperatorPolicy {
  /** Absent: open in the sandbox, shut with a real vendor. */
  readonly operatorPassword: string | undefined;
  readonly vendor: object | undefined;
  readonly topUp: TopUpPolicy;
  readonly proxyHops: number;
}

export interface OperatorParts {
  readonly dependencies: { readonly vendor: Pick<MoneyApi, 'adminBalance'> };
  readonly money: { readonly ledger: Pick<LedgerReader, 'open' | 'page' | 'totals' | 'abandoned'> };
  readonly limits: Pick<Limits, 'guess'>;
  readonly telemetry: Telemetry;
}

export function createOperatorRoutes(policy: OperatorPolicy, parts: OperatorParts): Hono<FromNode> {
  const { limits, telemetry } = parts;
  const { vendor } = parts.dependencies;
  const { ledger } = parts.money;
  const app = new Hono<FromNode>();

  const refuse = async ({ env: { incoming } }: Context<FromNode>): Promise<Response | undefined> => {
    const { operatorPassword: password } = policy;
    if (password === undefined) return policy.vendor ? problem('not-found') : undefined;
    const { authorization } = incoming.headers;
    const given = Buffer.from(authorization?.replace(/^Basic /i, '') ?? '', 'base64').toString();
    // Any name will do; it is the password that counts.
    const isRight = isSame(given.slice(given.indexOf(':') + 1), password);
    // Browsers ask once without a password before they ask the person for it.
    const blocked = await limits.guess(incoming, isRight || authorization === undefined);
    if (isRight && !blocked) return undefined;
    if (!isRight && authorization !== undefined) {
      telemetry.failedSignIn('operator', addressOf(incoming, policy.proxyHops));
    }
    if (blocked) return blocked;
    const response = problem('operator-unauthorized');
    response.headers.set('WWW-Authenticate', 'Basic realm="operator"');
    return response;
  };

  app.get('/metrics', async (c) => {
    const refused = await refuse(c);
    if (refused) return refused;
    const { metrics } = telemetry;
    return c.body(await metrics.metrics(), 200, { 'Content-Type': metrics.contentType });
  });

  app.get('/operator', async (c) => {
    const refused = await refuse(c);
    if (refused) return refused;
    const page = /^\d{1,6}$/.test(c.req.query('page') ?? '') ? Number(c.req.query('page')) : 0;
    const now = Date.now();
    const [balance, books] = await Promise.all([
      vendor.adminBalance().catch(() => undefined),
      readBooks(ledger, now, page).catch(() => undefined),
    ]);
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    );
    return c.html(drawPage({ now, balance, books, policy: policy.topUp }), books ? 200 : 503);
  });

  return app;
}

async function readBooks(
  ledger: OperatorParts['money']['ledger'],
  now: number,
  page: number,
): Promise<Books> {
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
