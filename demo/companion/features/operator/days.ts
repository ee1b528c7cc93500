/** The last two weeks on the operator's page: calls by outcome, top-ups and money left, drawn without a script. */
import { html } from 'hono/html';
import { DAY_MS, dayOf } from '../../money/movement.ts';
import type { Database, Row } from '../../store/database.ts';
import type { Words } from './en.ts';
import { formatCount, formatMoney, type Cells, type Part } from './table.ts';

type Outcome = keyof Words['outcomes'];
const NAMES: readonly Outcome[] = ['answered', 'not-reached', 'no-money', 'failed'];

export type Day = Awaited<ReturnType<typeof readDays>>[number];

const DAYS = 14;

/** Oldest first. */
export async function readDays(database: Database, now: number) {
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
    const balance = balances.find(isOfDay)?.['balance'];
    return {
      /** In Vietnam: `2026-11-21`. */
      day,
      calls: Object.fromEntries(NAMES.map((name) => [name, Number(callsOf(name))])) as Record<
        Outcome,
        number
      >,
      topUps: Number(topUps?.['count'] ?? 0),
      /** VND that was paid to members. */
      paid: Number(topUps?.['amount'] ?? 0),
      /** VND on the partner account, read once a day; undefined: not read on that day. */
      balance: balance === undefined ? undefined : Number(balance),
    };
  });
}

/** Narrow enough that the text can still be read on a telephone. */
const [WIDTH, BAR, STEP] = [410, 20, 30];
const [HEIGHT, LABEL, BAND] = [64, 22, 100];

export function drawChart(words: Words, days: readonly Day[]): Part {
  const calls = sum(days.map((day) => sum(Object.values(day.calls))));
  const answered = sum(days.map((day) => day.calls.answered));
  const balance = days.findLast((day) => day.balance !== undefined)?.balance;
  const paidInAll = formatMoney(words, sum(days.map(({ paid }) => paid)));
  const text = words.summary(
    formatCount(words, calls),
    formatCount(words, answered),
    paidInAll,
    balance === undefined ? undefined : formatMoney(words, balance),
  );
  const byOutcome = days.map((day) => NAMES.map((name) => day.calls[name]));
  const paid = days.map((day) => [day.paid]);
  const money = days.map((day) => [day.balance ?? 0]);
  return html`<figure>
    <figcaption>
      ${NAMES.map((name) => html`<span class="${name}">${words.outcomes[name]}</span>`)}
    </figcaption>
    <svg viewBox="0 0 ${WIDTH} ${3 * BAND + 6}" role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">${words.chart(DAYS)}</title>
      <desc id="chart-text">${text}</desc>
      ${drawBand(words, 0, words.bands.calls, NAMES, byOutcome, formatCount)}
      ${drawBand(words, 1, words.bands.paid, ['paid'], paid)}
      ${drawBand(words, 2, words.bands.balance, ['balance'], money)}
      ${days.map(({ day }, n) => drawDate(words, day, n))}
    </svg>
  </figure>`;
}

/** A bar for each day, its parts upon each other, and what the highest one stands for. */
function drawBand(
  words: Words,
  band: number,
  title: string,
  classes: readonly string[],
  days: readonly (readonly number[])[],
  format = formatMoney,
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
      >${highest > 0 ? format(words, highest) : words.nothing}</text
    >
    <path class="line" d="M0 ${top}H${WIDTH}M0 ${bottom}H${WIDTH}"></path>
    ${days.map(drawBar)}`;
}

/** Of each third day, so that they fit. */
function drawDate(words: Words, day: string, n: number): Part | false {
  const [x, y] = [n * STEP + BAR, 3 * BAND + 2];
  return n % 3 === 1 && html`<text x="${x}" y="${y}" text-anchor="end">${nameOf(words, day)}</text>`;
}

/** The rows of the table, newest first. */
export function describeDays(words: Words, days: readonly Day[]): Cells[] {
  return days.toReversed().map(({ day, calls, topUps, paid, balance }) => ({
    day: nameOf(words, day),
    ...Object.fromEntries(NAMES.map((name) => [name, formatCount(words, calls[name])])),
    topUps: formatCount(words, topUps),
    paid: formatMoney(words, paid),
    balance: balance === undefined ? '–' : formatMoney(words, balance),
  }));
}

function nameOf({ locale }: Words, day: string): string {
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return date.format(Date.parse(day));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
