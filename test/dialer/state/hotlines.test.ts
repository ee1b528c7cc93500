import { expect } from '@open-wc/testing';
import { chooseCallerNumber } from '../../../src/dialer/state/hotlines.ts';

const hotlines = [
  { name: 'Sales', number: '842899990001' },
  { name: 'Support', number: '19001234' },
];

describe('the caller number of a call', () => {
  for (const [wish, number] of [
    ['+84 28 9999 0001', '842899990001'],
    ['1900 1234', '19001234'],
    ['+84 1900 1234', '19001234'],
    ['0084 19001234', '19001234'],
  ] as const) {
    it(`is the member's own, however the page writes it: ${wish}`, () => {
      expect(chooseCallerNumber(hotlines, [wish])).to.equal(number);
    });
  }

  it('is the first of those that the member has', () => {
    expect(chooseCallerNumber(hotlines, ['', undefined, '0999', '19001234'])).to.equal('19001234');
    expect(chooseCallerNumber(hotlines, [])).to.equal('842899990001');
    expect(chooseCallerNumber([], ['19001234'])).to.equal(undefined);
  });
});
