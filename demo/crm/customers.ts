/** The customers of an invented travel agency. Their numbers are those that the sandbox answers in its several ways. */

export type Standing = 'New lead' | 'Quote sent' | 'Booked' | 'Follow up' | 'Travelling';

export interface Customer {
  /** Goes into external call ids, so only a-z and 0-9. */
  readonly id: string;
  readonly name: string;
  readonly company: string;
  /** National form. */
  readonly phone: string;
  readonly standing: Standing;
  readonly city: string;
  readonly trip: string;
  /** Hours since somebody talked to them, when the page opens. */
  readonly lastContactHoursAgo: number;
  readonly note: string;
}

export const CUSTOMERS: readonly Customer[] = [
  {
    id: 'c01',
    name: 'Nguyễn Thị Mai',
    company: 'Hoa Sen Events',
    phone: '0900000200',
    standing: 'Quote sent',
    city: 'Hồ Chí Minh',
    trip: 'Team retreat in Phú Quốc, 24 guests',
    lastContactHoursAgo: 3,
    note: 'Wants the quote split into rooms and activities.',
  },
  {
    id: 'c02',
    name: 'Trần Văn Hùng',
    company: 'Bến Thành Logistics',
    phone: '0900000183',
    standing: 'Booked',
    city: 'Hồ Chí Minh',
    trip: 'Family trip to Đà Lạt, 5 guests',
    lastContactHoursAgo: 27,
    note: 'Deposit received. Needs a child seat for the transfer.',
  },
  {
    id: 'c03',
    name: 'Lê Hoàng Anh',
    company: 'An Phát Foods',
    phone: '0900000100',
    standing: 'Follow up',
    city: 'Cần Thơ',
    trip: 'Incentive tour to Bangkok, 40 guests',
    lastContactHoursAgo: 6 * 24,
    note: 'Asked us to call back after the board meeting.',
  },
  {
    id: 'c04',
    name: 'Phạm Thu Hà',
    company: 'Lotus Spa',
    phone: '0900000486',
    standing: 'New lead',
    city: 'Đà Nẵng',
    trip: 'Hội An weekend, 2 guests',
    lastContactHoursAgo: 24,
    note: 'Came through the website form.',
  },
  {
    id: 'c05',
    name: 'Võ Minh Khoa',
    company: 'Mekong Garden',
    phone: '0900000402',
    standing: 'Quote sent',
    city: 'Vĩnh Long',
    trip: 'River cruise, 12 guests',
    lastContactHoursAgo: 2 * 24,
    note: 'Compares us with one other agency.',
  },
  {
    id: 'c06',
    name: 'Đặng Quốc Bảo',
    company: 'Sông Hồng Textiles',
    phone: '0912345678',
    standing: 'Travelling',
    city: 'Hà Nội',
    trip: 'Sa Pa trek, 8 guests',
    lastContactHoursAgo: 9,
    note: 'On tour until Friday; call only if the weather turns.',
  },
  {
    id: 'c07',
    name: 'Sarah Bennett',
    company: 'Bennett & Cole',
    phone: '02838221234',
    standing: 'Booked',
    city: 'Hồ Chí Minh',
    trip: 'Hạ Long cruise, 6 guests',
    lastContactHoursAgo: 4 * 24,
    note: 'Prefers English. Two guests are vegetarian.',
  },
  {
    id: 'c08',
    name: 'Bùi Ngọc Lan',
    company: 'Đà Lạt Flowers',
    phone: '0900000603',
    standing: 'Follow up',
    city: 'Đà Lạt',
    trip: 'Supplier visit to Singapore, 3 guests',
    lastContactHoursAgo: 11 * 24,
    note: 'Passports to be renewed first.',
  },
];

/** The customer with this number, written in national or in international form. */
export function findByPhone(number: string): Customer | undefined {
  const national = toNational(number);
  return CUSTOMERS.find(({ phone }) => phone === national);
}

/** `0900 000 200`, `028 3822 1234`: in groups, as people read numbers aloud. */
export function formatPhone(number: string): string {
  const national = toNational(number);
  return national.length === 11
    ? national.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1 $2 $3')
    : national.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3');
}

function toNational(number: string): string {
  return number.replace(/\D/g, '').replace(/^84(?=\d{9,10}$)/, '0');
}

/** Two letters that stand for a picture; Vietnamese people are called by the last of their names. */
export function initialsOf({ name }: Customer): string {
  const words = name.split(' ');
  return `${words[0]?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}`;
}
