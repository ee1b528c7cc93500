/** The last two weeks on the operator's page: calls by outcome, top-ups and money left, drawn without a script. */
import { html } from 'hono/html';
import { dayOf } from '../money/movement.ts';
import type { Database, Row } from '../store/database.ts';

type Part = ReturnType<typeof html>;

/** By their names in the store. The vendor's webhooks bring them. */
const OUTCOMES = {
  answered: 'Answered',
  'not-reached': 'Not reached',
  'no-money': 'No money',
  failed: 'Failed',
} as const;
type Outcome = keyof typeof OUTCOMES;
const NAMES = Object.keys(OUTCOMES) as readonly Outcome[];

export interface Day {
  /** In Vietnam: `2026-11-21`. */
  readonly day: string;
  readonly calls: Readonly<Record<Outcome, number>>;
  readonly topUps: number;
  /** VND that was paid to members. */
  readonly paid: number;
  /** VND on the partner account, read once a day; undefined: not read on that day. */
  readonly left: number | undefined;
}

const DAYS = 14;
const DAY_MS = 24 * 3_600_000;

/** Oldest first. */
export async function readDays(database: Database, now: number): Promise<Day[]> {
  const days = Array.from({ length: DAYS }, (_, n) => dayOf(now - (DAYS - 1 - n) * DAY_MS));
  const first = days[0] ?? '';
  const [counts, paid, balances] = await Promise.all([
    database.read('select day, outcome, calls from call_count where day >= ?', [Date.parse(first) / DAY_MS]),
    database.read(
      `select day, count(*) as count, sum(amount) as amount from top_up
       where state = 'settled' and day >= ? group by day`,
      [first],
    ),
    database.read('select day, balance from admin_balance where day >= ?', [first]),
  ]);
  return days.map((day) => {
    const isOfDay = (row: Row) => row['day'] === day;
    const ended = counts.filter((row) => Number(row['day']) === Date.parse(day) / DAY_MS);
    const callsOf = (name: Outcome) => ended.find(({ outcome }) => outcome === name)?.['calls'] ?? 0;
    const topUps = paid.find(isOfDay);
    const left = balances.find(isOfDay)?.['balance'];
    return {
      day,
      calls: Object.fromEntries(NAMES.map((name) => [name, Number(callsOf(name))])) as Day['calls'],
      topUps: Number(topUps?.['count'] ?? 0),
      paid: Number(topUps?.['amount'] ?? 0),
      left: left === undefined ? undefined : Number(left),
    };
  });
}

export const CHART_STYLE = `
figure svg { width: 100%; max-width: 32rem; display: block; margin-bottom: .75rem; font-size: 13px; }
figure text, figure path { fill: currentColor; }
figcaption { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .25rem 0 .5rem; }
figcaption span::before { content: "■ "; }
figure .line { stroke: var(--line); }
.answered { color: light-dark(#1d4ed8, #93c5fd); }
.not-reached { color: light-dark(#b45309, #fbbf24); }
.no-money { color: light-dark(#be123c, #fb7185); }
.failed { color: light-dark(#57534e, #a8a29e); }
.paid { color: light-dark(#15803d, #86efac); }
.left { color: light-dark(#6d28d9, #c4b5fd); }
`;

/** Narrow enough that the text can still be read on a telephone. */
const [WIDTH, BAR, STEP] = [410, 20, 30];
const [HEIGHT, LABEL, BAND] = [64, 22, 100];
const NUMBER = new Intl.NumberFormat('vi-VN');
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function drawChart(days: readonly Day[], vnd: Intl.NumberFormat): Part {
  const calls = sum(days.map((day) => sum(Object.values(day.calls))));
  const answered = sum(days.map((day) => day.calls.answered));
  const left = days.findLast((day) => day.left !== undefined)?.left;
  const summary = [
    `${NUMBER.format(calls)} calls, of which ${NUMBER.format(answered)} were answered`,
    `${vnd.format(sum(days.map(({ paid }) => paid)))} topped up`,
    left === undefined ? 'money left not known' : `${vnd.format(left)} left`,
  ].join('; ');
  const byOutcome = days.map((day) => NAMES.map((name) => day.calls[name]));
  const paid = days.map((day) => [day.paid]);
  const money = days.map((day) => [day.left ?? 0]);
  return html`<figure>
    <figcaption>${NAMES.map((name) => html`<span class="${name}">${OUTCOMES[name]}</span>`)}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${3 * BAND + 6}" role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">Calls, top-ups and money left in the last ${DAYS} days</title>
      <desc id="chart-text">${summary}. The table below has all numbers.</desc>
      ${drawBand(0, 'Calls', NAMES, byOutcome, NUMBER)} ${drawBand(1, 'Topped up', ['paid'], paid, vnd)}
      ${drawBand(2, 'Money left', ['left'], money, vnd)} ${days.map(({ day }, n) => drawDate(day, n))}
    </svg>
  </figure>`;
}

/** A bar for each day, its parts upon each other, and what the highest one stands for. */
function drawBand(
  band: number,
  title: string,
  classes: readonly string[],
  days: readonly (readonly number[])[],
  format: Intl.NumberFormat,
): Part {
  const highest = Math.max(...days.map(sum));
  const top = band * BAND + LABEL;
  const bottom = top + HEIGHT;
  const heightOf = (value: number) => (Math.max(0, value) / highest) * HEIGHT;
  const drawBar = (parts: readonly number[], n: number) =>
    parts.map((value, part) => {
      const y = bottom - heightOf(sum(parts.slice(0, part)));
      const path = `M${n * STEP} ${y.toFixed(1)}h${BAR}v-${heightOf(value).toFixed(1)}h-${BAR}z`;
      return value > 0 && html`<path class="${classes[part]}" d="${path}"></path>`;
    });
  return html`<text y="${top - 6}">${title}</text>
    <text x="${WIDTH}" y="${top - 6}" text-anchor="end"
      >${highest > 0 ? format.format(highest) : 'none'}</text
    >
    <path class="line" d="M0 ${top}H${WIDTH}M0 ${bottom}H${WIDTH}"></path>
    ${days.map(drawBar)}`;
}

/** Of each third day, so that they fit. */
function drawDate(day: string, n: number): Part | false {
  const [x, y] = [n * STEP + BAR, 3 * BAND + 2];
  return n % 3 === 1 && html`<text x="${x}" y="${y}" text-anchor="end">${nameOf(day)}</text>`;
}

/** The rows of the table, newest first. */
export function describeDays(
  days: readonly Day[],
  vnd: Intl.NumberFormat,
): Readonly<Record<string, string>>[] {
  return days.toReversed().map(({ day, calls, topUps, paid, left }) => ({
    Day: nameOf(day),
    ...Object.fromEntries(NAMES.map((name) => [OUTCOMES[name], NUMBER.format(calls[name])])),
    'Top-ups': NUMBER.format(topUps),
    'Topped up': vnd.format(paid),
    'Money left': left === undefined ? '–' : vnd.format(left),
  }));
}

function nameOf(day: string): string {
  return DATE.format(Date.parse(day));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
