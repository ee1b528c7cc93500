/** The words of the operator's page, in English and Vietnamese. */
import type { MovementState, TopUpReason } from '../../money/movement.ts';
import type { TopUpPolicy } from '../../money/result.ts';

/** Names of the outcomes of calls, as the store has them. */
export type Outcome = 'answered' | 'not-reached' | 'no-money' | 'failed';

export interface Words {
  readonly lang: 'en' | 'vi';
  /** For dates and times. */
  readonly locale: string;
  readonly title: string;
  readonly inVietnam: string;
  readonly refresh: string;
  /** The other language. */
  readonly other: { readonly lang: 'en' | 'vi'; readonly name: string };
  readonly now: string;
  readonly allWell: string;
  readonly stopped: string;
  readonly off: string;
  readonly ledgerAway: string;
  readonly vendorSilent: string;
  readonly short: string;
  readonly inDoubt: (count: number, sum: string) => string;
  readonly givenUp: (count: number, sum: string) => string;
  readonly reconciliation: Readonly<
    Record<'agrees' | 'missing' | 'filled', (at: string, sum: string) => string>
  >;
  readonly notReconciled: string;
  readonly account: string;
  readonly unknown: string;
  readonly paidToday: string;
  readonly topUps: (count: number) => string;
  readonly beyondToday: (sum: string) => string;
  readonly used: string;
  readonly ofLimit: (sum: string) => string;
  readonly oneTopUp: string;
  readonly modes: Readonly<Record<TopUpPolicy['mode'], string>>;
  readonly atMost: (sum: string) => string;
  readonly doubt: string;
  readonly noDoubt: string;
  readonly doubtCaption: string;
  readonly today: string;
  readonly none: string;
  readonly todayCaption: string;
  readonly search: string;
  readonly find: string;
  readonly of: (member: string) => string;
  readonly nothingOf: string;
  readonly ofCaption: (most: number) => string;
  readonly back: string;
  readonly pages: string;
  readonly page: (page: number, pages: number) => string;
  readonly newer: string;
  readonly older: string;
  readonly days: (count: number) => string;
  readonly daysNote: string;
  readonly daysCaption: string;
  readonly chart: (count: number) => string;
  readonly summary: (calls: string, answered: string, paid: string, left: string | undefined) => string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly bands: { readonly calls: string; readonly paid: string; readonly left: string };
  readonly nothing: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly states: Readonly<Record<MovementState, string>>;
  readonly reasons: Readonly<Record<TopUpReason, string>>;
  readonly beyond: string;
  readonly next: {
    readonly ask: string;
    readonly unknown: (end: string) => string;
    readonly claimed: string;
    readonly sent: string;
    readonly overdueClaimed: string;
    readonly overdueSent: string;
  };
}

export type Column =
  | 'day'
  | 'time'
  | 'since'
  | 'member'
  | 'amount'
  | 'state'
  | 'reason'
  | 'before'
  | 'after'
  | 'note'
  | 'next'
  | 'topUps'
  | 'paid'
  | 'left'
  | Outcome;

const en: Words = {
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
  short: 'The partner account has less than one top-up: nobody is topped up until it is filled.',
  inDoubt: (count, sum) => `${sum} ${count === 1 ? 'is' : `in ${count} top-ups are`} in doubt.`,
  givenUp: (count, sum) =>
    `${sum} ${count === 1 ? 'was' : `in ${count} top-ups were`} given up in the last seven days: ask the vendor.`,
  reconciliation: {
    agrees: (at) => `Last reconciliation, ${at}: it agrees.`,
    missing: (at, sum) => `Last reconciliation, ${at}: ${sum} are missing.`,
    filled: (at, sum) =>
      `Last reconciliation, ${at}: the account was filled up by ${sum} or more, so it tells nothing.`,
  },
  notReconciled: 'Not reconciled yet: that needs two days.',
  account: 'Partner account',
  unknown: 'Not known',
  paidToday: 'Topped up today',
  topUps: (count) => (count === 1 ? '1 top-up' : `${count} top-ups`),
  beyondToday: (sum) => `${sum} of it beyond the limits`,
  used: "Used of today's limit",
  ofLimit: (sum) => `of ${sum}, with what is in doubt`,
  oneTopUp: 'One top-up',
  modes: {
    auto: 'At every sign-in that needs one, and when an agent asks.',
    request: 'Only when an agent asks.',
    off: 'Switched off.',
  },
  atMost: (sum) => `At most ${sum} a day for one member.`,
  doubt: 'In doubt',
  noDoubt: 'Nothing. Every top-up has come to an end.',
  doubtCaption: 'Money that may or may not have moved',
  today: 'Today',
  none: 'No top-ups yet.',
  todayCaption: 'Top-ups of today, newest first',
  search: 'Member',
  find: 'Find',
  of: (member) => `Top-ups of ${member}`,
  nothingOf: 'None, on any day.',
  ofCaption: (most) => `Of all days, newest first; at most ${most}`,
  back: 'Back to today',
  pages: 'Pages',
  page: (page, pages) => `Page ${page} of ${pages}`,
  newer: 'Newer',
  older: 'Older',
  days: (count) => `The last ${count} days`,
  daysNote: "Calls are counted from the vendor's webhooks; money left is read once a day.",
  daysCaption: 'Calls by outcome, top-ups and the partner account, newest first',
  chart: (count) => `Calls, top-ups and money left in the last ${count} days`,
  summary: (calls, answered, paid, left) =>
    `${calls} calls, of which ${answered} were answered; ${paid} topped up; ${left === undefined ? 'money left not known' : `${left} left`}. The table below has all numbers.`,
  outcomes: { answered: 'Answered', 'not-reached': 'Not reached', 'no-money': 'No money', failed: 'Failed' },
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
  },
  states: {
    claimed: 'Reserved',
    sent: 'Sent',
    settled: 'Paid',
    failed: 'Refused',
    void: 'Not sent',
    unknown: 'In doubt',
    abandoned: 'Given up',
  },
  reasons: { session: 'Sign-in', agent: 'The agent', operator: 'Command line' },
  beyond: 'beyond the limits',
  next: {
    ask: 'A person has to ask the vendor whether it arrived. It stays counted for its day.',
    unknown: (end) => `Counts as paid once the member's balance is seen to rise; given up at ${end}.`,
    claimed: 'Is being sent.',
    sent: "Waits for the vendor's answer.",
    overdueClaimed: 'Its companion ended before it was sent; will be released within a minute.',
    overdueSent:
      "Its companion ended without an answer; will be held against the member's balance within a minute.",
  },
};

const vi: Words = {
  lang: 'vi',
  locale: 'vi-VN',
  title: 'Quản trị điện thoại',
  inVietnam: 'giờ Việt Nam',
  refresh: 'Tải lại',
  other: { lang: 'en', name: 'English' },
  now: 'Hiện tại',
  allWell: 'Việc nạp tiền hoạt động bình thường.',
  stopped: 'Đang ngừng nạp tiền cho tất cả:',
  off: 'Tính năng nạp tiền đang tắt.',
  ledgerAway: 'Không đọc được sổ cái. Chưa ai được nạp tiền cho đến khi đọc lại được.',
  vendorSilent: 'Nhà cung cấp không trả lời.',
  short: 'Tài khoản đối tác không đủ một lần nạp: chưa ai được nạp cho đến khi tài khoản có tiền.',
  inDoubt: (count, sum) => `${sum} trong ${count} lần nạp chưa rõ đã đến hay chưa.`,
  givenUp: (count, sum) =>
    `${sum} trong ${count} lần nạp của bảy ngày qua không xác minh được: hãy hỏi nhà cung cấp.`,
  reconciliation: {
    agrees: (at) => `Đối soát gần nhất, ${at}: khớp.`,
    missing: (at, sum) => `Đối soát gần nhất, ${at}: thiếu ${sum}.`,
    filled: (at, sum) =>
      `Đối soát gần nhất, ${at}: tài khoản được nạp thêm ít nhất ${sum}, nên chưa kết luận được.`,
  },
  notReconciled: 'Chưa đối soát: cần số dư của hai ngày.',
  account: 'Tài khoản đối tác',
  unknown: 'Chưa biết',
  paidToday: 'Đã nạp hôm nay',
  topUps: (count) => `${count} lần nạp`,
  beyondToday: (sum) => `trong đó ${sum} ngoài hạn mức`,
  used: 'Hạn mức hôm nay đã dùng',
  ofLimit: (sum) => `trên ${sum}, tính cả khoản chưa rõ`,
  oneTopUp: 'Mỗi lần nạp',
  modes: {
    auto: 'Khi đăng nhập nếu cần, và khi nhân viên yêu cầu.',
    request: 'Chỉ khi nhân viên yêu cầu.',
    off: 'Đang tắt.',
  },
  atMost: (sum) => `Mỗi nhân viên tối đa ${sum} một ngày.`,
  doubt: 'Chưa rõ',
  noDoubt: 'Không có. Mọi lần nạp đều đã có kết quả.',
  doubtCaption: 'Tiền có thể đã chuyển hoặc chưa',
  today: 'Hôm nay',
  none: 'Chưa có lần nạp nào.',
  todayCaption: 'Các lần nạp hôm nay, mới nhất ở trên',
  search: 'Nhân viên',
  find: 'Tìm',
  of: (member) => `Các lần nạp của ${member}`,
  nothingOf: 'Chưa có lần nào.',
  ofCaption: (most) => `Mọi ngày, mới nhất ở trên; tối đa ${most} lần`,
  back: 'Về hôm nay',
  pages: 'Trang',
  page: (page, pages) => `Trang ${page} trên ${pages}`,
  newer: 'Mới hơn',
  older: 'Cũ hơn',
  days: (count) => `${count} ngày qua`,
  daysNote: 'Số cuộc gọi tính theo webhook của nhà cung cấp; số tiền còn lại được đọc mỗi ngày một lần.',
  daysCaption: 'Cuộc gọi theo kết quả, số lần nạp và tài khoản đối tác, mới nhất ở trên',
  chart: (count) => `Cuộc gọi, tiền đã nạp và tiền còn lại trong ${count} ngày qua`,
  summary: (calls, answered, paid, left) =>
    `${calls} cuộc gọi, ${answered} cuộc được nghe máy; đã nạp ${paid}; ${left === undefined ? 'chưa biết còn lại bao nhiêu' : `còn lại ${left}`}. Bảng bên dưới có đủ các số.`,
  outcomes: {
    answered: 'Nghe máy',
    'not-reached': 'Không liên lạc được',
    'no-money': 'Hết tiền',
    failed: 'Lỗi',
  },
  bands: { calls: 'Cuộc gọi', paid: 'Đã nạp', left: 'Còn lại' },
  nothing: 'không có',
  columns: {
    day: 'Ngày',
    time: 'Giờ',
    since: 'Từ lúc',
    member: 'Nhân viên',
    amount: 'Số tiền',
    state: 'Trạng thái',
    reason: 'Yêu cầu bởi',
    before: 'Trước',
    after: 'Sau',
    note: 'Ghi chú',
    next: 'Tiếp theo',
    topUps: 'Số lần nạp',
    paid: 'Đã nạp',
    left: 'Còn lại',
    answered: 'Nghe máy',
    'not-reached': 'Không liên lạc được',
    'no-money': 'Hết tiền',
    failed: 'Lỗi',
  },
  states: {
    claimed: 'Đã giữ chỗ',
    sent: 'Đã gửi',
    settled: 'Đã nạp',
    failed: 'Bị từ chối',
    void: 'Không gửi',
    unknown: 'Chưa rõ',
    abandoned: 'Không xác minh được',
  },
  reasons: { session: 'Đăng nhập', agent: 'Nhân viên', operator: 'Dòng lệnh' },
  beyond: 'ngoài hạn mức',
  next: {
    ask: 'Cần hỏi nhà cung cấp tiền đã đến chưa. Khoản này vẫn tính vào hạn mức của ngày đó.',
    unknown: (end) => `Tính là đã nạp khi thấy số dư tăng; ngừng chờ lúc ${end}.`,
    claimed: 'Đang gửi.',
    sent: 'Đang chờ nhà cung cấp trả lời.',
    overdueClaimed: 'Máy chủ dừng trước khi gửi; sẽ được hủy trong vòng một phút.',
    overdueSent: 'Máy chủ dừng khi chưa có trả lời; sẽ được so với số dư trong vòng một phút.',
  },
};

export const LANGUAGES = { en, vi } as const;

/** What the link or the browser asks for; else English. */
export function chooseWords(asked: string | undefined, acceptLanguage = ''): Words {
  const wanted = [asked ?? '', ...acceptLanguage.split(',')].map((tag) =>
    tag.trim().slice(0, 2).toLowerCase(),
  );
  return wanted.includes('vi') && wanted.find((tag) => tag === 'vi' || tag === 'en') === 'vi' ? vi : en;
}
