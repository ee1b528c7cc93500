import { expect } from '@open-wc/testing';
import type { Customer } from '../../src/index.ts';
import {
  findNamed,
  nextTurn,
  openDialer,
  passTime,
  press,
  reaches,
  recentButton,
  ringOn,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { json, LINKS, session, type Answer } from '../support/fake-broker.ts';

const MAI = { code: 'c01', name: 'Nguyễn Thị Mai', number: '0987654321' };
const BINH = { code: 'c02', name: 'Trần Văn Bình', number: '+84987654321' };
const known = (...customers: unknown[]) => json({ customers });
const later = (ms: number, answer: () => Response) => () =>
  new Promise<Response>((resolve) => {
    setTimeout(() => resolve(answer()), ms);
  });

let page: DialerPage;
let told: { call: { id: string; customer?: Customer }; customers: readonly Customer[] }[] = [];

async function open(answer: Answer | undefined, lang = 'en'): Promise<DialerPage> {
  const links = { ...LINKS, customers: 'customers?team=a' };
  const answers = answer && { 'POST session': () => session({ links }), 'GET customers': answer };
  page = await openDialer({ lang }, answers);
  told = [];
  page.dialer.addEventListener('dialer-customer', ({ detail }) => told.push(detail as (typeof told)[0]));
  await reaches(page.dialer, 'ready');
  return page;
}

const callOf = () => {
  const { call } = page.dialer.state;
  return 'info' in call ? call.info : undefined;
};

async function shows(text: string): Promise<void> {
  await until(() => textOf(page.dialer).includes(text), text);
}

describe('looking up who is on the other side', () => {
  describe('an agent whose caller is a customer', () => {
    it('reads the name while it rings, and the page learns who it is', async () => {
      await open(known({ ...MAI, context: 'Quote sent' }));
      const asked: string[] = [];
      const { fetch } = globalThis;
      globalThis.fetch = (input, init) => {
        asked.push(new Request(input, init).url);
        return fetch(input, init);
      };
      await ringOn(page.dialer, '+84 987 654 321', '0987654321');
      await shows('Nguyễn Thị Mai');
      await shows('Quote sent');
      expect(asked.at(-1)).to.match(/\/broker\/customers\?team=a&phone=/);
      expect(new URL(asked.at(-1) ?? '').searchParams.get('phone')).to.equal(callOf()?.number);
      expect(told.map(({ customers }) => customers.map(({ code }) => code))).to.deep.equal([['c01']]);
      expect(told[0]?.call.customer).to.include({ code: 'c01', name: 'Nguyễn Thị Mai' });
      expect(callOf()?.customer).to.include({ code: 'c01', name: 'Nguyễn Thị Mai', context: 'Quote sent' });
      await expect(page.dialer).to.be.accessible();
      await page.dialer.answer();
      await shows('Nguyễn Thị Mai');
      sdk().end();
      await until(() => page.events.includes('callend'), 'the end');
      expect(callOf()?.customer?.code).to.equal('c01');
      expect(page.broker.count('GET customers')).to.equal(1);
      expect(page.events).not.to.include('error');
    });

    it('is read out whom they dialled, and a name that the page gave stays', async () => {
      await open(known(MAI));
      await page.dialer.call('0987654321');
      await shows('Nguyễn Thị Mai');
      await page.dialer.hangUp();
      await page.dialer.call('0987654321', { name: 'Chị Mai' });
      await until(() => callOf()?.customer !== undefined, 'the customer');
      expect(textOf(page.dialer)).to.include('Chị Mai').and.not.include('Nguyễn Thị Mai');
      expect(callOf()?.name).to.equal('Chị Mai');
    });

    for (const [lang, sentence] of [
      ['en', '2 customers have this number'],
      ['vi', '2 khách hàng cùng số này'],
    ] as const) {
      it(`reads that it may be one of several, in ${lang}`, async () => {
        await open(known(MAI, BINH), lang);
        await ringOn(page.dialer);
        await shows('Nguyễn Thị Mai, Trần Văn Bình');
        await shows(sentence);
        expect(callOf()?.customer).to.equal(undefined);
        expect(callOf()?.customers?.map(({ code }) => code)).to.deep.equal(['c01', 'c02']);
        expect(told[0]?.customers).to.have.length(2);
        await expect(page.dialer).to.be.accessible();
      });
    }

    it('finds the name in the list of recent calls, also when it came after the end', async () => {
      await open(later(3000, () => known(MAI)));
      await ringOn(page.dialer);
      await page.dialer.reject();
      await until(() => callOf()?.customer !== undefined, 'the name');
      await passTime(200);
      recentButton(page.dialer).click();
      await until(
        () => findNamed(page.dialer, 'Recent calls')?.textContent.includes('Nguyễn Thị Mai') === true,
        'the name in the list',
      );
    });

    it('still learns who it was when the call is over, but the page is told of no call that has ended', async () => {
      await open(later(5000, () => known(MAI)));
      await ringOn(page.dialer);
      await page.dialer.reject();
      expect(callOf()?.outcome).to.equal('declined');
      await until(() => callOf()?.customer !== undefined, 'the name');
      expect(callOf()?.outcome).to.equal('declined');
      expect(told).to.deep.equal([]);
      expect(page.events.filter((name) => name === 'callend')).to.have.length(1);
    });

    it('never gets the name of one call on the next', async () => {
      let answers = 0;
      await open(() => (answers++ === 0 ? later(8000, () => known(MAI))() : known(BINH)));
      await ringOn(page.dialer, '0911111111');
      await page.dialer.reject();
      await ringOn(page.dialer, '0922222222');
      await shows('Trần Văn Bình');
      await passTime(10_000);
      expect(textOf(page.dialer)).to.include('Trần Văn Bình').and.not.include('Mai');
      expect(told.map(({ customers }) => customers[0]?.code)).to.deep.equal(['c02']);
    });
  });

  const FAILURES: readonly (readonly [what: string, answer: Answer])[] = [
    ['nobody is known', known()],
    ['it is refused', json({ code: 'vendor-refused' }, 502)],
    ['it is not JSON', new Response('<h1>Bad gateway</h1>', { status: 200 })],
    [
      'it is garbage',
      json({ customers: [null, 7, {}, { code: '', name: 'x' }, { code: 'a', name: ' ' }, 'An'] }),
    ],
    ['it is not a list', json({ customers: { code: 'a', name: 'An' } })],
    ['it leads elsewhere', Response.redirect('https://stranger.invalid/customers', 302)],
    ['the request fails', new TypeError('network')],
    ['it never comes', () => new Promise<Response>(() => undefined)],
  ];

  for (const [what, answer] of FAILURES) {
    it(`a lookup of which ${what} delays nothing, and nobody is told of an error`, async () => {
      await open(answer);
      await ringOn(page.dialer, '0987654321', 'Anh Tư');
      expect(textOf(page.dialer)).to.include('Anh Tư');
      await page.dialer.answer();
      await passTime(11_000);
      expect(page.dialer.state.status).to.equal('in-call');
      expect(textOf(page.dialer)).to.include('Anh Tư');
      expect(told).to.deep.equal([]);
      expect(page.events).not.to.include('error');
      expect(callOf()?.customers).to.equal(undefined);
    });
  }

  it('nothing of it is fetched before the first call, nor asked for a number that is withheld', async () => {
    await open(known(MAI));
    await passTime(5000);
    expect(page.broker.count('GET customers')).to.equal(0);
    await ringOn(page.dialer, 'anonymous');
    await passTime(1000);
    expect(page.broker.count('GET customers')).to.equal(0);
  });

  describe("the page's own lookup", () => {
    it('replaces the link, and may answer at once or later, with more than we ask for', async () => {
      await open(known(BINH));
      const asked: unknown[] = [];
      page.dialer.lookup = (number) => {
        asked.push(number);
        return [{ code: 'vip', name: 'Mai', tier: 'gold' }];
      };
      await ringOn(page.dialer);
      await shows('Mai');
      expect(asked).to.deep.equal(['0987654321']);
      expect(callOf()?.customer).to.deep.include({ code: 'vip', name: 'Mai', tier: 'gold' });
      await page.dialer.reject();
      page.dialer.lookup = async () => [{ code: 'b', name: 'Bình' }];
      await ringOn(page.dialer, '0922222222');
      await shows('Bình');
      expect(page.broker.count('GET customers')).to.equal(0);
      await page.dialer.reject();
      page.dialer.lookup = undefined;
      await ringOn(page.dialer, '0933333333');
      await shows('Trần Văn Bình');
    });

    const hostile: readonly (readonly [what: string, lookup: unknown])[] = [
      [
        'throws',
        () => {
          throw new Error('no CRM');
        },
      ],
      ['rejects', () => Promise.reject(new Error('no CRM'))],
      ['never settles', () => new Promise(() => undefined)],
      ['returns nothing', () => undefined],
      [
        'returns a customer that throws when it is read',
        () => [
          {
            get code() {
              throw new Error('x');
            },
          },
        ],
      ],
      ['returns text', () => 'Mai'],
      ['is not a function', { code: 'c01' }],
    ];
    for (const [what, lookup] of hostile) {
      it(`that ${what} counts as nobody, without an error`, async () => {
        await open(undefined);
        Reflect.set(page.dialer, 'lookup', lookup);
        await ringOn(page.dialer);
        await passTime(11_000);
        expect(page.dialer.state.status).to.equal('incoming');
        expect(textOf(page.dialer)).to.include('0987 654 321');
        expect(told).to.deep.equal([]);
        expect(page.events).not.to.include('error');
        await press(page.dialer, 'Decline');
      });
    }

    it('whose dialer is removed or disconnected meanwhile is not listened to', async () => {
      await open(undefined);
      const answers: ((customers: Customer[]) => void)[] = [];
      page.dialer.lookup = () => new Promise((resolve) => answers.push(resolve));
      await ringOn(page.dialer);
      await until(() => answers.length === 1, 'the question');
      await page.dialer.disconnect();
      answers[0]?.([MAI]);
      await nextTurn();
      expect(told).to.deep.equal([]);
      expect(callOf()?.customer).to.equal(undefined);
    });
  });
});
