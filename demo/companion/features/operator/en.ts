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
  stopped: 'Nobody is topped up:',
  off: 'Topping up is switched off.',
  ledgerAway: 'The ledger cannot be read. Nobody is topped up until it can.',
  vendorSilent: 'The vendor does not answer.',
  accountRefused:
    'This key may not read the partner account: nothing is reconciled, and only a refused top-up shows that it is empty.',
  stops: {
    'admin-short': 'The partner account has less than one top-up: nobody is topped up until it is filled.',
    'daily-limit': "Today's limit of all members is used up: nobody is topped up until tomorrow.",
  },
  missing: (sum: string) =>
    `${sum} left the partner account without a top-up. When it is known where they went: npm run reconcile -- --settled`,
  inDoubt: (count: number, sum: string) =>
    `${sum} ${count === 1 ? 'is' : `in ${count} top-ups are`} in doubt.`,
  givenUp: (count: number, sum: string) =>
    `${sum} ${count === 1 ? 'was' : `in ${count} top-ups were`} given up in the last seven days: ask the vendor.`,
  reconciliation: {
    agrees: (at: string) => `Last reconciliation, ${at}: it agrees.`,
    missing: (at: string, sum: string) => `Last reconciliation, ${at}: ${sum} are missing.`,
    filled: (at: string, sum: string) =>
      `Last reconciliation, ${at}: the account was filled up by ${sum} or more, so it tells nothing.`,
  },
  notReconciled: 'Not reconciled yet: that needs two days.',
  account: 'Partner account',
  unknown: 'Not known',
  paidToday: 'Topped up today',
  topUps: (count: number) => (count === 1 ? '1 top-up' : `${count} top-ups`),
  beyondToday: (sum: string) => `${sum} of it beyond the limits`,
  used: "Used of today's limit",
  ofLimit: (sum: string) => `of ${sum}, with what is in doubt`,
  oneTopUp: 'One top-up',
  modes: {
    auto: 'At every sign-in that needs one, and when an agent asks.',
    request: 'Only when an agent asks.',
    off: 'Switched off.',
  } satisfies Record<TopUpPolicy['mode'], string>,
  atMost: (sum: string) => `At most ${sum} a day for one member.`,
  doubt: 'In doubt',
  noDoubt: 'Nothing. Every top-up has come to an end.',
  doubtCaption: 'Money that may or may not have moved',
  today: 'Today',
  none: 'No top-ups yet.',
  todayCaption: 'Top-ups of today, newest first',
  search: 'Member',
  noMember: 'A member number has only letters a-z, A-Z and digits. This is today.',
  find: 'Find',
  of: (member: string) => `Top-ups of ${member}`,
  nothingOf: 'None, on any day.',
  ofCaption: (most: number) => `Of all days, newest first; at most ${most}`,
  back: 'Back to today',
  pages: 'Pages',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  newer: 'Newer',
  older: 'Older',
  days: (count: number) => `The last ${count} days`,
  daysNote: "Calls are counted from the vendor's webhooks; money left is read once a day.",
  daysCaption: 'Calls by outcome, top-ups and the partner account, newest first',
  chart: (count: number) => `Calls, top-ups and money left in the last ${count} days`,
  summary: (calls: string, answered: string, paid: string, left: string | undefined) =>
    `${calls} calls, of which ${answered} were answered; ${paid} topped up; ${left === undefined ? 'money left not known' : `${left} left`}. The table below has all numbers.`,
  outcomes: {
    answered: 'Answered',
    'not-reached': 'Not reached',
    'no-money': 'No money',
    failed: 'Failed',
  } satisfies Record<Outcome, string>,
  bands: { calls: 'Calls', paid: 'Topped up', left: 'Money left' },
  nothing: 'none',
  columns: {
    day: 'Day',
    time: 'Time',
    since: 'Since',
    member: 'Member',
    amount: 'Amount',
    state: 'State',
    reason: 'Asked for by',
    before: 'Before',
    after: 'After',
    note: 'Note',
    next: 'What happens next',
    topUps: 'Top-ups',
    paid: 'Topped up',
    left: 'Money left',
    answered: 'Answered',
    'not-reached': 'Not reached',
    'no-money': 'No money',
    failed: 'Failed',
  } satisfies Record<Column, string>,
  states: {
    claimed: 'Reserved',
    sent: 'Sent',
    settled: 'Paid',
    failed: 'Refused',
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
    ask: 'A person has to ask the vendor whether it arrived. It stays counted for its day.',
    unknown: (end: string) => `Counts as paid once the member's balance is seen to rise; given up at ${end}.`,
    claimed: 'Is being sent.',
    sent: "Waits for the vendor's answer.",
    overdueClaimed: 'Its companion ended before it was sent; will be released within a minute.',
    overdueSent:
      "Its companion ended without an answer; will be held against the member's balance within a minute.",
  },
};

export type Words = typeof en;
