/** The customers a new sandbox has: those of the demo's travel agency. */
import type { Customer, CustomerData, Interaction } from './customer-data.ts';
import { SEED_FIELDS } from './customer-seed-fields.ts';

const HOUR_MS = 3_600_000;
interface Seed {
  readonly values: Readonly<Record<string, string>>;
  /** Hours since the last contact. */
  readonly lastContact: number;
}

/** Their numbers are those that the exchange answers in its several ways, kept in several spellings. */
const SEEDS: readonly Seed[] = [
  {
    values: {
      customer_code: 'c01',
      name: 'Nguyễn Thị Mai',
      phone: '0900000200',
      member_no: 'agent001',
      company: 'Hoa Sen Events',
      standing: 'quote_sent',
      city: 'hcm',
      trip: 'Team retreat in Phú Quốc, 24 guests',
      guests: '24',
      departure: '12/12/2026',
      interests: 'sea',
      second_phone: '02838221235',
      note: 'Wants the quote split into rooms and activities.',
    },
    lastContact: 3,
  },
  {
    values: {
      customer_code: 'c02',
      name: 'Trần Văn Hùng',
      phone: '84900000183',
      member_no: 'agent001',
      company: 'Bến Thành Logistics',
      standing: 'booked',
      city: 'hcm',
      trip: 'Family trip to Đà Lạt, 5 guests',
      guests: '5',
      departure: '24/12/2026',
      interests: 'mountains',
      note: 'Deposit received. Needs a child seat for the transfer.',
    },
    lastContact: 27,
  },
  {
    values: {
      customer_code: 'c03',
      name: 'Lê Hoàng Anh',
      phone: '0900000100',
      member_no: 'agent002',
      company: 'An Phát Foods',
      standing: 'follow_up',
      city: 'can_tho',
      trip: 'Incentive tour to Bangkok, 40 guests',
      guests: '40',
      interests: 'city_tour',
      note: 'Asked us to call back after the board meeting.',
    },
    lastContact: 6 * 24,
  },
  {
    values: {
      customer_code: 'c04',
      name: 'Phạm Thu Hà',
      phone: '0900000486',
      company: 'Lotus Spa',
      standing: 'new_lead',
      city: 'da_nang',
      trip: 'Hội An weekend, 2 guests',
      guests: '2',
      departure: '05/12/2026',
      interests: 'sea,city_tour',
      note: 'Came through the website form.',
    },
    lastContact: 24,
  },
  {
    values: {
      customer_code: 'c05',
      name: 'Võ Minh Khoa',
      phone: '0900000402',
      member_no: 'agent002',
      company: 'Mekong Garden',
      standing: 'quote_sent',
      city: 'vinh_long',
      trip: 'River cruise, 12 guests',
      guests: '12',
      departure: '16/01/2027',
      note: 'Compares us with one other agency.',
    },
    lastContact: 2 * 24,
  },
  {
    values: {
      customer_code: 'c06',
      name: 'Đặng Quốc Bảo',
      phone: '+84912345678',
      member_no: 'agent003',
      company: 'Sông Hồng Textiles',
      standing: 'travelling',
      city: 'ha_noi',
      trip: 'Sa Pa trek, 8 guests',
      guests: '8',
      departure: '18/11/2026',
      interests: 'mountains',
      note: 'On tour until Friday; call only if the weather turns.',
    },
    lastContact: 9,
  },
  {
    values: {
      customer_code: 'c07',
      name: 'Sarah Bennett',
      phone: '02838221234',
      member_no: 'agent001',
      company: 'Bennett & Cole',
      standing: 'booked',
      city: 'hcm',
      trip: 'Hạ Long cruise, 6 guests',
      guests: '6',
      departure: '30/12/2026',
      interests: 'sea',
      note: 'Prefers English. Two guests are vegetarian.',
    },
    lastContact: 4 * 24,
  },
  {
    values: {
      customer_code: 'c08',
      name: 'Bùi Ngọc Lan',
      phone: '0900000603',
      company: 'Đà Lạt Flowers',
      standing: 'follow_up',
      city: 'da_lat',
      trip: 'Supplier visit to Singapore, 3 guests',
      guests: '3',
      note: 'Passports to be renewed first.',
    },
    lastContact: 11 * 24,
  },
];

/** @param now milliseconds since 1970; the histories end here */
export function firstCustomerData(now: number): CustomerData {
  const byContact = SEEDS.toSorted((a, b) => a.lastContact - b.lastContact);
  return {
    fields: SEED_FIELDS,
    customers: byContact.map((seed): Customer => ({ createdAt: createdAt(seed, now), values: seed.values })),
    interactions: byContact
      .flatMap((seed) => [contact(seed, now), creation(seed, now)])
      .toSorted((a, b) => b.createdAt - a.createdAt),
  };
}

function createdAt({ lastContact }: Seed, now: number): number {
  return now - (lastContact + 1) * HOUR_MS;
}

function creation(seed: Seed, now: number): Interaction {
  const { customer_code: customerCode = '', name = '', member_no: memberNo = '' } = seed.values;
  const at = createdAt(seed, now);
  return {
    createdAt: at,
    customerCode,
    memberNo,
    type: 'CUSTOMER',
    kind: 'CUSTOMER_CREATE',
    content: name,
  };
}

function contact({ values, lastContact }: Seed, now: number): Interaction {
  const { customer_code: customerCode = '', note = '', member_no: memberNo = '' } = values;
  const at = now - lastContact * HOUR_MS;
  return { createdAt: at, customerCode, memberNo, type: 'NOTE', kind: 'NOTE_INSERT', content: note };
}
