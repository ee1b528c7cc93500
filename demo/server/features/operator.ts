/** For operators: the day's money on a page without scripts, in Vietnam's time, and the metrics. */
import { createHash } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import type { Config } from '../config.ts';
import { isSameSecret } from '../guards/http.ts';
import { Problem, type FromNode } from '../problem.ts';
import { addressOf, type Limits } from '../guards/limits.ts';
import type { Ledger } from '../money/ledger.ts';
import {
  dayOf,
  type Movement,
  type MovementState,
  type OpenMovement,
  type TopUpReason,
} from '../money/movement.ts';
import { TIMING } from '../money/reserve.ts';
import type { MoneyApi, TopUpPolicy } from '../money/result.ts';
import { CHART_STYLE, describeDays, drawChart, readDays, type Day } from './operator-chart.ts';
import type { Database } from '../store/database.ts';
import type { Telemetry } from '../telemetry.ts';

/** For how many days an abandoned movement is shown. */
const DAYS_BACK = 7;
const DAY_MS = 24 * 3_600_000;
/** Rows of a table. */
const PAGE_SIZE = 100;

interface Parts {
  readonly config: Pick<Config, 'operatorPassword' | 'vendor' | 'topUp' | 'proxyHops'>;
  readonly api: Pick<MoneyApi, 'adminBalance'>;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly telemetry: Telemetry;
}

export function createOperatorRoutes({
  config,
  api,
  database,
  ledger,
  limits,
  telemetry,
}: Parts): Hono<FromNode> {
  const app = new Hono<FromNode>();
  const operatorOnly = requireOperator(config, limits, telemetry);

  app.get('/metrics', operatorOnly, async (c) => {
    const { metrics } = telemetry;
    return c.body(await metrics.metrics(), 200, { 'Content-Type': metrics.contentType });
  });

  app.get('/operator', operatorOnly, async (c) => {
    const page = /^\d{1,6}$/.test(c.req.query('page') ?? '') ? Number(c.req.query('page')) : 0;
    const now = Date.now();
    const [balance, books, days] = await Promise.all([
      api.adminBalance().catch(() => undefined),
      readBooks(database, ledger, now, page).catch(() => undefined),
      readDays(database, now).catch(() => []),
    ]);
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    );
    return c.html(drawPage(now, balance, books, days, config.topUp), books ? 200 : 503);
  });

  return app;
}

/** The right password always works: wrong guesses use up a budget of their own, and lock nobody out. */
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
    // Only the password counts, not the name.
    if (isSameSecret(given.slice(given.indexOf(':') + 1), operatorPassword)) return next();
    // A browser's first request has no password: that is no guess.
    if (authorization === undefined) await limits.anonymous(incoming);
    else {
      await limits.guess(incoming);
      telemetry.failedSignIn('operator', addressOf(incoming, proxyHops));
    }
    c.header('WWW-Authenticate', 'Basic realm="operator"');
    throw new Problem('operator-unauthorized');
  };
}

interface Books {
  /** One page of today's, newest first. */
  readonly today: readonly Movement[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  /** Of today's movements, by state; amounts in VND. */
  readonly totals: readonly { readonly state: string; readonly count: number; readonly amount: number }[];
  readonly open: readonly OpenMovement[];
  /** Of the last days: nobody could prove whether the money arrived. */
  readonly givenUp: readonly Movement[];
}

async function readBooks(database: Database, ledger: Ledger, now: number, page: number): Promise<Books> {
  const day = dayOf(now);
  const since = dayOf(now - (DAYS_BACK - 1) * DAY_MS);
  const sums =
    'select state, count(*) as count, sum(amount) as amount from top_up where day = ? group by state';
  const [open, today, givenUp, rows] = await Promise.all([
    ledger.open(),
    ledger.history(
      'where day = ? order by claimed_at desc, id limit ? offset ?',
      day,
      PAGE_SIZE,
      PAGE_SIZE * page,
    ),
    ledger.history(
      `where state = 'abandoned' and day >= ? order by claimed_at desc limit ?`,
      since,
      PAGE_SIZE,
    ),
    database.read(sums, [day]),
  ]);
  const totals = rows.map(({ state, count, amount }) => ({
    state: String(state),
    count: Number(count),
    amount: Number(amount),
  }));
  const pages = Math.ceil(totals.reduce((sum, { count }) => sum + count, 0) / PAGE_SIZE);
  return { today, page, pages, totals, open: open.slice(0, PAGE_SIZE), givenUp };
}

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; --muted: light-dark(#5b606c, #a8b0be); --line: light-dark(#e2e2de, #2b303a); }
* { box-sizing: border-box; margin: 0; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, small, caption, thead, .none { color: var(--muted); }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; margin-top: 1.25rem; }
.sums div, .table { border: 1px solid var(--line); border-radius: 12px; }
.sums div { padding: .875rem 1rem; }
.sums h2 { font-size: 1rem; margin: 0; }
.sum { font-size: 1.6rem; font-weight: 600; color: CanvasText; }
meter { width: 100%; display: block; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption, th, td { text-align: start; vertical-align: top; padding: .5rem 1rem; white-space: nowrap; }
th, td { border-top: 1px solid var(--line); }
.number { text-align: end; }
.wide { white-space: normal; min-width: 24rem; }
.wide::first-letter { text-transform: uppercase; }
.state::before { content: "● "; }
.good { color: light-dark(#166534, #86efac); }
.wait { color: light-dark(#854d0e, #fcd34d); }
.bad { color: light-dark(#b91c1c, #fca5a5); }
${CHART_STYLE}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ZONE = 'Asia/Ho_Chi_Minh';
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: ZONE });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: ZONE });
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: ZONE,
});
const VND = new Intl.NumberFormat('vi-VN', { style: 'currency', currency: 'VND', maximumFractionDigits: 2 });

const STATES: Readonly<Record<MovementState, readonly [word: string, tone: string]>> = {
  claimed: ['Reserved', 'wait'],
  sent: ['Sent', 'wait'],
  settled: ['Paid', 'good'],
  failed: ['Refused', 'bad'],
  void: ['Not sent', 'none'],
  unknown: ['In doubt', 'wait'],
  abandoned: ['Given up', 'bad'],
};
const REASONS: Readonly<Record<TopUpReason, string>> = {
  session: 'Sign-in',
  agent: 'The agent',
  operator: 'Command line',
};
const WIDE = ['Note', 'What happens next'];
const NOT_NUMBERS = ['Day', 'Time', 'Since', 'Member', 'State', 'Asked for by', ...WIDE];
const MODES: Readonly<Record<TopUpPolicy['mode'], string>> = {
  auto: 'At every sign-in that needs one, and when an agent asks.',
  request: 'Only when an agent asks.',
  off: 'Switched off.',
};

type Part = ReturnType<typeof html>;
/** A row of a table, by the names of its columns. */
type Cells = Readonly<Record<string, Part | string | null>>;

/** @param balance undefined: the vendor does not answer @param books undefined: the ledger cannot be read */
function drawPage(
  now: number,
  balance: number | undefined,
  books: Books | undefined,
  days: readonly Day[],
  policy: TopUpPolicy,
): Part {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>Dialer operator</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>Dialer operator</h1>
          <p>${DAY.format(now)}, ${TIME.format(now)} in Vietnam · <a href="">Refresh</a></p>
        </header>
        <main>
          ${drawSums(balance, books, policy)}
          ${books ? drawBooks(books) : html`<p class="bad">The ledger cannot be read. Nobody is topped up until it can.</p>`}
          ${days.length > 0 && drawDays(days)}
        </main>
      </body>
    </html>`;
}

function drawSums(balance: number | undefined, books: Books | undefined, policy: TopUpPolicy): Part {
  const isShort = balance !== undefined && balance < policy.amount;
  return html`<section class="sums" aria-label="Money">
    <div>
      <h2>Partner account</h2>
      <p class="sum">${balance === undefined ? 'Not known' : VND.format(balance)}</p>
      ${balance === undefined && html`<p>The vendor does not answer.</p>`}
      ${isShort && html`<p class="bad">Less than one top-up: nobody is topped up until it is filled.</p>`}
    </div>
    ${books && drawUse(books, policy)}
    <div>
      <h2>One top-up</h2>
      <p class="sum">${VND.format(policy.amount)}</p>
      <p>${MODES[policy.mode]} At most ${VND.format(policy.dailyLimitPerMember)} a day for one member.</p>
    </div>
  </section>`;
}

function drawUse({ totals }: Books, { dailyLimit }: TopUpPolicy): Part {
  const paid = totals.find(({ state }) => state === 'settled') ?? { count: 0, amount: 0 };
  // Like the ledger: money that may have moved counts.
  const used = totals
    .filter(({ state }) => state !== 'failed' && state !== 'void')
    .reduce((sum, { amount }) => sum + amount, 0);
  return html`<div>
      <h2>Topped up today</h2>
      <p class="sum">${VND.format(paid.amount)}</p>
      <p>${paid.count === 1 ? '1 top-up' : `${paid.count} top-ups`}</p>
    </div>
    <div>
      <h2 id="limit">Used of today's limit</h2>
      <p class="sum">${VND.format(used)}</p>
      <p>
        <meter
          aria-labelledby="limit"
          max="${dailyLimit}"
          high="${dailyLimit * 0.8}"
          optimum="0"
          value="${used}"
        ></meter>
        of ${VND.format(dailyLimit)}, with what is in doubt
      </p>
    </div>`;
}

function drawBooks({ open, givenUp, today, page, pages }: Books): Part {
  const askVendor = 'A person has to ask the vendor whether it arrived. It stays counted for its day.';
  const doubts = [
    ...open.map((movement) => describeDoubt(movement, nextOf(movement))),
    ...givenUp.map((movement) => describeDoubt(movement, askVendor)),
  ];
  const rows = today.map((movement) => ({
    Time: TIME.format(movement.claimedAt),
    ...describe(movement),
    Before: movement.before === null ? '–' : VND.format(movement.before),
    After: movement.after === null ? '–' : VND.format(movement.after),
    Note: movement.note,
  }));
  const newer = page > 0 && html`<a href="?page=${page - 1}" rel="prev">Newer</a>`;
  const older = page < pages - 1 && html`<a href="?page=${page + 1}" rel="next">Older</a>`;
  return html`<h2 id="doubt">In doubt</h2>
    ${
      doubts.length === 0
        ? html`<p>Nothing. Every top-up has come to an end.</p>`
        : drawTable('doubt', 'Money that may or may not have moved', doubts)
    }
    <h2 id="today">Today</h2>
    ${rows.length === 0 ? html`<p>No top-ups yet.</p>` : drawTable('today', 'Top-ups of today, newest first', rows)}
    ${pages > 1 && html`<nav aria-label="Pages">${newer} Page ${page + 1} of ${pages} ${older}</nav>`}`;
}

function drawDays(days: readonly Day[]): Part {
  return html`<h2 id="days">The last ${days.length} days</h2>
    <p>Calls are counted from the vendor's webhooks; money left is read once a day.</p>
    ${drawChart(days, VND)}
    ${drawTable('days', 'Calls by outcome, top-ups and the partner account, newest first', describeDays(days, VND))}`;
}

function describeDoubt(movement: Movement, next: string): Cells {
  const { claimedAt, note } = movement;
  return {
    Since: MOMENT.format(claimedAt),
    ...describe(movement),
    'What happens next': html`${next}${note && html`<br /><small>${note}</small>`}`,
  };
}

function describe({ memberNo, amount, reason, state }: Movement): Cells {
  const [word, tone] = STATES[state];
  return {
    Member: memberNo,
    Amount: VND.format(amount),
    State: html`<span class="state ${tone}">${word}</span>`,
    'Asked for by': REASONS[reason],
  };
}

function classOf(column: string): string {
  if (WIDE.includes(column)) return 'wide';
  return NOT_NUMBERS.includes(column) ? '' : 'number';
}

/** Narrow windows scroll the table, also by keyboard. */
function drawTable(titleId: string, caption: string, rows: readonly Cells[]): Part {
  const columns = Object.keys(rows[0] ?? {});
  const drawCell = (name: string, cell: Cells[string] | undefined) =>
    name === 'Member' || name === 'Day'
      ? html`<th scope="row">${cell}</th>`
      : html`<td class="${classOf(name)}">${cell}</td>`;
  return html`<div class="table" role="region" aria-labelledby="${titleId}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col" class="${classOf(name)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${columns.map((name) => drawCell(name, cells[name]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** What the companion will do with it by itself. */
function nextOf({ state, overdue, changedAt }: OpenMovement): string {
  if (state === 'unknown') {
    const end = MOMENT.format(changedAt + TIMING.quarantineMs);
    return `Counts as paid once the member's balance is seen to rise; given up at ${end}.`;
  }
  if (overdue <= 0) return state === 'claimed' ? 'Is being sent.' : "Waits for the vendor's answer.";
  return state === 'claimed'
    ? 'Its companion ended before it was sent; will be released within a minute.'
    : "Its companion ended without an answer; will be held against the member's balance within a minute.";
}
