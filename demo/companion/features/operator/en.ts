/** The operator's page in English. */
import type { MovementState, TopUpReason } from '../../money/movement.ts';
import type { TopUpPolicy } from '../../money/result.ts';
import type { Column, Outcome } from './words.ts';

export const en = {
  lang: 'en',
  locale: 'en-GB',
  title: 'Dialer operator',
  inVietnam: 'in Vietnam',
  refresh: 'Refresh',
  other: { lang: 'vi', name: 'Tiếng Việt' },
  now: 'Now',
  allWell: 'Top-ups can be made.',
  stopped: 'Top-ups are stopped:',
  off: 'Top-ups are off.',
  ledgerAway: 'The ledger cannot be read. Top-ups are stopped until it can be read.',
  vendorSilent: 'The balance of the partner account cannot be read.',
  accountRefused:
    'This key has no permission to read the partner account: nothing is reconciled, and only a refused top-up shows that the account is empty.',
  stops: {
    'admin-short':
      'The partner account holds less than one top-up. Top-ups are stopped until money is added.',
    'daily-limit': "Today's limit for all members is used up. Top-ups are stopped until tomorrow.",
    'clock-ahead':
      "The database's clock was ahead: what was paid on later days counts as paid today. Those members get no more before tomorrow.",
  },
  missing: (sum: string) =>
    `${sum} left the partner account without a top-up. Once this is explained, run npm run reconcile -- --settled`,
  inDoubt: (count: number, sum: string) =>
    `${sum} ${count === 1 ? 'is' : `in ${count} top-ups are`} in doubt.`,
  givenUp: (count: number, sum: string) =>
    `${sum} ${count === 1 ? '' : `in ${count} top-ups `}could not be confirmed in the last seven days: ask the vendor whether the money arrived.`,
  reconciliation: {
    agrees: (at: string) => `Last reconciliation, ${at}: the amounts match.`,
    missing: (at: string, sum: string) => `Last reconciliation, ${at}: ${sum} is missing.`,
    explained: (at: string) => `Last reconciliation, ${at}: what was missing is settled.`,
    filled: (at: string, sum: string) =>
      `Last reconciliation, ${at}: at least ${sum} was added to the account, so no conclusion is possible.`,
  },
  notReconciled: 'Not reconciled yet: a reconciliation needs an earlier balance.',
  account: 'Partner account',
  unknown: 'Not known',
  paidToday: 'Topped up today',
  topUps: (count: number) => (count === 1 ? '1 top-up' : `${count} top-ups`),
  beyondToday: (sum: string) => `of which ${sum} beyond the limits`,
  used: "Used of today's limit",
  ofLimit: (sum: string) => `of ${sum}, including top-ups in doubt`,
  oneTopUp: 'One top-up',
  modes: {
    auto: 'At every sign-in that needs one, and when an agent asks.',
    request: 'Only when an agent asks.',
    off: 'Never.',
  } satisfies Record<TopUpPolicy['mode'], string>,
  atMost: (sum: string) => `At most ${sum} a day for one member.`,
  doubt: 'In doubt',
  noDoubt: 'None. The outcome of every top-up is known.',
  doubtCaption: 'Money that may or may not have moved',
  today: 'Today',
  none: 'No top-ups yet.',
  todayCaption: 'Top-ups of today, newest first',
  search: 'Member',
  noMember: 'A member number has only letters a-z, A-Z and digits. The table shows today.',
  find: 'Find',
  of: (member: string) => `Top-ups of ${member}`,
  nothingOf: 'No top-ups yet.',
  ofCaption: (most: number) => `All days, newest first; at most ${most} rows`,
  back: 'Back to today',
  pages: 'Pages',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  newer: 'Newer',
  older: 'Older',
  days: (count: number) => `The last ${count} days`,
  daysNote: "Calls are counted from the vendor's webhooks; the partner balance is read once a day.",
  daysCaption: 'Calls by outcome, top-ups and the partner account, newest first',
  chart: (count: number) => `Calls, top-ups and partner balance in the last ${count} days`,
  summary: (calls: string, answered: string, paid: string, balance: string | undefined) =>
    `${calls} calls, of which ${answered} were answered; ${paid} topped up; partner balance ${balance ?? 'not known'}. The table below has all numbers.`,
  outcomes: {
    answered: 'Answered',
    'not-reached': 'Not reached',
    'no-money': 'No money',
    failed: 'Failed',
  } satisfies Record<Outcome, string>,
  bands: { calls: 'Calls', paid: 'Topped up', balance: 'Partner balance' },
  nothing: 'none',
  columns: {
    day: 'Day',
    time: 'Time',
    since: 'Since',
    member: 'Member',
    amount: 'Amount',
    state: 'State',
    reason: 'Requested by',
    before: 'Before',
    after: 'After',
    note: 'Note',
    next: 'What happens next',
    topUps: 'Top-ups',
    paid: 'Topped up',
    balance: 'Partner balance',
    answered: 'Answered',
    'not-reached': 'Not reached',
    'no-money': 'No money',
    failed: 'Failed',
  } satisfies Record<Column, string>,
  states: {
    claimed: 'Reserved',
    sent: 'Sent',
    settled: 'Paid',
    failed: 'Failed',
    void: 'Not sent',
    unknown: 'In doubt',
    abandoned: 'Given up',
  } satisfies Record<MovementState, string>,
  reasons: { session: 'Sign-in', agent: 'The agent', operator: 'Command line' } satisfies Record<
    TopUpReason,
    string
  >,
  beyond: 'beyond the limits',
  next: {
    ask: "Ask the vendor whether the money arrived. It still counts against that day's limit.",
    unknown: (end: string) => `Counts as paid if the member's balance rises; otherwise, given up at ${end}.`,
    claimed: 'Being sent.',
    sent: "Waiting for the vendor's response.",
    overdueClaimed:
      'The companion stopped before it sent the top-up; the reservation is released within a minute.',
    overdueSent:
      "The companion stopped before the vendor responded; the member's balance is checked within a minute.",
  },
};

export type Words = typeof en;
