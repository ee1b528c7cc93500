/** What `GET /sandbox` returns: every address, number, switch and fault, as JSON for programs and as a page for people. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { PRICE_PER_MINUTE } from '../exchange/call-charge.ts';
import { SANDBOX_NUMBERS } from '../world/numbers.ts';
import { SANDBOX_API_KEY, type World } from '../world/world.ts';
import { CONTROLS, ENDPOINTS, FAULT_KINDS, FAULT_PLACES, SETTINGS, type Entry } from './manual-entries.ts';

/** `GET /sandbox` as JSON. */
export function describeSandbox(world: World): Record<string, unknown> {
  return {
    // A companion that looks for a running sandbox recognises it by this.
    sandbox: 'partner-dialer',
    apiKey: SANDBOX_API_KEY,
    pricePerMinute: PRICE_PER_MINUTE,
    adminBalance: world.adminBalance,
    settings: world.settings,
    hotlines: world.hotlines,
    faults: Object.fromEntries(world.faults),
    endpoints: ENDPOINTS,
    numbers: SANDBOX_NUMBERS,
    controls: CONTROLS,
    faultPlaces: FAULT_PLACES,
    faultKinds: FAULT_KINDS,
    settingsMeaning: SETTINGS,
  };
}

/** `GET /sandbox` for a browser. */
export function drawSandbox(world: World): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Sandbox vendor</title>
      <style>
        :root {
          color-scheme: light dark;
        }
        body {
          font:
            16px/1.5 system-ui,
            sans-serif;
          max-width: 60rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        dt {
          font-family: ui-monospace, monospace;
          font-size: 0.85rem;
          overflow-wrap: anywhere;
        }
        dd {
          margin: 0 0 0.6rem;
          color: color-mix(in srgb, CanvasText 75%, Canvas);
        }
      </style>
      <h1>Sandbox vendor</h1>
      <p>
        A stand-in for the telephony vendor. Its API key is <code>${SANDBOX_API_KEY}</code>, sent as
        <code>X-API-Key</code>; a started minute costs ${PRICE_PER_MINUTE} VND; the admin account holds
        ${world.adminBalance} VND. The same in JSON: <code>curl ${'<this address>'}</code>.
      </p>
      ${drawEntries(
        'Numbers to dial',
        SANDBOX_NUMBERS.map(({ number, meaning }) => ({ name: number, meaning })),
      )}
      ${drawEntries(
        'Hotlines',
        world.hotlines.map(({ number, name, code, active }) => ({
          name: number,
          meaning: `${name}, ${code}${active ? '' : ', switched off'}`,
        })),
      )}
      ${drawEntries('Vendor interface', ENDPOINTS)}
      ${drawEntries('Controls (JSON bodies, this site only)', CONTROLS)}
      ${drawEntries('Places for a fault', FAULT_PLACES)} ${drawEntries('Kinds of fault', FAULT_KINDS)}
      ${drawEntries('Settings', SETTINGS)}
    </html>`;
}

function drawEntries(
  title: string,
  entries: readonly Entry[],
): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<h2>${title}</h2>
    <dl>
      ${entries.map(
        ({ name, meaning }) =>
          html`<dt>${name}</dt>
            <dd>${meaning}</dd>`,
      )}
    </dl>`;
}
