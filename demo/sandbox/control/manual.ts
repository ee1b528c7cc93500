/** What `GET /sandbox` returns: every address, number, switch and fault, as JSON for programs and as a page for people. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { PRICE_PER_MINUTE } from '../exchange/call-charge.ts';
import { SANDBOX_NUMBERS } from '../world/numbers.ts';
import { SANDBOX_API_KEY, type World } from '../world/world.ts';

interface Entry {
  /** What to call, dial or set. */
  readonly name: string;
  readonly meaning: string;
}

const ENDPOINTS: readonly Entry[] = [
  { name: 'GET /vendor/v3.0/api/hotline/getAll', meaning: 'The hotlines of the project.' },
  { name: 'POST /vendor/v3.0/api/sdk/tokenSdk', meaning: 'A token for the SDK; creates an unknown member.' },
  { name: 'GET /vendor/v3.0/api/member/getByMemberNo?member_no=', meaning: 'One member with their balance.' },
  {
    name: 'POST /vendor/v3.0/api/member/addMoney',
    meaning: 'Adds call balance, taken from the admin account.',
  },
  { name: 'POST /vendor/v3.0/api/hotline/member/add', meaning: 'Assigns a hotline, by number, to a member.' },
  { name: 'GET /vendor/v3.0/api/account/balance', meaning: 'Balance of the admin account.' },
  { name: 'GET /vendor/v3.0/m-cdr/api/call/get-all', meaning: 'Calls that are over; count-all counts them.' },
  { name: 'GET /vendor/v3.0/m-cdr/api/call/get-detail?group_id=', meaning: 'The legs of one call.' },
  { name: 'GET /vendor/v3.0/m-cdr/api/agi/get-by-trans-id?trans_id=', meaning: 'How well one call sounded.' },
  {
    name: 'POST /vendor/v3.0/m-auto-call/api/call/create-list-member',
    meaning: 'A script rings members; also create and create-list-phone, for telephone numbers.',
  },
  { name: 'GET /vendor/v3.0/m-auto-call/api/cdr/get-all', meaning: 'Automatic calls; also cdr/count.' },
  { name: 'GET /vendor/v3.0/m-auto-call/api/template-script/get-all', meaning: 'The scripts; also count.' },
  {
    name: '/vendor/v3.0/api/crm/historycall/…, /vendor/v3.0/api/campaignCall/…',
    meaning: 'The older paths of the same.',
  },
  { name: 'POST /vendor/v3.0/api/sdk/info', meaning: 'The SDK asks for its telephone account.' },
  { name: 'GET /vendor/v3.0/api/sdk/getHotline', meaning: 'The SDK asks for the hotlines it may use.' },
  { name: 'GET /vendor/vbot-sdk.js', meaning: 'The script that defines the stand-in <vbot-widget>.' },
];

const CONTROLS: readonly Entry[] = [
  { name: 'GET /sandbox/members', meaning: 'Every member, with balance and assignments.' },
  {
    name: 'POST /sandbox/members/:memberNo {balance?, hotlines?: [number], name?}',
    meaning: 'Sets them; creates an unknown member.',
  },
  {
    name: 'POST /sandbox/hotlines {hotlines?: [{name, number, code, type?, active?}], active?: {number: boolean}}',
    meaning: 'Replaces the list; switches hotlines on and off.',
  },
  {
    name: 'POST /sandbox/settings {hotlineList?, failureStatus?, repeatAssignment?, paymentPhrase?, paymentRefusal?, registerExpires?, adminBalance?}',
    meaning: 'See the settings below.',
  },
  {
    name: 'POST /sandbox/faults {place, kind, value?, times?}',
    meaning: 'Sets one fault; `times` absent: until cleared.',
  },
  { name: 'POST /sandbox/faults/clear {}', meaning: 'Clears all faults.' },
  {
    name: 'GET /sandbox/calls',
    meaning:
      'Every call: state, final SIP status, tones, audio received, and how it ended: `endedBy` caller or callee, `endedAt`, and `endedWith` BYE, CANCEL, response, answered-elsewhere, socket-closed, no-audio or timeout.',
  },
  {
    name: 'POST /sandbox/calls {memberNo, from, name?, externalCallId?}',
    meaning: 'Calls a member: their dialer rings.',
  },
  { name: 'POST /sandbox/calls/:id/hang-up {}', meaning: 'The other party hangs up.' },
  {
    name: 'POST /sandbox/calls/:id/answer-elsewhere {}',
    meaning:
      'Another device of the member answers: the dialers that ring get CANCEL with Reason: SIP;cause=200;text="Call completed elsewhere".',
  },
  { name: 'POST /sandbox/sockets/drop {memberNo?}', meaning: 'Cuts the SIP sockets of one member, or all.' },
  { name: 'GET /sandbox/registrations', meaning: 'The dialers that can be rung right now.' },
  {
    name: 'GET /sandbox/registrations/history',
    meaning:
      'All registrations: `since`, `refreshes`, `endedAt`, and `endedWith` unregistered, expired or socket-closed.',
  },
  {
    name: 'GET /sandbox/top-ups',
    meaning: 'Every addMoney that was understood; `error` 0: the money moved.',
  },
  { name: 'GET /sandbox/requests', meaning: 'The latest requests at the REST side.' },
  {
    name: 'POST /sandbox/webhooks {url?, auth?, copies?, delayMs?, reversed?}',
    meaning: 'Where ends of calls are reported, and with which delivery faults.',
  },
  { name: 'GET /sandbox/webhooks', meaning: 'The latest webhooks sent, and what was answered.' },
  { name: 'POST /sandbox/reset {}', meaning: 'Forgets everything.' },
];

const FAULT_PLACES: readonly Entry[] = [
  { name: '/api/member/addMoney', meaning: 'or any other path above, from the version on: the HTTP side.' },
  { name: 'script', meaning: 'The SDK script.' },
  { name: 'socket', meaning: 'The WebSocket the SDK speaks SIP over.' },
  { name: 'register', meaning: 'The registration of a dialer.' },
  { name: 'refresh', meaning: 'A registration that is renewed; else the fault of `register` counts.' },
  { name: 'invite', meaning: 'A call from a dialer.' },
  {
    name: 'reinvite',
    meaning: 'A change within a call: hold and resume. `status` alone refuses it with 488.',
  },
];

const FAULT_KINDS: readonly Entry[] = [
  { name: 'status', meaning: 'Answers with the HTTP or SIP status `value`.' },
  { name: 'error', meaning: 'Answers HTTP 200 with the envelope code `value`.' },
  { name: 'slow', meaning: 'Waits `value` milliseconds, then goes on as usual.' },
  { name: 'cut', meaning: 'Does what was asked, but sends only half of the answer.' },
  { name: 'garbage', meaning: 'Answers with something that is not JSON.' },
  { name: 'drop', meaning: 'Closes the connection before doing anything.' },
  { name: 'drop-after', meaning: 'Does what was asked, then closes the connection without an answer.' },
  { name: 'silent', meaning: 'Never answers.' },
];

const SETTINGS: readonly Entry[] = [
  {
    name: 'hotlineList',
    meaning: 'absent (default), hotlines or hotline_numbers: the field of the member answer that lists them.',
  },
  {
    name: 'failureStatus',
    meaning: 'ok (default): failures answer HTTP 200; mirrored: with the status of their code.',
  },
  { name: 'repeatAssignment', meaning: 'success (default) or conflict: assigning a hotline a second time.' },
  { name: 'paymentPhrase', meaning: 'The phrase beside SIP 402; Payment Required by default, may be empty.' },
  {
    name: 'paymentRefusal',
    meaning: 'at-once (default) or after-ringing: when a call without money gets its 402.',
  },
  {
    name: 'registerExpires',
    meaning:
      'Seconds a registration lasts at most, so that it is renewed soon; 0 (default): as the dialer asks.',
  },
  { name: 'adminBalance', meaning: 'VND on the partner’s own account.' },
];

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
