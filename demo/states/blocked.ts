/** What keeps a member from calling: the guides, what came of a press in them, and the phone in another tab. */
import { BLOCKERS, type GuideNotice, type TabActivity } from '../../src/dialer/state/block.ts';
import { en } from '../../src/i18n/en.ts';
import { blocked, missed, MOBILE, NOW, type ShownState } from './samples.ts';

/** `other`: of a broker's own. */
const BY_BROKER: readonly string[] = [...BLOCKERS, 'other'];

export const guides: readonly ShownState[] = Object.keys(en.guide).map((reason) => ({
  name: reason,
  state: blocked(reason, { source: BY_BROKER.includes(reason) ? 'broker' : 'browser' }),
}));

export const inGuides: readonly ShownState[] = [
  {
    name: 'insufficient-funds, a number waits',
    state: blocked('insufficient-funds'),
    display: { typedNumber: MOBILE },
  },
  {
    name: 'asking for money',
    state: blocked('insufficient-funds', { waitingFor: 'help' }),
    display: { typedNumber: MOBILE },
  },
  { name: 'checking', state: blocked('no-hotline', { waitingFor: 'check' }) },
  { name: 'details not copied', state: blocked('no-hotline'), ui: { detailsCopied: false } },
  { name: 'details copied', state: blocked('no-hotline'), ui: { detailsCopied: true } },
  { name: 'no-hotline, calls were missed', state: blocked('no-hotline'), calls: missed(2) },
  { name: 'the guide is the page’s', state: blocked('insufficient-funds', { drawnByPage: true }) },
];

/** What came of a press in a guide. */
const NOTICES: Readonly<Record<GuideNotice, string>> = {
  'still-blocked': 'no-hotline',
  'help-requested': 'no-hotline',
  'ask-admin': 'no-hotline',
  'check-failed': 'no-hotline',
  'help-refused': 'no-hotline',
  'help-failed': 'no-hotline',
  'help-unknown': 'insufficient-funds',
  'call-elsewhere': 'active-elsewhere',
  'not-moved': 'active-elsewhere',
  'top-up-limit': 'insufficient-funds',
  'top-up-off': 'insufficient-funds',
  'top-up-later': 'insufficient-funds',
  'top-up-refused': 'insufficient-funds',
  'top-up-admin-short': 'insufficient-funds',
  'top-up-too-small': 'insufficient-funds',
};

export const notices: readonly ShownState[] = (Object.keys(NOTICES) as GuideNotice[]).map((notice) => {
  const reason = NOTICES[notice];
  const source = reason === 'active-elsewhere' ? 'tab' : 'broker';
  return { name: `${reason}: ${notice}`, state: blocked(reason, { notice, source }) };
});

/** What the tab that has the phone does with it. */
const ELSEWHERE: Readonly<Record<TabActivity['is'], TabActivity>> = {
  idle: { is: 'idle' },
  calling: { is: 'calling', number: MOBILE, name: 'Nguyễn Thị Mai' },
  ringing: { is: 'ringing', number: MOBILE },
  'in-call': { is: 'in-call', number: MOBILE, name: 'Nguyễn Thị Mai', since: NOW - 133_000 },
};

export const elsewhere: readonly ShownState[] = [
  { name: 'in another tab', state: blocked('active-elsewhere', { source: 'tab' }) },
  ...Object.entries(ELSEWHERE).map(([is, activity]) => ({
    name: `in another tab: ${is}`,
    state: blocked('active-elsewhere', { source: 'tab', elsewhere: activity }),
  })),
  {
    name: 'in another tab: moving it here',
    state: blocked('active-elsewhere', { source: 'tab', waitingFor: 'phone' }),
  },
];
