import { expect } from '@open-wc/testing';
import * as z from 'zod';

describe('a page with a zod of its own', () => {
  it('finds its configuration as it was, also once the dialer has parsed something', async () => {
    const before = { ...z.config() };
    await import('../../src/index.ts');
    const { parseSession } = await import('../../src/broker/parse-answer.ts');
    parseSession({ status: 200, body: '{"token":"a.b.c"}' });
    expect(z.config()).to.deep.equal(before);
    expect(z.config()).not.to.have.property('jitless');
  });
});
