/** The operator's page: one answer without scripts, in words that need no look at the code. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Movement } from '../money/movement.ts';
import { STYLE } from './operator-style.ts';
import { drawBooks, type Books, type Part } from './operator-tables.ts';
import { DAY, MODES, TIME, VND, type Rules } from './operator-words.ts';

export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export interface Facts {
  readonly now: number;
  /** VND in the partner account; undefined: the vendor does not say. */
  readonly balance: number | undefined;
  /** Undefined: the ledger cannot be read. */
  readonly books: Books | undefined;
  readonly rules: Rules;
}

export function drawPage({ now, balance, books, rules }: Facts): Part {
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
        <main>${drawSums(balance, books, rules)} ${books ? drawBooks(books) : drawTrouble()}</main>
      </body>
    </html>`;
}

function drawSums(balance: number | undefined, books: Books | undefined, rules: Rules): Part {
  const short = balance !== undefined && balance < rules.amount;
  return html`<section class="sums" aria-label="Money">
    <div>
      <h2>Partner account</h2>
      <p class="sum">${balance === undefined ? 'Not known' : VND.format(balance)}</p>
      ${balance === undefined && html`<p>The vendor does not answer.</p>`}
      ${short && html`<p class="bad">Less than one top-up: nobody is topped up until it is filled.</p>`}
    </div>
    ${books && drawUse(books, rules)}
    <div>
      <h2>One top-up</h2>
      <p class="sum">${VND.format(rules.amount)}</p>
      <p>${MODES[rules.mode]} At most ${VND.format(rules.dailyLimitPerMember)} a day for one member.</p>
    </div>
  </section>`;
}

function drawUse({ today }: Books, { dailyLimit }: Rules): Part {
  const paid = today.filter(({ state }) => state === 'settled');
  // The rest has not moved, or may have: the ledger counts what may have.
  const used = sum(today.filter(({ state }) => state !== 'failed' && state !== 'void'));
  return html`<div>
      <h2>Topped up today</h2>
      <p class="sum">${VND.format(sum(paid))}</p>
      <p>${paid.length === 1 ? '1 top-up' : `${paid.length} top-ups`}</p>
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

function sum(movements: readonly Movement[]): number {
  return movements.reduce((total, { amount }) => total + amount, 0);
}

function drawTrouble(): Part {
  return html`<p class="bad">The ledger cannot be read. Nobody is topped up until it can.</p>`;
}
