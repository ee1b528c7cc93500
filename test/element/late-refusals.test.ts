/**
 * What a refusal of the broker means, and the guide that tells it, is code of its own: a refusal may come before that is there.
 * Nobody is to be taken for able to call meanwhile, and nothing is to wait for ever.
 */
import { expect } from '@open-wc/testing';
import { chunks as brokerChunks } from '../../src/broker/client.ts';
import * as parseAnswer from '../../src/broker/parse-answer.ts';
import { Chunk } from '../../src/page/chunk.ts';
import * as guide from '../../src/ui/guide.ts';
import { chunks as panelChunks } from '../../src/ui/panels.ts';
import { codeOf, openDialer, passTime, press, reaches, settled, textOf } from '../support/dialer.ts';
import { until, type DialerPage } from '../support/dialer.ts';
import { json, readiness, session } from '../support/fake-broker.ts';

const FUNDS = 'Your call balance is used up. An admin has to add money before you can call.';
const SOFTWARE = 'The phone software could not be loaded.';
const known = { answers: brokerChunks.answers, guide: panelChunks.guide };

const REFUSALS: readonly (readonly [string, () => Response])[] = [
  ['HTTP 402', () => new Response('', { status: 402 })],
  ['the vendor envelope with error 402', () => json({ error: 402, message: 'Hết tiền', data: null })],
  ['a problem with the code', () => json({ code: 'insufficient-funds' }, 403, 'application/problem+json')],
];

describe('a refusal whose code is still on its way', () => {
  let page: DialerPage;
  let come: (() => void) | undefined;
  let attempts = 0;

  beforeEach(() => {
    attempts = 0;
  });
  afterEach(async () => {
    await page.close();
    brokerChunks.answers = known.answers;
    panelChunks.guide = known.guide;
  });

  const late = <T>(code: T) =>
    new Chunk<T>(() => {
      attempts += 1;
      return new Promise((resolve) => {
        come = () => resolve(code);
      });
    });
  const failing = <T>(code: T, failures: number) =>
    new Chunk<T>(async () => {
      attempts += 1;
      if (attempts <= failures) throw new Error('not to be had');
      return code;
    });

  for (const [name, refuse] of REFUSALS) {
    it(`is waited for, and is a guide once it has come: ${name}`, async () => {
      brokerChunks.answers = late(parseAnswer);
      page = await openDialer({}, (broker) => broker.on('POST session', refuse));
      const connected = codeOf(page.dialer.connect());
      await until(() => attempts === 1, 'the code being fetched');
      await passTime(3000);
      expect(page.dialer.state.status).to.equal('connecting');
      expect(page.events).to.deep.equal([]);

      come?.();
      await reaches(page.dialer, 'blocked');
      await until(() => textOf(page.dialer).includes(FUNDS), 'the guide');
      expect(await settled(connected)).to.equal('resolved');
      expect(await codeOf(page.dialer.call('0912345678'))).to.equal('insufficient-funds');
      expect(page.events).to.deep.equal(['blocked']);
    });
  }

  it('is an error with a way out where it never comes, and a guide when it comes after all', async () => {
    brokerChunks.answers = late(parseAnswer);
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => new Response('', { status: 402 })),
    );
    expect(await settled(codeOf(page.dialer.connect()))).to.equal('sdk-load-failed');
    await reaches(page.dialer, 'failed');
    expect(textOf(page.dialer)).to.include(SOFTWARE);
    expect(page.events).to.deep.equal(['error']);

    await press(page.dialer, 'Try again');
    await until(() => attempts === 2, 'another attempt');
    come?.();
    await until(() => textOf(page.dialer).includes(FUNDS), 'the guide');
    expect(page.events).to.deep.equal(['error', 'blocked']);
  });

  it('is fetched again by itself where it could not be had', async () => {
    brokerChunks.answers = failing(parseAnswer, 2);
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => new Response('', { status: 402 })),
    );
    await reaches(page.dialer, 'failed');
    await reaches(page.dialer, 'blocked');
    await until(() => textOf(page.dialer).includes(FUNDS), 'the guide');
    expect(attempts).to.equal(3);
    expect(page.events).not.to.include('ready');
  });

  it('is nobody’s any more where the dialer was removed meanwhile', async () => {
    brokerChunks.answers = late(parseAnswer);
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => new Response('', { status: 402 })),
    );
    const connected = codeOf(page.dialer.connect());
    await until(() => attempts === 1, 'the code being fetched');
    page.dialer.remove();
    expect(await settled(connected)).to.equal('not-ready');
    come?.();
    await passTime(1000);
    expect(page.dialer.state.status).to.equal('idle');
    expect(page.events).to.deep.equal([]);
  });

  it('leaves a phone that is ready as it is, where somebody only asked', async () => {
    page = await openDialer({}, (broker) => {
      broker.on('POST session', () => session({ links: { status: 'status' } }));
      broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    });
    await reaches(page.dialer, 'ready');
    // However often it is fetched: a phone that is ready fetches by itself what it may need.
    let isAway = true;
    brokerChunks.answers = new Chunk(() =>
      isAway ? Promise.reject(new Error('not to be had')) : Promise.resolve(parseAnswer),
    );
    expect(await settled(codeOf(page.dialer.recheck()))).to.equal('sdk-load-failed');
    expect(page.dialer.state.status).to.equal('ready');
    isAway = false;
    await page.dialer.recheck();
    expect(page.dialer.state.status).to.equal('blocked');
  });

  it('is told to the page and waited with until its guide can be drawn', async () => {
    panelChunks.guide = late(guide);
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => new Response('', { status: 402 })),
    );
    await reaches(page.dialer, 'blocked');
    expect(page.events).to.deep.equal(['blocked']);
    expect(page.dialer.shadowRoot?.querySelectorAll('.spinner')).to.have.length(1);
    expect(page.dialer.shadowRoot?.querySelectorAll('.dialpad')).to.have.length(0);
    // Nothing answered, and then it was asked for once more.
    await passTime(25_000);
    await until(() => attempts === 2, 'another attempt');
    come?.();
    await until(() => textOf(page.dialer).includes(FUNDS), 'the guide');
  });
});
