import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../../src/index.ts';
import { BROKE, json, MEMBER, readiness, session } from '../../support/fake-broker.ts';
import {
  button,
  openBlocked,
  openReady,
  passTime,
  press,
  reaches,
  settled,
  textOf,
  until,
  type DialerPage,
} from '../../support/dialer.ts';

const ASK = 'Ask for a top-up';
const CHECK = 'Not known yet. Check again';
const CUT = () => Promise.reject(new TypeError('Failed to fetch'));
const TOO_SMALL = () => json({ code: 'top-up-too-small' }, 402);
const SAYS = {
  paid: 'You can call again',
  limit: 'Today’s top-up limit is reached. Ask again tomorrow',
  unknown: 'It is not known yet whether your request worked. Check first.',
  refused: 'Your request was refused. Please tell your admin.',
  failed: 'Your request did not get through. Please try again.',
};

/** A broker that keeps the request for a top-up until the test answers it, and says of the member what is true. */
class PayingBroker {
  hasPaid = false;
  /** Until then. */
  balance = 0;
  /** Absent: the broker names nobody. */
  memberNo: string | undefined = MEMBER.memberNo;
  /** In milliseconds, of each token. */
  tokenLife = 600_000;
  readonly #open: ((answer: Response | Promise<Response>) => void)[] = [];
  #tokens = 0;
  #delay: Promise<void> | undefined;

  /** What it is asked, in order. */
  asked: () => string[] = () => [];
  get answers() {
    const member = () => ({ ...(this.hasPaid || this.balance > 0 ? {} : BROKE), member: this.#member });
    return {
      'POST session': () =>
        session({
          ...member(),
          token: `token${(this.#tokens += 1)}`,
          expiresAt: new Date(Date.now() + this.tokenLife).toISOString(),
        }),
      'GET status': async () => {
        const answer = readiness(member());
        const delay = this.#delay;
        this.#delay = undefined;
        await delay;
        return answer;
      },
      'POST top-up': () => new Promise<Response>((resolve) => this.#open.push(resolve)),
    };
  }

  get waiting(): number {
    return this.#open.length;
  }

  answer(answer: () => Response | Promise<Response>): void {
    this.#open.shift()?.(answer());
  }

  pay(): void {
    this.hasPaid = true;
    this.answer(() => readiness({ member: this.#member }));
  }

  /** The next status arrives when the test lets it: it says what was true when it was asked for. */
  delayStatus(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#delay = promise;
    return resolve;
  }

  get #member() {
    const { memberNo, hasPaid, balance } = this;
    return memberNo === undefined ? undefined : { ...MEMBER, memberNo, balance: hasPaid ? 12_500 : balance };
  }
}

async function openAsking(tokenLife = 600_000) {
  const bank = new PayingBroker();
  bank.tokenLife = tokenLife;
  const page = await openBlocked(bank.answers);
  const { dialer, broker } = page;
  await until(() => dialer.state.line.is === 'up', 'a line');
  await press(dialer, ASK);
  await until(() => bank.waiting === 1, 'the request');
  const posts = () => broker.count('POST top-up');
  return { page, dialer, bank, posts };
}

/** The agent has some money left, has asked for more, and reads that nothing is known yet. */
async function openUnknown() {
  const bank = new PayingBroker();
  bank.balance = 400;
  const { dialer, broker } = await openReady({}, bank.answers);
  await press(dialer, ASK);
  await passTime(11_000);
  await reads(dialer, CHECK);
  return { dialer, broker, bank, posts: () => broker.count('POST top-up') };
}

/** The agent asks, and the page's headers are not there until the test sends them. */
async function askWithoutHeaders(dialer: PartnerDialer): Promise<() => Promise<void>> {
  const headers = Promise.withResolvers<Record<string, string>>();
  let asked = 0;
  dialer.brokerHeaders = () => ((asked += 1) === 1 ? headers.promise : {});
  await dialer.updateComplete;
  await press(dialer, ASK);
  await until(() => asked > 0, 'the headers');
  return () => {
    headers.resolve({});
    return passTime(200);
  };
}

const reads = (dialer: PartnerDialer, text: string) => until(() => textOf(dialer).includes(text), text);

/** What may happen while the request is at the broker. */
const MEANWHILE: Readonly<Record<string, (page: DialerPage) => Promise<unknown>>> = {
  'the network comes back': async ({ dialer, broker }) => {
    dispatchEvent(new Event('online'));
    await until(() => broker.count('POST session') === 2, 'the new connection');
    await until(() => dialer.state.line.is === 'up', 'a line');
  },
  'the token is renewed': async ({ dialer, broker }) => {
    await until(() => broker.count('POST session') === 2, 'the renewal');
    await until(() => dialer.state.line.is === 'up', 'a line');
  },
  'the address of the SDK changes': async ({ dialer, broker }) => {
    dialer.sdkBaseUrl = 'https://api.example';
    await until(() => broker.count('POST session') === 2, 'the new connection');
    await until(() => dialer.state.line.is === 'up', 'a line');
  },
  'the address of the broker changes': async ({ dialer }) => {
    dialer.brokerUrl += '?changed';
    await dialer.updateComplete;
    await reaches(dialer, 'blocked');
  },
  'the page disconnects and connects': async ({ dialer }) => {
    await dialer.disconnect();
    await settled(dialer.connect());
  },
  'the agent checks': ({ dialer }) => settled(dialer.recheck()),
  'the broker takes 30 seconds': () => passTime(30_000),
};

const signInAs =
  (memberNo: string | undefined) =>
  async (bank: PayingBroker, dialer: PartnerDialer): Promise<void> => {
    bank.memberNo = memberNo;
    await dialer.disconnect();
    await settled(dialer.connect());
  };

/** A sign-in that is under way when the answer comes, and tells what was true before it. */
const SIGNS_IN: Readonly<Record<string, (dialer: PartnerDialer) => Promise<void>>> = {
  'the network came back': async () => void dispatchEvent(new Event('online')),
  'the page has disconnected': async (dialer) => {
    await dialer.disconnect();
    dialer.connect().catch(() => undefined);
  },
};

describe('a request that may have moved money', () => {
  for (const [why, signIn] of Object.entries(SIGNS_IN)) {
    it(`is not sent again before the state is known when it is answered during a sign-in, as ${why}`, async () => {
      const { page, dialer, bank, posts } = await openAsking();
      const stale = bank.answers['POST session']();
      const late = Promise.withResolvers<Response>();
      page.broker.on('POST session', () => late.promise);
      await signIn(dialer);
      await until(() => page.broker.count('POST session') === 2, 'the sign-in');
      bank.pay();
      await passTime(200);
      late.resolve(stale);
      await until(() => dialer.state.line.is === 'up', 'a line');
      await press(dialer, ASK);
      await passTime(1000);
      expect(posts()).to.equal(1);
      await reads(dialer, SAYS.paid);
    });
  }

  for (const [what, happens] of Object.entries(MEANWHILE)) {
    it(`is neither cut off nor repeated when ${what}, and its answer is shown`, async () => {
      const { page, dialer, bank, posts } = await openAsking(what.includes('token') ? 10_000 : undefined);
      // The check gets the answer of the request, at most 10 s later.
      await happens(page);
      for (let time = 0; time < 2; time += 1) {
        for (const each of dialer.shadowRoot?.querySelectorAll('button') ?? [])
          if ([ASK, 'Asking…'].includes(each.textContent.trim())) each.click();
        await passTime(500);
      }
      expect(posts(), 'requests').to.equal(1);
      expect(dialer.state.block).to.include({ is: 'blocked' });
      expect(textOf(dialer)).to.match(/Asking…|It is not known yet/);
      bank.pay();
      await reads(dialer, SAYS.paid);
      expect(posts()).to.equal(1);
    });

    it(`says why it was refused, although meanwhile ${what}`, async () => {
      const { page, dialer, bank } = await openAsking(what.includes('token') ? 10_000 : undefined);
      await happens(page);
      bank.answer(() => json({ code: 'top-up-limit' }, 429));
      await reads(dialer, SAYS.limit);
    });

    it(`shows nothing to another member, who signs in after ${what}`, async () => {
      const { page, dialer, bank, posts } = await openAsking(what.includes('token') ? 10_000 : undefined);
      await happens(page);
      bank.memberNo = 'agent002';
      dialer.sdkUrl = '/other.js';
      await until(() => dialer.state.member?.memberNo === 'agent002', 'the other member');
      await reaches(dialer, 'blocked');
      expect(textOf(dialer)).to.include(ASK).and.not.include('Asking').and.not.include('not known');
      bank.answer(() => json({ code: 'top-up-limit' }, 429));
      await passTime(1000);
      expect(textOf(dialer)).to.include(ASK).and.not.include('limit');
      await press(dialer, ASK);
      await until(() => posts() === 2, 'a request of their own');
    });
  }

  it('that went out with the next member’s session is not sent again for them while it is under way', async () => {
    const { dialer, bank, posts } = await openAsking();
    bank.memberNo = 'agent002';
    dialer.sdkUrl = '/other.js';
    await until(() => dialer.state.member?.memberNo === 'agent002', 'the other member');
    await reaches(dialer, 'blocked');
    await press(dialer, ASK);
    await reads(dialer, SAYS.unknown);
    expect(posts()).to.equal(1);
    bank.pay();
    await reads(dialer, SAYS.paid);
    expect(posts()).to.equal(1);
  });

  it('is not sent twice at a time after one of another member of which nothing is known', async () => {
    const { dialer, bank, posts } = await openAsking();
    bank.answer(CUT);
    await reads(dialer, SAYS.unknown);
    bank.memberNo = 'agent002';
    dialer.sdkUrl = '/other.js';
    await until(() => dialer.state.member?.memberNo === 'agent002', 'the other member');
    await reaches(dialer, 'blocked');
    await press(dialer, ASK);
    await until(() => posts() === 2, 'a request of their own');
    await passTime(11_000);
    await reads(dialer, SAYS.unknown);
    await press(dialer, ASK);
    await passTime(1000);
    expect(posts()).to.equal(2);
  });

  for (const [what, answer] of Object.entries({
    'is cut off': CUT,
    'ends with 500': () => json({}, 500),
    'ends with 503 of VBot': () => json({ code: 'vendor-unreachable' }, 503),
    'ends with 408': () => json({}, 408),
    'cannot be read': () => new Response('<h1>Back soon</h1>'),
  })) {
    it(`reads "not known yet" if it ${what}; the next press asks for the state, and sends it only if needed`, async () => {
      const { dialer, page, bank, posts } = await openAsking();
      bank.answer(answer);
      await reads(dialer, SAYS.unknown);
      expect(page.events).to.include('error');
      const first = page.broker.asked.length;
      await press(dialer, ASK);
      await until(() => posts() === 2, 'the second request');
      const asked = page.broker.asked.slice(first).map(({ method, path }) => `${method} ${path}`);
      expect(asked).to.deep.equal(['GET status', 'POST top-up']);
      bank.answer(answer);
      await reads(dialer, SAYS.unknown);
      bank.hasPaid = true;
      await press(dialer, ASK);
      await reads(dialer, SAYS.paid);
      expect(posts(), 'nothing is needed').to.equal(2);
    });
  }

  for (const [what, answer, says] of [
    ['for want of a sign-in', () => json({}, 401), SAYS.failed],
    ['because of too many requests', () => json({ code: 'too-many-requests' }, 429), SAYS.failed],
    ['with 402', () => json({}, 402), SAYS.refused],
    ['as too small', TOO_SMALL, 'One top-up is not enough'],
    ['with a code of a newer broker', () => json({ code: 'top-up-another' }, 402), SAYS.refused],
  ] as const) {
    it(`that the broker refuses ${what} has moved none: the agent reads so, and may ask again at once`, async () => {
      const { dialer, bank, posts, page } = await openAsking();
      bank.answer(answer);
      await reads(dialer, says);
      await press(dialer, ASK);
      await until(() => posts() === 2, 'the second request');
      expect(page.broker.count('GET status')).to.equal(0);
    });
  }

  it('is not sent again before the page’s headers are there, and "not known" is not said of it', async () => {
    const bank = new PayingBroker();
    const { dialer, broker } = await openBlocked(bank.answers);
    await until(() => dialer.state.line.is === 'up', 'a line');
    dialer.brokerHeaders = () => new Promise(() => undefined);
    await dialer.updateComplete;
    await press(dialer, ASK);
    await reads(dialer, SAYS.failed);
    expect(broker.count('POST top-up')).to.equal(0);
  });

  it('is not sent if the sign-in that it waits for says that the money has come', async () => {
    const bank = new PayingBroker();
    const { dialer, broker } = await openBlocked(bank.answers);
    await until(() => dialer.state.line.is === 'up', 'a line');
    const signIn = Promise.withResolvers<Response>();
    broker.on('POST session', () => signIn.promise);
    dialer.setAttribute('sdk-base-url', 'https://other.example');
    await until(() => dialer.state.line.is === 'connecting', 'the sign-in');
    await press(dialer, ASK);
    bank.hasPaid = true;
    signIn.resolve(bank.answers['POST session']());
    await reads(dialer, SAYS.paid);
    expect(broker.count('POST top-up')).to.equal(0);
  });

  for (const [what, before, happen] of [
    [
      'the money has come',
      MEMBER.memberNo,
      (bank: PayingBroker, dialer: PartnerDialer) => {
        bank.hasPaid = true;
        return until(() => dialer.state.canCall, 'the money');
      },
    ],
    ['another member has signed in', MEMBER.memberNo, signInAs('agent002')],
    ['a member has signed in after one whom the broker did not name', undefined, signInAs('agent002')],
    ['the page has signed in again at a broker that names nobody', undefined, signInAs(undefined)],
  ] as const) {
    it(`is not sent if ${what} before the page’s headers are there`, async () => {
      const bank = new PayingBroker();
      bank.memberNo = before;
      const { dialer, broker } = await openBlocked(bank.answers);
      await until(() => dialer.state.line.is === 'up', 'a line');
      const send = await askWithoutHeaders(dialer);
      await happen(bank, dialer);
      await send();
      expect(broker.count('POST top-up')).to.equal(0);
    });
  }

  it('is not said to be asked for if the network went before the page’s headers were there', async () => {
    const bank = new PayingBroker();
    bank.balance = 400;
    const { dialer, broker } = await openReady({}, bank.answers);
    const send = await askWithoutHeaders(dialer);
    dispatchEvent(new Event('offline'));
    await reaches(dialer, 'blocked');
    await send();
    dispatchEvent(new Event('online'));
    await passTime(100);
    expect(broker.count('POST top-up')).to.equal(0);
    expect(textOf(dialer)).not.to.match(/sent|asked|requested/i);
  });

  it('is not sent because of a refusal of the sign-in that a later one has overtaken', async () => {
    const links = { topUp: 'top-up' };
    const { dialer, broker } = await openBlocked({
      'POST session': () => session({ ...BROKE, links }),
      'POST top-up': CUT,
    });
    await until(() => dialer.state.line.is === 'up', 'a line');
    await press(dialer, ASK);
    await reads(dialer, SAYS.unknown);
    const refusal = Promise.withResolvers<Response>();
    const before = broker.count('POST session');
    broker.on('POST session', () => refusal.promise);
    await press(dialer, ASK);
    await until(() => broker.count('POST session') > before, 'the state');
    broker.on('POST session', () => session({ links }));
    await until(() => dialer.state.canCall, 'the money');
    refusal.resolve(json({}, 402));
    await passTime(300);
    expect([dialer.state.status, broker.count('POST top-up')]).to.deep.equal(['ready', 1]);
  });

  it('for a caller number is not sent again once there is one, however little money there is', async () => {
    const member = { ...MEMBER, balance: 400 };
    const none = { member, hotlines: [], blockers: ['no-hotline'] };
    const { dialer, broker } = await openBlocked({
      'POST session': () => session(none),
      'GET status': () => readiness(none),
      'POST hotline': CUT,
    });
    await press(dialer, 'Ask for a caller number');
    await reads(dialer, SAYS.unknown);
    broker.on('POST session', () => session({ member, token: 'token2' }));
    broker.on('GET status', () => readiness({ member }));
    await press(dialer, 'Ask for a caller number');
    await reads(dialer, SAYS.paid);
    expect(broker.count('POST hotline')).to.equal(1);
  });

  it('is waited for at most a minute, and asked about before the next one', async () => {
    const { dialer, bank, posts, page } = await openAsking();
    await passTime(11_000);
    await reads(dialer, SAYS.unknown);
    await press(dialer, ASK);
    await passTime(1000);
    await reads(dialer, SAYS.unknown);
    expect([posts(), page.broker.count('GET status') > 0]).to.deep.equal([1, true]);
    await passTime(50_000);
    await press(dialer, ASK);
    await until(() => posts() === 2, 'the second request');
    bank.answer(CUT);
    bank.pay();
    await reads(dialer, SAYS.paid);
  });

  it('is shown with its result to an agent who still has money', async () => {
    const { dialer, broker, bank, posts } = await openUnknown();
    await press(dialer, CHECK);
    await passTime(1000);
    expect([posts(), broker.count('GET status')]).to.deep.equal([1, 1]);
    bank.answer(TOO_SMALL);
    await reads(dialer, 'One top-up is not enough.');
  });

  for (const [what, answer, says] of [
    ['it is carried out', undefined, ''],
    ['it is refused', TOO_SMALL, 'One top-up is not enough.'],
    ['it is cut off', CUT, CHECK],
  ] as const)
    it(`is not charged twice to an agent who presses again, and whose state is from before ${what}`, async () => {
      const { dialer, broker, bank, posts } = await openUnknown();
      const arrive = bank.delayStatus();
      await press(dialer, CHECK);
      await until(() => broker.count('GET status') === 1, 'the state');
      if (answer) bank.answer(answer);
      else bank.pay();
      await passTime(200);
      arrive();
      await passTime(500);
      expect(posts()).to.equal(1);
      expect(textOf(dialer)).to.include(says);
    });

  it('stays paid when a state arrives that was asked for before its answer', async () => {
    const { dialer, broker, bank } = await openUnknown();
    const arrive = bank.delayStatus();
    dispatchEvent(new Event('focus'));
    await until(() => broker.count('GET status') === 1, 'the state');
    bank.pay();
    await until(() => dialer.member?.balance === 12_500, 'the money');
    arrive();
    await passTime(500);
    expect(dialer.member?.balance).to.equal(12_500);
  });
});

async function openHandled() {
  const { dialer, broker, details } = await openBlocked(new PayingBroker().answers);
  await until(() => dialer.state.line.is === 'up', 'a line');
  let asked = 0;
  dialer.addEventListener('dialer-topuprequest', (event) => {
    asked += 1;
    event.preventDefault();
  });
  const pressThrice = async () => {
    for (let time = 0; time < 3; time += 1) {
      button(dialer, time === 0 ? ASK : 'Asking…').click();
      await passTime(200);
    }
  };
  const done = (notice?: string) => details.get('topuprequest')?.detail.done(notice);
  return { dialer, broker, done, pressThrice, asked: () => asked };
}

describe('a request that the page handles', () => {
  it('is asked for once, however often the button is pressed until done()', async () => {
    const { dialer, broker, done, pressThrice, asked } = await openHandled();
    await pressThrice();
    await passTime(4000);
    await reads(dialer, 'Asking…');
    expect(asked()).to.equal(1);
    done('top-up-later');
    await reads(dialer, 'The top-up cannot be made right now');
    await pressThrice();
    expect([asked(), broker.count('POST top-up')]).to.deep.equal([2, 0]);
  });

  it('gives the button back after half a minute without done()', async () => {
    const { dialer, pressThrice, asked } = await openHandled();
    await pressThrice();
    await passTime(28_000);
    await reads(dialer, 'Asking…');
    await passTime(2000);
    await reads(dialer, ASK);
    await pressThrice();
    expect(asked()).to.equal(2);
  });

  it('is not sent by a page whose listener signs out, and nobody is signed in again', async () => {
    const { dialer, broker } = await openBlocked(new PayingBroker().answers);
    dialer.addEventListener('dialer-topuprequest', () => void dialer.disconnect(), { once: true });
    await press(dialer, ASK);
    await passTime(1000);
    expect(broker.count('POST session')).to.equal(1);
    expect([dialer.state.status, broker.count('POST top-up')]).to.deep.equal(['idle', 0]);
  });

  it('does not keep the page from a check before done()', async () => {
    const { dialer, broker, pressThrice } = await openHandled();
    await pressThrice();
    broker.on('GET status', () => readiness());
    await settled(dialer.recheck());
    await reads(dialer, SAYS.paid);
  });
});
