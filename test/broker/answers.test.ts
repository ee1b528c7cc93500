import { expect } from '@open-wc/testing';
import * as z from 'zod';
import { DialerError } from '../../src/errors.ts';
import * as answers from '../../src/broker/answers.ts';
import { BLOCKERS } from '../../src/broker/contract.ts';
import { HOTLINES, LINKS, MEMBER } from '../support/fake-broker.ts';

/** As a page may have configured its zod, which is this module's as well. */
z.config({ customError: () => 'not a string' });
const BEFORE = { ...z.config() };

const TOKEN = 'eyJhbGciOi.eyJWYWx1ZSI.c2lnbmF0dXJl';
const BROKER = 'https://crm.example/dialer/session';
const parseSession = (answer: answers.HttpAnswer) => answers.parseSession(answer, BROKER);
const parseReadiness = (answer: answers.HttpAnswer) => answers.parseReadiness(answer, BROKER);
const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

const failing = (body: object, header?: string) => ({
  status: 503,
  body: JSON.stringify(body),
  headers: new Headers(header === undefined ? {} : { 'X-Request-Id': header }),
});

function errorOf(answer: Parameters<typeof parseSession>[0]): DialerError {
  try {
    parseSession(answer);
  } catch (error) {
    if (error instanceof DialerError) return error;
    throw error;
  }
  throw new Error(`accepted: ${answer.body}`);
}

describe('what a broker may answer', () => {
  it('a full session', () => {
    const session = parseSession(
      ok({
        token: TOKEN,
        member: MEMBER,
        hotlines: HOTLINES,
        blockers: [],
        links: LINKS,
        expiresAt: '2026-11-21T10:00:00Z',
      }),
    );
    expect(session).to.deep.include({ token: TOKEN, member: MEMBER, hotlines: [...HOTLINES], blockers: [] });
    expect(session.leftOut).to.deep.equal([]);
  });

  it('a token alone, a bare string, or the vendor envelope', () => {
    const expected = { token: TOKEN, blockers: [] };
    expect(parseSession(ok({ token: TOKEN }))).to.deep.include(expected);
    expect(parseSession(ok({ token: `${TOKEN}\n` }))).to.deep.include(expected);
    expect(parseSession(ok(TOKEN))).to.deep.equal(expected);
    expect(parseSession(ok({ error: 0, message: 'SUCCESS', data: TOKEN }))).to.deep.equal(expected);
  });

  it('trouble it names: no money, no hotline, a reached limit', () => {
    const blocked = { blockers: ['insufficient-funds'] };
    expect(parseSession({ status: 402, body: '' })).to.deep.equal(blocked);
    expect(parseSession({ status: 402, body: '<html>' })).to.deep.equal(blocked);
    expect(parseSession(ok({ error: 402, message: 'Hết tiền', data: null }))).to.deep.equal(blocked);
    expect(parseSession({ status: 409, body: '{"code":"no-hotline"}' })).to.deep.equal({
      blockers: ['no-hotline'],
    });
    expect(parseSession({ status: 402, body: '{"code":"no-hotline"}' })).to.deep.equal({
      blockers: ['no-hotline'],
    });
    expect(parseReadiness({ status: 429, body: '{"code":"top-up-limit"}' })).to.deep.equal({
      ...blocked,
      notice: 'top-up-limit',
    });
  });

  const REFUSALS: readonly (readonly [string, { status: number; body: string }, string])[] = [
    ['HTTP 401', { status: 401, body: '' }, 'broker-unauthorized'],
    ['HTTP 403', { status: 403, body: '{}' }, 'broker-unauthorized'],
    ['HTTP 404', { status: 404, body: 'Not found' }, 'broker-invalid-answer'],
    ['HTTP 429', { status: 429, body: '' }, 'broker-unreachable'],
    ['HTTP 500', { status: 500, body: '<h1>oops</h1>' }, 'broker-unreachable'],
    ['a problem with a code of ours', { status: 503, body: '{"code":"sdk-auth-failed"}' }, 'sdk-auth-failed'],
    ['a problem of the vendor', { status: 503, body: '{"code":"vendor-down"}' }, 'vendor-unreachable'],
    ['a vendor that refused', { status: 502, body: '{"code":"vendor-refused"}' }, 'vendor-unreachable'],
    [
      'a vendor not understood',
      { status: 502, body: '{"code":"vendor-invalid-answer"}' },
      'vendor-unreachable',
    ],
    ['a broker that starts', { status: 503, body: '{"code":"not-ready"}' }, 'broker-unreachable'],
    ['a broker that failed', { status: 500, body: '{"code":"internal"}' }, 'broker-unreachable'],
    ['too many requests', { status: 429, body: '{"code":"too-many-requests"}' }, 'broker-unreachable'],
    ['a page that is not listed', { status: 403, body: '{"code":"origin-not-allowed"}' }, 'configuration'],
    ['nobody signed in', { status: 401, body: '{"code":"member-not-signed-in"}' }, 'broker-unauthorized'],
    ['HTTP 502', { status: 502, body: '<h1>Bad gateway</h1>' }, 'broker-unreachable'],
    ['a code that is no code', { status: 503, body: '{"code":{"a":1}}' }, 'broker-unreachable'],
    ['a code of the browser', { status: 503, body: '{"code":"microphone-denied"}' }, 'broker-unreachable'],
    ['a code of the page', { status: 404, body: '{"code":"configuration"}' }, 'broker-invalid-answer'],
    ['a code of JavaScript', { status: 503, body: '{"code":"constructor"}' }, 'broker-unreachable'],
    ['an envelope with 401', ok({ error: 401, message: 'no access' }), 'broker-unauthorized'],
    ['an envelope with 403', ok({ error: 403, message: 'no access' }), 'broker-unauthorized'],
    ['an envelope with 500', ok({ error: 500, message: 'system error' }), 'vendor-unreachable'],
    ['an envelope with -1', ok({ error: -1, message: 'wrong parameter' }), 'vendor-unreachable'],
    [
      'an envelope behind HTTP 502',
      { status: 502, body: '{"error":500,"message":""}' },
      'vendor-unreachable',
    ],
    ['an envelope without data', ok({ error: 0, message: 'success' }), 'broker-invalid-answer'],
    ['an error that is text', ok({ error: '402' }), 'broker-invalid-answer'],
    ['an empty token', ok({ token: '' }), 'broker-invalid-answer'],
    ['a token with blanks', ok({ token: 'a b' }), 'broker-invalid-answer'],
    ['a token that is a number', ok({ token: 42 }), 'broker-invalid-answer'],
    ['null', ok(null), 'broker-invalid-answer'],
    ['a list', ok([TOKEN]), 'broker-invalid-answer'],
    ['a page', { status: 200, body: '<!doctype html>' }, 'broker-invalid-answer'],
    ['blockers that are no list', ok({ token: TOKEN, blockers: 'no-hotline' }), 'broker-invalid-answer'],
    ['a blocker without a name', ok({ token: TOKEN, blockers: [null] }), 'broker-invalid-answer'],
  ];
  for (const [name, answer, code] of REFUSALS) {
    it(`not ${name}: ${code}`, () => {
      expect(errorOf(answer).code).to.equal(code);
    });
  }

  it('a blocker as the code of a refusal: it means what it means in `blockers`', () => {
    expect(BLOCKERS).to.include('member-expired');
    for (const code of BLOCKERS) {
      const body = JSON.stringify({ code });
      expect(parseSession({ status: 409, body })).to.deep.equal({ blockers: [code] });
    }
  });

  it('a reason of the broker’s own in `blockers` alone: as a code it is any refusal', () => {
    const own = 'member-on-holiday';
    const session = parseSession(ok({ token: TOKEN, blockers: [own] }));
    expect(session.blockers).to.deep.equal([own]);
    const body = JSON.stringify({ code: own });
    expect(errorOf({ status: 409, body }).code).to.equal('broker-invalid-answer');
  });

  it('when to ask again, in seconds or as a date by its own clock, within bounds', () => {
    const date = { Date: 'Fri, 20 Nov 2026 10:00:00 GMT' };
    const table = [
      [{ 'Retry-After': '30' }, 30_000],
      [{ 'Retry-After': '0' }, 1000],
      [{ 'Retry-After': '99999999999' }, 600_000],
      [{ ...date, 'Retry-After': 'Fri, 20 Nov 2026 10:00:45 GMT' }, 45_000],
      [{ ...date, 'Retry-After': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 1000],
      [{ 'Retry-After': 'Fri, 20 Nov 1970 09:00:00 GMT' }, 1000],
      [{ 'Retry-After': 'later' }, undefined],
      [{}, undefined],
    ] as const;
    for (const [headers, expected] of table) {
      for (const body of ['', '{"code":"too-many-requests"}', '{"code":"vendor-unreachable"}']) {
        const error = errorOf({ status: 503, body, headers: new Headers(headers) });
        expect(error.retryAfter, JSON.stringify(headers)).to.equal(expected);
      }
    }
  });

  it('how long the token is good, by its own clock, and in UTC where it names no offset', () => {
    const headers = new Headers({ Date: 'Fri, 20 Nov 2026 10:00:00 GMT' });
    const table = [
      ['2026-11-20T11:00:00Z', 3_600_000],
      ['2026-11-20T11:00:00.500Z', 3_600_500],
      ['2026-11-20T18:00:00+07:00', 3_600_000],
      ['2026-11-20T11:00:00', 3_600_000],
      ['2026-11-20 11:00', 3_600_000],
      ['2026-11-21', 14 * 3_600_000],
      ['2026-11-20T09:00:00Z', -3_600_000],
      ['soon', undefined],
      [undefined, undefined],
    ] as const;
    for (const [expiresAt, expected] of table) {
      const { expiresIn } = parseSession({ ...ok({ token: TOKEN, expiresAt }), headers });
      expect(expiresIn, expiresAt).to.equal(expected);
    }
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { expiresIn } = parseSession(ok({ token: TOKEN, expiresAt: soon }));
    expect(expiresIn, 'a broker without Date').to.be.within(59_000, 60_000);
  });

  it('what it calls the request, as long as that can be nothing else', () => {
    expect(errorOf(failing({ code: 'internal', requestId: 'a1-b2' })).requestId).to.equal('a1-b2');
    expect(errorOf(failing({ request_id: 'c.3' })).requestId).to.equal('c.3');
    expect(errorOf(failing({}, 'd4')).requestId).to.equal('d4');
    expect(errorOf(failing({ requestId: 'a b' }, 'd4')).requestId).to.equal('d4');
    for (const wrong of ['', 'a b', '<b>', 'x'.repeat(65), 7]) {
      expect(errorOf(failing({ requestId: wrong })).requestId, String(wrong)).to.equal(undefined);
    }
    const unclear = { status: 200, body: '{"requestId":"e5"}' };
    expect(errorOf(unclear)).to.include({ code: 'broker-invalid-answer', requestId: 'e5' });
  });

  it('never a piece of an answer: cut at any byte, every form is refused', () => {
    const forms = [
      { token: TOKEN, member: MEMBER, hotlines: HOTLINES, blockers: [], links: LINKS },
      { token: TOKEN },
      TOKEN,
      { error: 0, message: 'success', data: TOKEN },
    ];
    for (const body of forms.map((form) => JSON.stringify(form))) {
      for (let length = 0; length < body.length; length += 1) {
        const { code } = errorOf({ status: 200, body: body.slice(0, length) });
        expect(code, `${length} of ${body}`).to.equal('broker-invalid-answer');
      }
    }
  });

  it('without changing the zod of a page that shares it', () => {
    expect(errorOf(ok({ token: 7 })).message).to.include('token');
    parseSession(ok({ token: TOKEN }));
    expect({ ...z.config() }).to.deep.equal(BEFORE);
    expect(z.string().safeParse(7).error?.issues[0]?.message).to.equal('not a string');
  });

  it('says what is wrong without repeating what it got', () => {
    const error = errorOf(ok({ token: `${TOKEN} ${TOKEN}`, blockers: [7], member: { memberNo: 7 } }));
    expect(String(error)).to.include('blockers.0, token').and.not.include('member').and.not.include(TOKEN);
  });
});
