/** The two letters of an avatar. */
import { expect } from '@open-wc/testing';
import { toInitials } from '../../src/ui/views/party.ts';

const INITIALS: Readonly<Record<string, string | undefined>> = {
  'Nguyễn Thị Mai': 'NM',
  'Đặng Văn Ứng': 'ĐỨ',
  'lê văn hùng': 'LH',
  'Anna-Lena O’Brien': 'AO',
  // Written with combining accents, as macOS does.
  [`Đ${'ặng'.normalize('NFD')} ${'Ứng'.normalize('NFD')}`]: 'ĐỨ',
  // A form of address is not a name.
  'Anh Trần Quốc Tuấn': 'TT',
  'Chị Mai Lan': 'ML',
  'Mr. John Smith': 'JS',
  'Ms Võ Hà': 'VH',
  'Ông Lê Lợi': 'LL',
  'Nguyễn Vân Anh': 'NA',
  'Công ty TNHH Thương mại và Du lịch Bình Minh': 'TM',
  'CÔNG TY CỔ PHẦN Hoa Sen': 'HS',
  'Cty Hoa Sen': 'HS',
  'Phạm Thu Hà (khách cũ)': 'PH',
  // Nobody, one word only, several people, letters that say nothing beside each other.
  '': undefined,
  '   ': undefined,
  Mai: undefined,
  'Anh Mai': undefined,
  'Công ty': undefined,
  'Bà ': undefined,
  'Nguyễn Thị Mai, Lê Văn Hùng': undefined,
  '0912 345 678': undefined,
  'Khách 2': undefined,
  'Иван Петров': undefined,
  '山田 太郎': undefined,
  'محمد علي': undefined,
  '🌸 Mai Anh': undefined,
  'Mai 🌸': undefined,
};

describe('the initials of a name', () => {
  for (const [name, initials] of Object.entries(INITIALS)) {
    it(`of "${name}" are ${initials ?? 'none: a person is drawn'}`, () => {
      expect(toInitials(name)).to.equal(initials);
    });
  }

  it('are two letters or none, whatever the vendor sends', () => {
    for (const name of [
      'ß ß',
      'ﬁ ﬁ',
      'A'.repeat(3000),
      'a b '.repeat(2000),
      '\u0000 \u0000',
      '( a b',
      'Mr Mr Mr',
    ]) {
      expect(toInitials(name) ?? '--', name.slice(0, 9)).to.have.lengthOf.within(2, 4);
    }
  });
});
