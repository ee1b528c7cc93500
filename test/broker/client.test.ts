import { expect } from '@open-wc/testing';
import { BrokerClient, type BrokerOptions } from '../../src/broker/client.ts';
import type { Links } from '../../src/broker/contract.ts';
import type { HeadersSource } from '../../src/broker/headers.ts';
import { DialerError } from '../../src/errors.ts';
import { FakeBroker, json, LINKS, readiness, session } from '../support/fake-broker.ts';

const OWN_LINKS = Object.fromEntries(
  Object.entries(LINKS).map(([name, link]) => [name, new URL(`/broker/${link}`, location.href).href]),
);
const never = () => new Promise<never>(() => undefined);
const { signal } = new AbortController();

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
  const error: unknown = await work.then(
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
  const client = (change: Partial<BrokerOptions> = {}, links: Links = OWN_LINKS): BrokerClient => {
    const options = { url: broker.url, credentials: 'same-origin', timeout: 200 } as const;
    return new BrokerClient({ ...options, headers: () => undefined, ...change }, links);
  };
  const withHeaders = (headers: unknown) => client({ headers: () => headers as HeadersSource });

  it('sends the extra headers of the page, and waits for those that take a moment', async () => {
    for (const headers of [{ 'X-Own': 'a' }, () => ({ 'X-Own': 'a' }), async () => ({ 'X-Own': 'a' })]) {
      await withHeaders(headers).session(signal);
      expect(broker.asked.at(-1)?.headers.get('X-Own')).to.equal('a');
    }
  });

  it('sends the headers that the page has set since the last request', async () => {
    let given: HeadersSource | undefined = { 'X-Own': 'a' };
    const asking = client({ headers: () => given });
    await asking.session(signal);
    given = { 'X-Own': 'b' };
    await asking.status(signal);
    given = undefined;
    await asking.requestHelp('topUp', signal);
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
      const error = await errorOf(withHeaders(headers).session(signal));
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
      const error = await errorOf(withHeaders(value).session(signal));
      expect(error.code, String(value)).to.equal('configuration');
      expect(`${error.message} ${String(error.cause)}`).not.to.include(secret);
    }
    expect(await errorOf(withHeaders(() => undefined).session(signal))).to.include({
      code: 'configuration',
    });
    expect(broker.asked, 'requests sent').to.have.length(0);
  });

  it('passes on what the page itself has to say', async () => {
    const own = new DialerError('broker-unauthorized', 'Signed out.');
    const error = await errorOf(withHeaders(() => Promise.reject(own)).session(signal));
    expect(error).to.equal(own);
  });

  it('waits for nothing longer than its one deadline: not the page, not the head, not the body', async () => {
    const waits: (readonly [string, () => Promise<unknown>, string])[] = [
      ['headers', () => withHeaders(never).session(signal), 'brokerHeaders'],
      ['head', () => client().session(signal), 'the broker'],
      ['body', () => client().session(signal), 'the broker'],
      ['read', () => client().status(signal), 'the broker'],
    ];
    for (const [name, ask, awaited] of waits) {
      broker.on('POST session', name === 'body' ? endless : never).on('GET status', never);
      const error = await errorOf(ask());
      expect(error.code, name).to.equal('broker-unreachable');
      expect(error.message, name).to.include(`no answer in time from`).and.include(awaited);
      expect(error.cause, name).to.have.property('name', 'TimeoutError');
    }
  });

  it('asks nobody once the page’s headers come after the deadline, or after it was aborted', async () => {
    const gates: ((headers: Record<string, string>) => void)[] = [];
    const late = () => new Promise<Record<string, string>>((resolve) => gates.push(resolve));
    await errorOf(client({ headers: () => late, timeout: 20 }).session(signal));
    const abort = new AbortController();
    const asking = withHeaders(late).session(abort.signal);
    abort.abort();
    for (const open of gates) open({});
    const reason: unknown = await asking.then(
      () => 'it was answered',
      (error: unknown) => error,
    );
    expect(reason).to.have.property('name', 'AbortError');
    expect(broker.asked).to.have.length(0);
  });

  it('repeats a read that found nobody, though not one that was told when to come back', async () => {
    let answers: (() => Response)[] = [fail, () => readiness()];
    broker.on('GET status', () => (answers.shift() ?? fail)());
    expect(await client({ timeout: 3000 }).status(signal)).to.deep.include({ blockers: [] });
    answers = [busy, () => readiness()];
    const error = await errorOf(client().status(signal));
    expect(error).to.include({ code: 'broker-unreachable', retryAfter: 7000, requestId: 'r1' });
    expect(answers, 'it did not ask again').to.have.length(1);
  });

  it('sends what may move money once, also when it found nobody', async () => {
    broker.on('POST top-up', fail).on('POST session', fail);
    const asking = client({ timeout: 3000 });
    expect((await errorOf(asking.requestHelp('topUp', signal))).code).to.equal('broker-unreachable');
    expect((await errorOf(asking.session(signal))).code).to.equal('broker-unreachable');
    expect(broker.asked).to.have.length(2);
  });

  it('knows the links of the latest answer that named any', async () => {
    const asking = client({}, {});
    expect((await errorOf(asking.status(signal))).code).to.equal('not-ready');
    broker.on('POST session', () => session({ links: { status: 'status', topUp: 'top-up' } }));
    await asking.session(signal);
    expect([asking.has('status'), asking.has('hotline')]).to.deep.equal([true, false]);
    broker.on('GET status', () => json({ blockers: [] }));
    await asking.status(signal);
    expect(asking.has('topUp'), 'an answer without links changes none').to.equal(true);
    broker.on('GET status', () => json({ blockers: [], links: { hotline: 'hotline' } }));
    await asking.status(signal);
    expect([asking.has('topUp'), asking.has('hotline')]).to.deep.equal([false, true]);
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
        const asking = client();
        for (const ask of [() => asking.session(signal), () => client().status(signal)]) {
          const answer = await ask();
          expect(answer.leftOut, name).to.deep.equal([`links.${name}`]);
          expect(answer.links).not.to.have.property(name);
        }
        expect(asking.has(name), name).to.equal(false);
      }
    });
  }

  it('takes links that are relative, or absolute within the origin', async () => {
    broker.on('POST session', () =>
      session({ links: { status: `${location.origin}/broker/status`, topUp: '/x' } }),
    );
    expect((await client().session(signal)).links).to.have.property('topUp', `${location.origin}/x`);
    broker.on('GET status', () => json({ blockers: [] }));
    await client({}, { status: `${location.origin}/broker/status` }).status(signal);
    expect(broker.count('GET status')).to.equal(1);
  });
});
