/** The operator's page: one answer without scripts, in words that need no look at the code. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { TopUpPolicy } from '../money/rules.ts';
import { STYLE } from './operator-style.ts';
import { drawBooks, type Books, type Part } from './operator-tables.ts';
import { DAY, MODES, TIME, VND } from './operator-texts.ts';

export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export interface Facts {
  readonly now: number;
  /** VND in the partner account; undefined: the vendor does not say. */
  readonly balance: number | undefined;
  /** Undefined: the ledger cannot be read. */
  readonly books: Books | undefined;
  readonly policy: TopUpPolicy;
}

export function drawPage({ now, balance, books, policy }: Facts): Part {
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
        <main>${drawSums(balance, books, policy)} ${books ? drawBooks(books) : drawTrouble()}</main>
      </body>
    </html>`;
}

function drawSums(balance: number | undefined, books: Books | undefined, policy: TopUpPolicy): Part {
  const short = balance !== undefined && balance < policy.amount;
  return html`<section class="sums" aria-label="Money">
    <div>
      <h2>Partner account</h2>
      <p class="sum">${balance === undefined ? 'Not known' : VND.format(balance)}</p>
      ${balance === undefined && html`<p>The vendor does not answer.</p>`}
      ${short && html`<p class="bad">Less than one top-up: nobody is topped up until it is filled.</p>`}
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
  // The rest has not moved, or may have: the ledger counts what may have.
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

function drawTrouble(): Part {
  return html`<p class="bad">The ledger cannot be read. Nobody is topped up until it can.</p>`;
}
