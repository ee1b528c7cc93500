import { expect } from '@open-wc/testing';
import { chooseCallerNumber } from '../../src/dialer/caller-number.ts';

const HOTLINES = [
  { name: 'Sales', number: '842899990001' },
  { name: 'Care', number: '19001234' },
];

describe('the caller number of a call', () => {
  for (const wish of ['19001234', '1900 1234', '+8419001234', '+84 1900 1234', '8419001234']) {
    it(`is the hotline that the page prefers as ${wish}`, () => {
      expect(chooseCallerNumber(HOTLINES, [undefined, '', wish])).to.equal('19001234');
    });
  }

  it('is the first wish that is the member’s own, else the first hotline', () => {
    expect(chooseCallerNumber(HOTLINES, ['0912345678', '19001234', '028 9999 0001'])).to.equal('19001234');
    expect(chooseCallerNumber(HOTLINES, ['+84 (0)28 9999 0001', '19001234'])).to.equal('842899990001');
    expect(chooseCallerNumber(HOTLINES, ['0912345678'])).to.equal('842899990001');
    expect(chooseCallerNumber([], ['19001234'])).to.equal(undefined);
  });
});
