/** What the parts of the operator's page share: tables, and how amounts are written. */
import { html } from 'hono/html';
import type { Words } from './en.ts';

type Column = keyof Words['columns'] | keyof Words['outcomes'];
export type Part = ReturnType<typeof html>;
/** A row, by its columns. */
export type Cells = Readonly<Partial<Record<Column, Part | string | null>>>;

const WIDE: readonly Column[] = ['note', 'next'];
const NOT_NUMBERS: readonly Column[] = ['day', 'time', 'since', 'member', 'state', 'reason', ...WIDE];

/** Narrow windows scroll the table, also by keyboard. */
export function drawTable(words: Words, titleId: string, caption: string, rows: readonly Cells[]): Part {
  const names = { ...words.columns, ...words.outcomes };
  const columns = Object.keys(rows[0] ?? {}) as Column[];
  const drawCell = (column: Column, cell: Cells[Column]) =>
    column === 'member' || column === 'day'
      ? html`<th scope="row">${cell}</th>`
      : html`<td class="${classOf(column)}">${cell}</td>`;
  return html`<div class="table" role="region" aria-labelledby="${titleId}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${names[column]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${columns.map((column) => drawCell(column, cells[column]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function classOf(column: Column): string {
  if (WIDE.includes(column)) return 'wide';
  return NOT_NUMBERS.includes(column) ? '' : 'number';
}

/** `1,000 ₫` in English, `1.000 ₫` in Vietnamese. */
export function formatMoney(words: Words, amount: number): string {
  return `${formatCount(words, amount)}\u00a0₫`;
}

export function formatCount({ locale }: Words, count: number): string {
  return count.toLocaleString(locale, { maximumFractionDigits: 2 });
}
