/** What the partner's own people look at: the money, and the metrics. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { isSame } from '../http/doors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dayOf, type Movement } from '../ledger/movement.ts';
import type { OpenApi } from '../open-api/open-api.ts';
import { problem } from '../http/problem.ts';
import type { Watch } from './watch.ts';

const STYLE =
  'body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}' +
  'td,th{padding:.25rem .75rem;text-align:start}.vnd{text-align:end;font-variant-numeric:tabular-nums}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const VND = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export interface Doorway {
  /** Absent: nobody may come in, unless it is open. */
  readonly password: string | undefined;
  readonly open: boolean;
}

export function createOperatorRoutes(doorway: Doorway, vendor: OpenApi, ledger: Ledger, watch: Watch): Hono {
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
    const today = dayOf(Date.now());
    const [balance, movements] = await Promise.all([
      vendor.adminBalance().then(
        (vnd) => `${VND.format(vnd)} VND`,
        () => 'not known: the vendor does not say',
      ),
      ledger.history(today),
    ]);
    c.header('Content-Security-Policy', `default-src 'none'; style-src 'sha256-${STYLE_HASH}'`);
    return c.html(drawPage(balance, today, movements));
  });

  return app;
}

function drawPage(balance: string, today: string, movements: readonly Movement[]) {
  const settled = movements.filter(({ state }) => state === 'settled');
  const sum = settled.reduce((total, { amount }) => total + amount, 0);
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Dialer operator</title>
      ${raw(`<style>${STYLE}</style>`)}
      <h1>Money</h1>
      <p>Partner account: <b>${balance}</b></p>
      <p>Top-ups of ${today}: ${settled.length}, ${VND.format(sum)} VND</p>
      <table>
        <tr>
          ${['Time', 'Member', 'VND', 'Before', 'After', 'Asked by', 'State', 'Note'].map((word) => html`<th>${word}</th>`)}
        </tr>
        ${movements.map(drawMovement)}
      </table>
    </html>`;
}

function drawMovement({ claimedAt, memberNo, amount, before, after, reason, state, note }: Movement) {
  return html`<tr>
    <td>${new Date(claimedAt).toISOString().slice(11, 19)}</td>
    <td>${memberNo}</td>
    ${[amount, before, after].map((vnd) => html`<td class="vnd">${vnd === null ? '–' : VND.format(vnd)}</td>`)}
    <td>${reason}</td>
    <td>${state}</td>
    <td>${note}</td>
  </tr>`;
}
