/** The entries of the manual: the vendor's addresses, the switches, the faults and the settings. */

export interface Entry {
  /** What to call, dial or set. */
  readonly name: string;
  readonly meaning: string;
}

export const ENDPOINTS: readonly Entry[] = [
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
  {
    name: 'POST /vendor/v3.0/api/customer/get-all',
    meaning: 'Customers; also count-all, get-detail, check-exist-field-value, insert, update and delete.',
  },
  {
    name: 'GET /vendor/v3.0/api/customerfield/get-all',
    meaning:
      'Fields of customers; also count-all, get-detail, check-exist-code, insert, update, update-code and delete, and the same of their options below option/.',
  },
  {
    name: 'GET /vendor/v3.0/api/ActionTimeline/get-all?customer_code=',
    meaning: 'What happened with a customer, calls among it; count-all counts.',
  },
  { name: 'POST /vendor/v3.0/api/sdk/info', meaning: 'The SDK asks for its telephone account.' },
  { name: 'GET /vendor/v3.0/api/sdk/getHotline', meaning: 'The SDK asks for the hotlines it may use.' },
  { name: 'GET /vendor/vbot-sdk.js', meaning: 'The script that defines the stand-in <vbot-widget>.' },
];

export const CONTROLS: readonly Entry[] = [
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
    name: 'POST /sandbox/settings {hotlineList?, failureStatus?, repeatAssignment?, paymentPhrase?, paymentRefusal?, registerExpires?, answerAfter?, firstCustomerPage?, searchDiacritics?, adminBalance?}',
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
      'Every call: state, final SIP status, tones, audio received (`loudPackets`: not silence), whether it `isHeld`, and how it ended: `endedBy` caller or callee, `endedAt`, and `endedWith` BYE, CANCEL, response, answered-elsewhere, socket-closed, no-audio or timeout.',
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
  {
    name: 'POST /sandbox/interactions {customerCode, type, kind, memberNo?, content}',
    meaning:
      'Adds to the history of a customer what the vendor has no call for, e.g. type NOTE, kind NOTE_INSERT.',
  },
  { name: 'GET /sandbox/webhooks', meaning: 'The latest webhooks sent, and what was answered.' },
  { name: 'POST /sandbox/reset {}', meaning: 'Forgets everything.' },
];

export const FAULT_PLACES: readonly Entry[] = [
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

export const FAULT_KINDS: readonly Entry[] = [
  { name: 'status', meaning: 'Answers with the HTTP or SIP status `value`.' },
  { name: 'error', meaning: 'Answers HTTP 200 with the envelope code `value`.' },
  { name: 'slow', meaning: 'Waits `value` milliseconds, then goes on as usual.' },
  { name: 'cut', meaning: 'Does what was asked, but sends only half of the answer.' },
  { name: 'garbage', meaning: 'Answers with something that is not JSON.' },
  { name: 'drop', meaning: 'Closes the connection before doing anything.' },
  { name: 'drop-after', meaning: 'Does what was asked, then closes the connection without an answer.' },
  { name: 'silent', meaning: 'Never answers.' },
];

export const SETTINGS: readonly Entry[] = [
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
  {
    name: 'answerAfter',
    meaning:
      'Milliseconds that a number which answers rings before it does; 0 (default): as the table of numbers says.',
  },
  {
    name: 'firstCustomerPage',
    meaning: '0 (default) or 1: the number of the first page of customers, fields and histories.',
  },
  {
    name: 'searchDiacritics',
    meaning: 'ignored (default): nguyen finds Nguyễn; significant: it does not.',
  },
  { name: 'adminBalance', meaning: 'VND on the partner’s own account.' },
];
