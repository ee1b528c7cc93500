import { expect } from '@open-wc/testing';
import type { Readiness } from '../../src/broker/answers.ts';
import { BrokerSession } from '../../src/broker/session.ts';
import { until } from '../support/clock.ts';
import { FakeBroker, LINKS, MEMBER, readiness, session } from '../support/fake-broker.ts';

const { signal } = new AbortController();

/** Which of three requests is answered first, second and third. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

const KINDS = {
  'a status': async (asked) => asked.fetchReadiness(signal),
  'a top-up': async (asked) => (await asked.requestHelp('topUp', () => true))?.readiness ?? {},
  'a sign-in': async (asked) => (await asked.renew(signal)).latest,
} satisfies Record<string, (asked: BrokerSession) => Promise<Readiness>>;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];
/** Some brokers name no member at the first sign-in. */
const CASES = ORDERS.flatMap((order) => [{}, { member: undefined }].map((change) => ({ order, change })));
const TRIPLES = kinds.flatMap((one) =>
  kinds.flatMap((two) => kinds.map((three) => [one, two, three] as const)),
);

/** The balance in the answer to a fourth request. */
const AGAIN = 9;

const again = () => readiness({ member: { ...MEMBER, balance: AGAIN }, blockers: [] });

describe('three answers of the broker that overtake each other', () => {
  let broker: FakeBroker;
  let answers: ((response: Response) => void)[];

  const wait = () => new Promise<Response>((resolve) => answers.push(resolve));

  async function signIn(links: object = LINKS, change: object = {}): Promise<BrokerSession> {
    broker.on('POST session', () => session({ links, ...change }));
    const options = { url: broker.url, credentials: 'same-origin', headers: () => undefined } as const;
    const signedIn = await BrokerSession.signIn(options, signal);
    const status = () => (answers.length < 3 ? wait() : again());
    broker.on('POST session', wait).on('GET status', status).on('POST top-up', wait).on('POST hotline', wait);
    return signedIn;
  }

  beforeEach(() => {
    broker = new FakeBroker();
    answers = [];
  });
  afterEach(() => broker.close());

  for (const triple of TRIPLES) {
    it(`to ${triple.join(', ')}: what was asked for later counts`, async () => {
      for (const { order, change } of CASES) {
        answers = [];
        const signedIn = await signIn(LINKS, change);
        const asking: Promise<Readiness>[] = [];
        for (const kind of triple) {
          asking.push(KINDS[kind](signedIn));
          await until(() => answers.length === asking.length, 'the request');
        }
        let newest = -1;
        let counts = -1;
        for (const index of order) {
          const isTopUp = triple[index] === 'a top-up';
          // What was asked for after a top-up may be from before the money came: the status is asked for again.
          if (isTopUp) newest = index < counts ? AGAIN : index;
          else if (index > counts) newest = index;
          // Nothing counts that was asked for before the answer to a top-up.
          counts = isTopUp ? AGAIN : Math.max(counts, index);
          const said = { member: { ...MEMBER, balance: index }, blockers: index % 2 ? [] : ['no-hotline'] };
          answers[index]?.(triple[index] === 'a sign-in' ? session(said) : readiness(said));
          const answer = await asking[index];
          const what = `${order.join()}: ${index}`;
          expect(answer?.member?.balance, what).to.equal(newest);
          expect(signedIn.latest.member?.balance, what).to.equal(newest);
          expect(signedIn.isUsable, what).to.equal(newest % 2 === 1);
        }
      }
    });
  }

  for (const kind of kinds)
    it(`keep who the member is where ${kind} leaves it out`, async () => {
      const signedIn = await signIn(LINKS, { member: undefined });
      const asking = [signedIn.fetchReadiness(signal), KINDS[kind](signedIn)];
      await until(() => answers.length === 2, 'the requests');
      answers[0]?.(readiness());
      await asking[0];
      answers[1]?.(session({ member: undefined, blockers: ['no-hotline'] }));
      await asking[1];
      expect(signedIn.latest.blockers).to.deep.equal(['no-hotline']);
      expect(signedIn.latest.member).to.include({ memberNo: MEMBER.memberNo });
    });

  it('give the token of the sign-in that was asked for later', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      answers = [];
      const signedIn = await signIn({});
      const asking: Promise<Readiness>[] = [];
      for (const count of [1, 2]) {
        asking.push(signedIn.fetchReadiness(signal));
        await until(() => answers.length === count, 'the sign-in');
      }
      for (const index of order) {
        answers[index]?.(session({ token: `token-${index}`, links: {} }));
        await asking[index];
      }
      expect(signedIn.next?.token, order.join()).to.equal('token-1');
    }
  });

  it('give no token once a later answer may tell of a new caller number', async () => {
    const ask = {
      'a status': async (asked: BrokerSession) => asked.fetchReadiness(signal),
      'a caller number': async (asked: BrokerSession) => asked.requestHelp('hotline', () => true),
    };
    for (const [kind, askLater] of Object.entries(ask)) {
      answers = [];
      const signedIn = await signIn({});
      const checking = signedIn.fetchReadiness(signal);
      await until(() => answers.length === 1, 'the sign-in');
      answers[0]?.(session({ token: 'token-0', links: LINKS }));
      await checking;
      expect(signedIn.next?.token, kind).to.equal('token-0');
      const asking = askLater(signedIn);
      await until(() => answers.length === 2, kind);
      answers[1]?.(readiness());
      await asking;
      expect(signedIn.next, kind).to.equal(undefined);
    }
  });

  it('are about another member where one of them signs that member in', async () => {
    const signedIn = await signIn();
    const renewing = signedIn.renew(signal);
    await until(() => answers.length === 1, 'the sign-in');
    const asking = signedIn.fetchReadiness(signal);
    await until(() => answers.length === 2, 'the status');
    answers[1]?.(readiness({ member: { ...MEMBER, balance: 1 } }));
    await asking;
    answers[0]?.(session({ member: { ...MEMBER, memberNo: 'agent002', balance: 0 } }));
    expect((await renewing).latest.member).to.include({ memberNo: 'agent002', balance: 0 });
    expect(signedIn.latest.member).to.include({ memberNo: 'agent001', balance: 1 });
  });
});
