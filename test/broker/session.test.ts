import { expect } from '@open-wc/testing';
import type { HeadersSource } from '../../src/broker/headers.ts';
import { BrokerSession } from '../../src/broker/session.ts';
import { DialerError } from '../../src/errors.ts';
import { passTime, settled } from '../support/clock.ts';
import { FakeBroker, json, LINKS, MEMBER, readiness, session } from '../support/fake-broker.ts';

const never = () => new Promise<never>(() => undefined);
const { signal } = new AbortController();
const linksOf = (memberNo: string) => ({ ...LINKS, topUp: `top-up-of-${memberNo}` });

const endless = () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }));
const busy = () =>
  new Response('{"code":"too-many-requests","requestId":"r1"}', {
    status: 429,
    headers: { 'Retry-After': '7' },
  });
const fail = () => {
  throw new TypeError('Failed to fetch');
};

async function errorOf(work: Promise<unknown>): Promise<DialerError> {
  const error: unknown = await settled(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DialerError) return error;
  throw new Error(`no DialerError: ${String(error)}`);
}

describe('asking the broker', () => {
  let broker: FakeBroker;
  beforeEach(() => {
    broker = new FakeBroker();
  });
  afterEach(() => broker.close());
  const signIn = (headers: () => unknown = () => undefined, end = signal): Promise<BrokerSession> => {
    const options = { url: broker.url, credentials: 'same-origin' } as const;
    return BrokerSession.signIn({ ...options, headers: headers as () => HeadersSource | undefined }, end);
  };
  const signInWith = (headers: unknown, end = signal) => signIn(() => headers, end);

  it('sends the extra headers of the page, and waits for those that take a moment', async () => {
    for (const headers of [{ 'X-Own': 'a' }, () => ({ 'X-Own': 'a' }), async () => ({ 'X-Own': 'a' })]) {
      await signInWith(headers);
      expect(broker.asked.at(-1)?.headers.get('X-Own')).to.equal('a');
    }
  });

  it('sends the headers that the page has set since the last request', async () => {
    let given: HeadersSource | undefined = { 'X-Own': 'a' };
    const signedIn = await signIn(() => given);
    given = { 'X-Own': 'b' };
    await signedIn.fetchReadiness(signal);
    given = undefined;
    await signedIn.requestHelp('topUp', () => true);
    expect(broker.asked.map(({ headers }) => headers.get('X-Own'))).to.deep.equal(['a', 'b', null]);
  });

  it('calls a brokerHeaders function that fails or gives nonsense a mistake of the page', async () => {
    const cause = new Error('no session');
    const failing = [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ];
    for (const headers of failing) {
      const error = await errorOf(signInWith(headers));
      expect(error).to.include({ code: 'configuration', cause });
    }
    const secret = 'secret-token';
    const nonsense = [
      secret,
      [secret],
      { Authorization: 7 },
      { Authorization: undefined },
      { Authorization: `Bearer ${secret}\r\nX-Evil: 1` },
      { Authorization: `${secret}\n` },
      { Authorization: `${secret}☎` },
      { [`a ${secret}`]: 'x' },
      { '': secret },
      new Headers({ Authorization: secret }),
    ];
    for (const value of [...nonsense, ...nonsense.map((each) => () => each)]) {
      const error = await errorOf(signInWith(value));
      expect(error.code, String(value)).to.equal('configuration');
      expect(`${error.message} ${String(error.cause)}`).not.to.include(secret);
    }
    expect(await errorOf(signInWith(() => undefined))).to.include({
      code: 'configuration',
    });
    expect(broker.asked, 'requests sent').to.have.length(0);
  });

  it('passes on what the page itself has to say', async () => {
    const own = new DialerError('broker-unauthorized', 'Signed out.');
    const error = await errorOf(signInWith(() => Promise.reject(own)));
    expect(error).to.equal(own);
  });

  it('waits for nothing longer than its one deadline: not the page, not the head, not the body', async () => {
    const signedIn = await signIn();
    const waits: (readonly [string, () => Promise<unknown>, string])[] = [
      ['headers', () => signInWith(never), 'brokerHeaders'],
      ['head', () => signIn(), 'the broker'],
      ['body', () => signIn(), 'the broker'],
      ['read', () => signedIn.fetchReadiness(signal), 'the broker'],
    ];
    for (const [name, ask, awaited] of waits) {
      broker.on('POST session', name === 'body' ? endless : never).on('GET status', never);
      const began = performance.now();
      let isOver = false;
      const failing = errorOf(ask()).finally(() => (isOver = true));
      await passTime(9000);
      expect(isOver, name).to.equal(false);
      const error = await failing;
      expect(error.code, name).to.equal('broker-unreachable');
      expect(error.message, name).to.include(`no response in time from`).and.include(awaited);
      expect(error.cause, name).to.have.property('name', 'TimeoutError');
      expect(performance.now() - began, name).to.be.below(12_000);
    }
  });

  it('asks nobody once the page’s headers come after the deadline, or after it was aborted', async () => {
    const gates: ((headers: Record<string, string>) => void)[] = [];
    const late = () => new Promise<Record<string, string>>((resolve) => gates.push(resolve));
    await errorOf(signInWith(late));
    const abort = new AbortController();
    const asking = signInWith(late, abort.signal);
    abort.abort();
    for (const open of gates) open({});
    const reason: unknown = await asking.then(
      () => 'it was answered',
      (error: unknown) => error,
    );
    expect(reason).to.have.property('name', 'AbortError');
    expect(broker.asked).to.have.length(0);
  });

  it('repeats a read that found nobody once, though not one that was told when to come back', async () => {
    const signedIn = await signIn();
    let answers: (() => Response)[] = [fail, () => readiness()];
    broker.on('GET status', () => (answers.shift() ?? fail)());
    expect(await settled(signedIn.fetchReadiness(signal))).to.deep.include({ blockers: [] });
    expect((await errorOf(signedIn.fetchReadiness(signal))).code).to.equal('broker-unreachable');
    expect(broker.count('GET status')).to.equal(4);
    answers = [busy, () => readiness()];
    const error = await errorOf(signedIn.fetchReadiness(signal));
    expect(error).to.include({ code: 'broker-unreachable', retryAfter: 7000, requestId: 'r1' });
    expect(answers, 'it did not ask again').to.have.length(1);
  });

  it('gives a repeated read no more time than one deadline', async () => {
    const signedIn = await signIn();
    broker.on('GET status', async () => {
      if (broker.count('GET status') > 1) return never();
      await passTime(8000);
      return fail();
    });
    const began = performance.now();
    expect((await errorOf(signedIn.fetchReadiness(signal))).message).to.include('in time');
    expect(broker.count('GET status')).to.equal(2);
    expect(performance.now() - began).to.be.below(12_000);
  });

  it('sends what may move money once, also when it found nobody', async () => {
    const signedIn = await signIn();
    broker.on('POST top-up', fail).on('POST session', fail);
    expect(await signedIn.requestHelp('topUp', () => true)).to.have.nested.property(
      'error.code',
      'broker-unreachable',
    );
    expect((await errorOf(signIn())).code).to.equal('broker-unreachable');
    expect(broker.asked).to.have.length(3);
  });

  it('knows the links of the latest answer that named any', async () => {
    broker.on('POST session', () => session({ links: undefined }));
    const answer = await (await signIn()).requestHelp('topUp', () => true);
    expect(answer).to.have.nested.property('error.code', 'not-ready');
    broker.on('POST session', () => session({ links: { status: 'status', topUp: 'top-up' } }));
    const signedIn = await signIn();
    expect([signedIn.has('status'), signedIn.has('hotline')]).to.deep.equal([true, false]);
    broker.on('GET status', () => json({ blockers: [] }));
    await signedIn.fetchReadiness(signal);
    expect(signedIn.has('topUp'), 'an answer without links changes none').to.equal(true);
    broker.on('GET status', () => json({ blockers: [], links: { hotline: 'hotline' } }));
    await signedIn.fetchReadiness(signal);
    expect([signedIn.has('topUp'), signedIn.has('hotline')]).to.deep.equal([false, true]);
  });

  it('asks for the member who has signed in, also when a status names somebody else', async () => {
    broker.on('POST session', () => session({ links: linksOf(MEMBER.memberNo) }));
    const signedIn = await signIn();
    broker.on('GET status', () =>
      readiness({ member: { ...MEMBER, memberNo: 'agent002' }, links: linksOf('agent002') }),
    );
    await signedIn.fetchReadiness(signal);
    await signedIn.requestHelp('topUp', () => true);
    expect(broker.asked.at(-1)?.path).to.equal(`top-up-of-${MEMBER.memberNo}`);
  });

  const ELSEWHERE = [
    'https://evil.example/status',
    '//evil.example/status',
    '\\\\evil.example/status',
    'data:application/json,{"blockers":[]}',
    'javascript:alert(1)',
    'https://',
    `blob:${location.origin}/4b6b2b2e-0000-4000-8000-000000000000`,
    `${location.protocol}//user:secret@${location.host}/status`,
    `${location.protocol}//${location.hostname}:1/status`,
  ];
  for (const link of ELSEWHERE) {
    it(`leaves out a link to ${link.split(/[{@]/)[0]}, wherever it comes from`, async () => {
      for (const name of ['status', 'topUp', 'hotline', 'calls'] as const) {
        broker.on('POST session', () => session({ links: { ...LINKS, [name]: link } }));
        broker.on('GET status', () => readiness({ links: { [name]: link } }));
        const signedIn = await signIn();
        broker.on('POST session', () => session());
        for (const answer of [signedIn.readiness, await (await signIn()).fetchReadiness(signal)]) {
          expect(answer.leftOut, name).to.deep.equal([`links.${name}`]);
          expect(answer.links).not.to.have.property(name);
        }
        expect(signedIn.has(name), name).to.equal(false);
      }
    });
  }

  it('takes links that are relative, or absolute within the origin', async () => {
    broker.on('POST session', () =>
      session({ links: { status: `${location.origin}/broker/status`, topUp: '/x' } }),
    );
    const signedIn = await signIn();
    expect(signedIn.readiness.links).to.have.property('topUp', `${location.origin}/x`);
    await signedIn.fetchReadiness(signal);
    expect(broker.count('GET status')).to.equal(1);
  });
});
