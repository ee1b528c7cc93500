/** The fields of a new sandbox's customers: those that every vendor has, and a custom one of every type. */
import type { CustomerField, FieldOption } from './customer-data.ts';

const COLORS = { color: '#EFF6FF', textColor: '#1D4ED8' };
const FIRST_DAY = Date.UTC(2026, 5, 23);

const FIELDS: readonly CustomerField[] = [
  field('name', 'Name', 'STRING', { isRequired: true, isDefault: true }),
  field('customer_code', 'Customer code', 'STRING', { isRequired: true, isUnique: true, isDefault: true }),
  field('phone', 'Phone', 'PHONE', { isDefault: true }),
  field('member_no', 'Member in charge', 'STRING', { isDefault: true }),
  field('company', 'Company', 'STRING'),
  field('standing', 'Standing', 'RADIO', {
    options: [
      option('new_lead', 'New lead', { textColor: '#0284C7' }),
      option('quote_sent', 'Quote sent', { textColor: '#2563EB' }),
      option('booked', 'Booked', { textColor: '#16A34A' }),
      option('follow_up', 'Follow up', { textColor: '#D97706' }),
      option('travelling', 'Travelling', { textColor: '#7C3AED' }),
    ],
  }),
  field('city', 'City', 'SELECT', {
    options: [
      option('south', 'Miền Nam', { type: 'OPTGROUP' }),
      option('hcm', 'Hồ Chí Minh', { groupCode: 'south' }),
      option('can_tho', 'Cần Thơ', { groupCode: 'south' }),
      option('vinh_long', 'Vĩnh Long', { groupCode: 'south' }),
      option('centre', 'Miền Trung', { type: 'OPTGROUP' }),
      option('da_nang', 'Đà Nẵng', { groupCode: 'centre' }),
      option('da_lat', 'Đà Lạt', { groupCode: 'centre' }),
      option('north', 'Miền Bắc', { type: 'OPTGROUP' }),
      option('ha_noi', 'Hà Nội', { groupCode: 'north' }),
    ],
  }),
  field('trip', 'Trip', 'STRING'),
  field('guests', 'Guests', 'NUMBER'),
  field('departure', 'Departure', 'DATE'),
  field('interests', 'Interests', 'CHECKBOX', {
    options: [option('sea', 'Sea'), option('mountains', 'Mountains'), option('city_tour', 'City')],
  }),
  field('second_phone', 'Second phone', 'PHONE'),
  field('note', 'Note', 'TEXT'),
];

export const SEED_FIELDS: readonly CustomerField[] = FIELDS.map(numbered);

/** In the order they are written here. */
function numbered(one: CustomerField, index: number): CustomerField {
  const options = one.options.map((choice, place) => ({ ...choice, number: place + 1 }));
  return { ...one, number: index + 1, options };
}

function field(
  code: string,
  name: string,
  type: CustomerField['type'],
  facts: Partial<CustomerField> = {},
): CustomerField {
  return {
    code,
    name,
    type,
    ...COLORS,
    description: '',
    number: 0,
    isRequired: false,
    isUnique: false,
    isDefault: false,
    createdAt: FIRST_DAY,
    options: [],
    ...facts,
  };
}

function option(code: string, name: string, facts: Partial<FieldOption> = {}): FieldOption {
  return { code, name, type: 'OPTION', groupCode: '', ...COLORS, number: 0, createdAt: FIRST_DAY, ...facts };
}
