/** Only the token is needed to call: whatever else a broker gets wrong is left out, told once, and the agent calls. */
import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { parseReadiness, parseSession } from '../../src/broker/answers.ts';
import { talkTime } from '../../src/ui/talk-time.ts';
import { HOTLINES, json, LINKS, MEMBER, readiness, session, type Answer } from '../support/fake-broker.ts';
import {
  openBlocked,
  openReady,
  passTime,
  reaches,
  ringOn,
  sdk,
  talkOn,
  textOf,
  type DialerPage,
  until,
} from '../support/dialer.ts';

const TOKEN = 'header.payload.signature';
const BROKER = 'https://crm.example/dialer/session';
const GOOD = {
  token: TOKEN,
  expiresAt: '2126-11-21T10:00:00Z',
  member: { ...MEMBER, pricePerMinute: 800 },
  hotlines: HOTLINES,
  blockers: [],
  links: { ...LINKS, calls: 'calls', customers: 'customers' },
};

/** What each of these has to be told as. */
const FAULTS: readonly (readonly [object, string])[] = [
  [{ member: null }, 'member'],
  [{ member: { ...MEMBER, memberNo: undefined } }, 'member.memberNo'],
  [{ member: { ...MEMBER, pricePerMinute: -1 } }, 'member.pricePerMinute'],
  [{ member: { ...MEMBER, pricePerMinute: '800' } }, 'member.pricePerMinute'],
  [{ member: { ...MEMBER, pricePerMinute: 5e-324 } }, 'member.pricePerMinute'],
  [{ member: { ...MEMBER, balance: '12500' } }, 'member.balance'],
  [{ member: { ...MEMBER, balance: 1e300 } }, 'member.balance'],
  [{ member: { ...MEMBER, currency: 'USD' } }, 'member.currency'],
  [{ member: { ...MEMBER, name: 7 } }, 'member.name'],
  [{ hotlines: null }, 'hotlines'],
  [{ hotlines: [...HOTLINES, null] }, 'hotlines.2'],
  [{ hotlines: [{ name: 'Sales' }, HOTLINES[1]] }, 'hotlines.0.number'],
  [{ hotlines: [HOTLINES[0], { ...HOTLINES[1], number: 842899990003 }] }, 'hotlines.1.number'],
  [{ hotlines: [{ ...HOTLINES[0], type: 'TRUNK' }, HOTLINES[1]] }, 'hotlines.0.type'],
  [{ links: { ...LINKS, topUp: 'https://elsewhere.example/' } }, 'links.topUp'],
  [{ links: { ...LINKS, status: null } }, 'links.status'],
  [{ links: 'status' }, 'links'],
  [{ expiresAt: 'soon' }, 'expiresAt'],
  [{ expiresAt: 1_800_000_000 }, 'expiresAt'],
];

const nonsense = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 'x', '12500', true, [], [null], {}, { a: 1 }, -1, 1e300, 5e-324),
  fc.jsonValue(),
);

/** The answer with some of its parts, at any depth, replaced, taken away or swapped; never the token. */
const garbled = fc
  .array(fc.record({ nth: fc.nat(), by: fc.oneof(fc.constant(undefined), nonsense), swap: fc.nat() }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((changes) => {
    const answer: Record<string, unknown> = structuredClone(GOOD);
    for (const { nth, by, swap } of changes) {
      const places = placesIn(answer);
      const [owner, key] = places[nth % places.length] ?? [answer, 'member'];
      const [other, otherKey] = places[swap % places.length] ?? [answer, 'links'];
      if (by !== undefined) Reflect.set(owner, key, structuredClone(by));
      else if (swap % 3 === 0) Reflect.deleteProperty(owner, key);
      else Reflect.set(owner, key, structuredClone(Reflect.get(other, otherKey)));
    }
    return answer;
  });

/** Each part of it, by who holds it. */
function placesIn(part: object, name = ''): [object, string][] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (name === '' && (key === 'token' || key === 'blockers')) return [];
    const below = typeof value === 'object' && value !== null ? placesIn(value, `${name}.${key}`) : [];
    return [[part, key] as [object, string], ...below];
  });
}

/** Lines of ours in the console while the work runs. */
async function warningsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { warn } = console;
  const lines: string[] = [];
  console.warn = (...parts: unknown[]) => void lines.push(parts.join(' '));
  try {
    await work();
  } finally {
    console.warn = warn;
  }
  return lines.filter((line) => line.startsWith('<partner-dialer>'));
}

describe('an answer of a broker that is wrong in parts', () => {
  for (const [change, path] of FAULTS) {
    it(`leaves out ${JSON.stringify(change)}: ${path}`, () => {
      const body = JSON.stringify({ ...GOOD, ...change });
      const answer = parseSession({ status: 200, body }, BROKER);
      expect(answer.token).to.equal(TOKEN);
      expect(answer.leftOut).to.deep.equal([path]);
    });
  }

  it('keeps what is good beside it', () => {
    const hotlines = [{ number: '842899990009', name: null }, { name: 'x' }, ...HOTLINES];
    const body = JSON.stringify({ ...GOOD, hotlines, member: { ...MEMBER, balance: null } });
    const answer = parseSession({ status: 200, body }, BROKER);
    expect(answer.hotlines).to.deep.equal([{ name: '842899990009', number: '842899990009' }, ...HOTLINES]);
    const { balance: _, ...member } = MEMBER;
    expect(answer.member).to.deep.equal(member);
    expect(answer.leftOut).to.deep.equal(['member.balance', 'hotlines.0.name', 'hotlines.1.number']);
  });

  it('is a session whenever the token is good, however it is garbled, and no time without an end', () => {
    fc.assert(
      fc.property(garbled, (answer) => {
        const parsed = parseSession({ status: 200, body: JSON.stringify(answer) }, BROKER);
        expect(parsed).to.include({ token: TOKEN }).and.to.have.deep.property('blockers', []);
        const { member, hotlines = [], links = {} } = parsed;
        if (member) expect(talkTime(member) ?? 0).to.be.within(0, 1e11);
        for (const { name, number } of hotlines) expect(name.trim() && number.trim()).not.to.equal('');
        for (const link of Object.values(links))
          expect(new URL(link ?? '').origin).to.equal('https://crm.example');
        expect(parseReadiness({ status: 200, body: JSON.stringify(answer) }, BROKER).leftOut).to.be.an(
          'array',
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('lets the agent call, and names each part once: in the console and for support', async () => {
    const member = { ...MEMBER, pricePerMinute: -800, extension: {} };
    const wrong = {
      member,
      hotlines: [...HOTLINES, {}, {}],
      links: { ...LINKS, calls: '//elsewhere.example' },
    };
    let page: DialerPage | undefined;
    const lines = await warningsOf(async () => {
      page = await openReady(
        {},
        { 'POST session': () => session(wrong), 'GET status': () => readiness(wrong) },
      );
      await page.dialer.recheck();
      await talkOn(page.dialer);
    });
    expect(lines.join('\n').match(/member\.pricePerMinute/g)).to.have.length(1);
    expect(lines.join('\n').match(/member\.extension/g)).to.have.length(1);
    expect(lines.join('\n').match(/hotlines\.\d\.number/g)).to.have.length(1);
    expect(lines.join('\n').match(/links\.calls/g)).to.have.length(1);
    expect(page?.dialer.supportDetails()).to.include('member.pricePerMinute').and.include('links.calls');
    expect(page?.dialer.state.member?.balance).to.equal(MEMBER.balance);
  });

  it('never draws a time without an end', async () => {
    const huge = { ...MEMBER, balance: 1e12, pricePerMinute: 1 };
    const { dialer } = await openReady({}, { 'POST session': () => session({ member: huge }) });
    expect(textOf(dialer)).not.to.match(/Infinity|NaN|about \d{7}/);
  });
});

/** An answer that says nothing of blockers. */
const silent =
  (change: object = {}): Answer =>
  () =>
    json({ member: { ...MEMBER, balance: 700 }, ...change });

describe('a later answer of a broker', () => {
  const isBlocked = { 'POST session': () => session({ blockers: ['insufficient-funds'] }) };

  it('without blockers says nothing about them: who is blocked stays so, who can call goes on', async () => {
    const ready = await openReady({}, { 'GET status': silent() });
    await ready.dialer.recheck();
    expect(ready.dialer.state.status).to.equal('ready');
    expect(ready.dialer.state.member?.balance).to.equal(700);
    await ready.close();
    const blocked = await openBlocked({ ...isBlocked, 'GET status': silent({ blockers: null }) });
    await blocked.dialer.recheck();
    expect(blocked.dialer.state.status).to.equal('blocked');
    expect(blocked.dialer.state.member?.balance).to.equal(700);
    expect(blocked.events).not.to.include('error');
  });

  it('tells the cost of the call with the page’s own id, and only without such a row by number and length', async () => {
    const row = { direction: 'outgoing', number: '0912345678', talkSeconds: 0 };
    const calls: object[] = [
      { ...row, cost: 7 },
      { ...row, number: 'x', talkSeconds: null, cost: 42, externalCallId: 'crm42' },
    ];
    const page = await openReady(
      {},
      {
        'POST session': () => session({ links: { ...LINKS, calls: 'calls' } }),
        'GET status': () => json({}),
        'GET calls': () => json({ calls }),
      },
    );
    for (const [externalCallId, cost] of [
      ['crm42', '42 VND'],
      ['crm43', '7 VND'],
    ] as const) {
      await page.dialer.call('0912345678', { externalCallId });
      sdk().accept();
      await reaches(page.dialer, 'in-call');
      sdk().end();
      await until(() => page.dialer.supportDetails().includes(` ${cost}`), cost);
    }
    calls[1] = { ...calls[1], cost: 0 };
    await page.dialer.call('0912345678', { externalCallId: 'crm42' });
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    sdk().end();
    await passTime(4000);
    expect(page.dialer.supportDetails().match(/ 7 VND/g), 'not charged yet').to.have.length(1);
  });

  it('shows the caller, whatever stands beside them', async () => {
    const mai = { code: 7, name: 'Mai', number: null, context: {} };
    const page = await openReady(
      {},
      {
        'POST session': () => session({ links: { ...LINKS, customers: 'customers' } }),
        'GET customers': () => json({ customers: [null, { name: 'x' }, mai] }),
      },
    );
    await ringOn(page.dialer);
    await passTime(100);
    expect(textOf(page.dialer)).to.include('Mai');
  });
});
