/** What the partner's own people look at: the money, and the metrics. */
import { Hono } from 'hono';
import { isSame } from '../http/middleware.ts';
import { problem } from '../http/problem.ts';
import type { Ledger } from '../money/ledger.ts';
import { dayOf } from '../money/movement.ts';
import type { OpenApi } from '../open-api/open-api.ts';
import { drawPage, STYLE_HASH } from './operator-page.ts';
import type { Books } from './operator-tables.ts';
import type { Rules } from './operator-words.ts';
import type { Watch } from './telemetry.ts';

/** How far back a movement that was given up is still shown as something to look at. */
const DAYS_BACK = 7;
const DAY_MS = 24 * 3_600_000;

export interface Doorway {
  /** Absent: nobody may come in, unless it is open. */
  readonly password: string | undefined;
  readonly open: boolean;
}

export function createOperatorRoutes(
  doorway: Doorway,
  rules: Rules,
  vendor: Pick<OpenApi, 'adminBalance'>,
  ledger: Pick<Ledger, 'open' | 'history'>,
  watch: Watch,
): Hono {
  const app = new Hono();

  const guard = (authorization: string | undefined): Response | undefined => {
    const { password, open } = doorway;
    if (password === undefined) return open ? undefined : problem('not-found');
    const given = Buffer.from(authorization?.replace(/^Basic /i, '') ?? '', 'base64').toString();
    // Any name will do; it is the password that counts.
    if (isSame(given.slice(given.indexOf(':') + 1), password)) return undefined;
    const answer = problem('operator-unauthorized');
    answer.headers.set('WWW-Authenticate', 'Basic realm="operator"');
    return answer;
  };

  app.get('/metrics', async (c) => {
    const refused = guard(c.req.header('Authorization'));
    if (refused) return refused;
    return c.body(await watch.metrics.metrics(), 200, { 'Content-Type': watch.metrics.contentType });
  });

  app.get('/operator', async (c) => {
    const refused = guard(c.req.header('Authorization'));
    if (refused) return refused;
    const now = Date.now();
    const [balance, books] = await Promise.all([
      vendor.adminBalance().catch(() => undefined),
      readBooks(ledger, now).catch(() => undefined),
    ]);
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    );
    return c.html(drawPage({ now, balance, books, rules }), books ? 200 : 503);
  });

  return app;
}

async function readBooks(ledger: Pick<Ledger, 'open' | 'history'>, now: number): Promise<Books> {
  const days = Array.from({ length: DAYS_BACK }, (_, n) => dayOf(now - n * DAY_MS));
  const [open, ...histories] = await Promise.all([ledger.open(), ...days.map((day) => ledger.history(day))]);
  return {
    today: histories[0] ?? [],
    open,
    givenUp: histories.flat().filter(({ state }) => state === 'abandoned'),
  };
}
