/** The movements on the operator's page: those in doubt, and those of today. */
import { html } from 'hono/html';
import type { Movement, OpenMovement, Total } from '../money/movement.ts';
import { GIVEN_UP_NEXT, MOMENT, nextOf, REASONS, STATES, TIME, VND } from './operator-texts.ts';

export interface Books {
  /** One page of today's, newest first. */
  readonly today: readonly Movement[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly totals: readonly Total[];
  readonly open: readonly OpenMovement[];
  /** Of the last days: nobody could prove whether the money arrived. */
  readonly givenUp: readonly Movement[];
}

export type Part = ReturnType<typeof html>;

const NUMBERS = new Set(['Amount', 'Before', 'After']);

export function drawBooks({ open, givenUp, today, page, pages }: Books): Part {
  const doubtful = [
    ...open.map((movement) => ({ movement, next: nextOf(movement) })),
    ...givenUp.map((movement) => ({ movement, next: GIVEN_UP_NEXT })),
  ];
  return html`<section>
      <h2 id="doubt">In doubt</h2>
      ${
        doubtful.length === 0
          ? html`<p>Nothing. Every top-up has come to an end.</p>`
          : drawTable(
              'doubt',
              'Money that may or may not have moved',
              ['Since', 'Member', 'Amount', 'State', 'Asked for by', 'What happens next'],
              doubtful.map(
                ({ movement, next }) =>
                  html`<tr>
                    <td>${MOMENT.format(movement.claimedAt)}</td>
                    ${drawWho(movement)}
                    <td class="wide">
                      ${next}${movement.note && html`<br /><small>${movement.note}</small>`}
                    </td>
                  </tr>`,
              ),
            )
      }
    </section>
    <section>
      <h2 id="today">Today</h2>
      ${
        today.length === 0
          ? html`<p>No top-ups yet.</p>`
          : drawTable(
              'today',
              'Top-ups of today, newest first',
              ['Time', 'Member', 'Amount', 'State', 'Asked for by', 'Before', 'After', 'Note'],
              today.map(
                (movement) =>
                  html`<tr>
                    <td>${TIME.format(movement.claimedAt)}</td>
                    ${drawWho(movement)}
                    ${[movement.before, movement.after].map(
                      (vnd) => html`<td class="vnd">${vnd === null ? '–' : VND.format(vnd)}</td>`,
                    )}
                    <td class="wide">${movement.note}</td>
                  </tr>`,
              ),
            )
      }
      ${pages > 1 && drawPages(page, pages)}
    </section>`;
}

function drawPages(page: number, pages: number): Part {
  return html`<nav aria-label="Pages">
    ${page > 0 && html`<a href="?page=${page - 1}" rel="prev">Newer</a>`} Page ${page + 1} of ${pages}
    ${page < pages - 1 && html`<a href="?page=${page + 1}" rel="next">Older</a>`}
  </nav>`;
}

/** Narrow windows scroll it, by keyboard too. */
function drawTable(id: string, caption: string, columns: readonly string[], rows: readonly Part[]): Part {
  return html`<div class="table" role="region" aria-labelledby="${id}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col" class="${NUMBERS.has(name) && 'vnd'}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function drawWho({ memberNo, amount, reason, state }: Movement): Part {
  const { word, tone } = STATES[state];
  return html`<th scope="row">${memberNo}</th>
    <td class="vnd">${VND.format(amount)}</td>
    <td><span class="state ${tone}">${word}</span></td>
    <td>${REASONS[reason]}</td>`;
}
