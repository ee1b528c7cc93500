import { expect } from '@open-wc/testing';
import { parseCallOptions } from '../../../src/dialer/calls/call-options.ts';

const NOTHING = { name: undefined, linkText: undefined, hotline: undefined, externalCallId: undefined };

describe('what a page says of a call', () => {
  for (const given of [
    null,
    undefined,
    'text',
    7,
    [],
    {},
    { name: null, hotline: null, externalCallId: null },
    { name: '', externalCallId: '' },
    { name: {}, hotline: {} },
    { name: 7, hotline: [] },
    { name: ' \n ' },
  ]) {
    it(`counts as nothing where it is ${JSON.stringify(given)}`, () => {
      expect(parseCallOptions(given)).to.deep.equal(NOTHING);
    });
  }

  it('is a name on one line, and no longer than somebody reads', () => {
    expect(parseCallOptions({ name: ' Nguyễn\r\nThị Mai ' }).name).to.equal('Nguyễn Thị Mai');
    expect(parseCallOptions({ name: 'x'.repeat(3000) }).name).to.have.lengthOf(200);
  });

  it('may be numbers, as JSON has them', () => {
    expect(parseCallOptions({ hotline: 842899990001, externalCallId: 42 })).to.include({
      hotline: '842899990001',
      externalCallId: '42',
    });
  });

  for (const externalCallId of ['A', 'a b', 'x'.repeat(33), {}, true]) {
    it(`is refused where the external call id is ${JSON.stringify(externalCallId)}`, () => {
      expect(() => parseCallOptions({ externalCallId })).to.throw('external call id');
    });
  }
});
