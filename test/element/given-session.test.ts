/** The page has begun the sign-in itself, and gives the broker's answer: `session`. */
import { expect } from '@open-wc/testing';
import { PartnerDialer } from '../../src/index.ts';
import { nextTurn, openDialer, passTime, reaches, sdk, settled, until } from '../support/dialer.ts';
import { BROKE, json, MEMBER, session } from '../support/fake-broker.ts';
import { openOtherTab } from '../support/other-tab.ts';

const HOUR_MS = 3_600_000;
const GIVEN = { token: 'given.by.page', member: MEMBER, blockers: [] };
const OTHER = { ...MEMBER, memberNo: 'agent002', name: 'Trần Văn Bình' };
const token = () => sdk().getAttribute('token');
const fresh = (change: object = {}) => ({ ...GIVEN, ...change });
const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();

/** With a token that is valid for an hour, by the broker's clock. */
function dated(): Response {
  const response = session({ token: GIVEN.token, expiresAt: inTime(HOUR_MS) });
  response.headers.set('Date', new Date().toUTCString());
  return response;
}

/** A function: each test gives an answer of its own, because each answer is used once. */
const FORMS: Readonly<Record<string, () => object>> = {
  'the answer': fresh,
  'the answer with its end': () => fresh({ expiresAt: inTime(HOUR_MS) }),
  'a promise of the answer': async () => fresh(),
  'a Response': () => session({ token: GIVEN.token }),
  'a promise of a Response': async () => session({ token: GIVEN.token }),
  'a promise that is slow': () => passTime(3000).then(() => fresh()),
};

const WRONG: Readonly<Record<string, () => unknown>> = {
  failed: () => Promise.reject(new TypeError('Failed to fetch')),
  'a refused Response': () => json({ code: 'broker-unauthorized' }, 401),
  'a page of HTML': () => new Response('<!doctype html><title>Log in</title>'),
  'a Response that the page has read': () => {
    const response = session();
    void response.text();
    return response;
  },
  'an answer of another form': () => ({ accessToken: 'x' }),
  'a text': () => 'given.by.page',
  'an empty array': () => [],
  'a token that has ended': () => fresh({ expiresAt: inTime(-1000) }),
  'an answer that never comes': () => new Promise(() => undefined),
};

/** Of all tests of this file. */
const all: string[] = [];
let warnings: string[] = [];
const { warn } = console;
beforeEach(() => {
  warnings = [];
  console.warn = (...words: unknown[]) => warnings.push(words.join(' '));
});
afterEach(() => {
  all.push(...warnings);
  console.warn = warn;
});

async function openWith(...sessions: readonly unknown[]) {
  const page = await openDialer({ 'connect-mode': 'manual' });
  for (const each of sessions) Object.assign(page.dialer, { session: each });
  return page;
}

describe('a sign-in that the page has begun', () => {
  for (const [form, give] of Object.entries(FORMS)) {
    it(`as ${form} needs no request of the dialer's own, and is in nobody's sight`, async () => {
      const { dialer, broker } = await openWith(give());
      dialer.setAttribute('connect-mode', 'auto');
      await reaches(dialer, 'ready');
      expect([token(), broker.count('POST session')]).to.deep.equal([GIVEN.token, 0]);
      expect(dialer.member?.memberNo).to.equal(MEMBER.memberNo);
      expect(dialer.session).to.equal(undefined);
      const seen = [dialer.supportDetails(), JSON.stringify(dialer.state), dialer.outerHTML].join('\n');
      expect(seen).not.to.include(GIVEN.token);
      expect(warnings).to.deep.equal([]);
    });
  }

  for (const [form, give] of Object.entries(WRONG)) {
    it(`with ${form} is begun again by the dialer`, async () => {
      const { dialer, broker } = await openWith(give());
      await settled(dialer.connect());
      expect([token(), broker.count('POST session')]).to.deep.equal(['header.payload.signature', 1]);
      expect(warnings.join('\n')).not.to.match(/header|given|page|fetch/);
    });
  }

  it('is warned about once, however often it cannot be used', () => {
    expect(all.filter((each) => each.includes('session has failed'))).to.have.length(1);
  });

  it('shows the guide when the broker says to the page that there is no money', async () => {
    for (const answer of [
      json({ code: 'insufficient-funds' }, 402),
      json({}, 402),
      json({ ...GIVEN, ...BROKE }),
    ]) {
      const { dialer, broker, close } = await openWith(answer);
      await settled(dialer.connect());
      expect(dialer.state.block).to.include({ reason: 'insufficient-funds' });
      expect(broker.count('POST session')).to.equal(0);
      await close();
    }
  });

  it('is taken over by a tag that is defined later', async () => {
    const { broker } = await openDialer({ 'connect-mode': 'manual' });
    const dialer = document.createElement('late-dialer') as PartnerDialer;
    dialer.setAttribute('broker-url', broker.url);
    dialer.setAttribute('sdk-url', '/sdk.js');
    dialer.session = Promise.resolve(fresh());
    document.body.append(dialer);
    customElements.define('late-dialer', class extends PartnerDialer {});
    await reaches(dialer, 'ready');
    expect([token(), broker.count('POST session')]).to.deep.equal([GIVEN.token, 0]);
    expect(Object.hasOwn(dialer, 'session')).to.equal(false);
    dialer.remove();
    await passTime(1000);
  });

  it('is used once: neither for the next sign-in, nor when it is given again', async () => {
    const answer = fresh();
    const { dialer, broker, close } = await openWith(answer, answer);
    await settled(dialer.connect());
    expect([token(), broker.count('POST session')]).to.deep.equal([GIVEN.token, 0]);
    await dialer.disconnect();
    for (const again of [answer, fresh({ member: OTHER })]) dialer.session = again;
    await settled(dialer.connect());
    expect([dialer.member?.memberNo, broker.count('POST session')]).to.deep.equal([MEMBER.memberNo, 1]);
    await close();
    const next = await openWith(answer);
    await settled(next.dialer.connect());
    expect(next.broker.count('POST session')).to.equal(1);
  });

  it('that was given twice is used as it was given last', async () => {
    const { dialer } = await openWith(fresh({ token: 'first' }), fresh());
    await settled(dialer.connect());
    expect(token()).to.equal(GIVEN.token);
  });

  it('is not used when it comes after the sign-in has begun, or is taken back', async () => {
    let { dialer, broker, close } = await openDialer();
    dialer.session = Promise.reject(new Error('late'));
    dialer.session = fresh();
    await reaches(dialer, 'ready');
    expect([token(), broker.count('POST session')]).to.deep.equal(['header.payload.signature', 1]);
    await close();
    ({ dialer, broker } = await openWith(fresh(), null));
    await settled(dialer.connect());
    expect(broker.count('POST session')).to.equal(1);
  });

  it('of an agent who has left is not the sign-in of the next one', async () => {
    const { dialer, broker } = await openWith(fresh({ member: OTHER }));
    await dialer.disconnect();
    await settled(dialer.connect());
    expect([dialer.member?.memberNo, broker.count('POST session')]).to.deep.equal([MEMBER.memberNo, 1]);
  });

  for (const [what, change] of Object.entries({
    'another broker': { brokerUrl: new URL('/broker/session?of=other', location.href).href },
    'other headers': { brokerHeaders: { Authorization: 'Bearer later' } },
  })) {
    it(`is not used with ${what}`, async () => {
      for (const isEarly of [true, false]) {
        const { dialer, broker, close } = await openWith(isEarly ? fresh() : new Promise(() => undefined));
        if (!isEarly) settled(dialer.connect()).catch(() => undefined);
        await nextTurn();
        Object.assign(dialer, change);
        await settled(dialer.connect());
        expect(broker.count('POST session'), String(isEarly)).to.equal(1);
        await close();
      }
    });
  }

  it('waits beside the tab that has the phone, and is used when it gets the phone, unless it is too old by then', async () => {
    for (const [life, expected] of [
      [HOUR_MS, [GIVEN.token, 0]],
      [4000, ['header.payload.signature', 1]],
    ] as const) {
      const tab = await openOtherTab({ is: 'idle' });
      const { dialer, broker, close } = await openWith(fresh({ expiresAt: inTime(life) }));
      settled(dialer.connect()).catch(() => undefined);
      await reaches(dialer, 'blocked');
      expect(dialer.state.block).to.include({ reason: 'active-elsewhere' });
      // Not at once: the messages between tabs take real time, and a tab that does not answer counts as hanging.
      for (let half = 0; half < 7; half += 1) await passTime(500);
      expect([dialer.state.status, broker.count('POST session')]).to.deep.equal(['blocked', 0]);
      tab.close();
      await reaches(dialer, 'ready');
      expect([token(), broker.count('POST session')]).to.deep.equal(expected);
      await close();
    }
  });

  it('that the agent has left unused for long is begun again', async () => {
    for (const answer of [fresh(), dated()]) {
      const { dialer, broker, close } = await openWith(answer);
      await passTime(2 * HOUR_MS);
      await settled(dialer.connect());
      expect(broker.count('POST session')).to.equal(1);
      await close();
    }
  });

  it('is renewed by the dialer, from the time when it was given', async () => {
    const { dialer, broker } = await openWith(dated());
    await passTime(0.7 * HOUR_MS);
    await settled(dialer.connect());
    expect(broker.count('POST session')).to.equal(0);
    // Not beyond it: the broker's timeout would pass, too, before its answer is read.
    await passTime(0.1 * HOUR_MS - 5000);
    await until(() => token() === 'header.payload.signature', 'the next token');
    expect(broker.count('POST session')).to.equal(1);
  });

  it('goes on in the tag that is moved, and is begun again in one that was removed meanwhile', async () => {
    const { dialer, broker, close } = await openWith(passTime(3000).then(() => fresh()));
    dialer.setAttribute('connect-mode', 'auto');
    await nextTurn();
    document.body.prepend(dialer);
    await reaches(dialer, 'ready');
    expect(broker.count('POST session')).to.equal(0);
    await close();
    const next = await openWith(new Promise(() => undefined));
    next.dialer.setAttribute('connect-mode', 'auto');
    await nextTurn();
    next.dialer.remove();
    await nextTurn();
    document.body.append(next.dialer);
    await reaches(next.dialer, 'ready');
    expect(next.broker.count('POST session')).to.equal(1);
  });
});
