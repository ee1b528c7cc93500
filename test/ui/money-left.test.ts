import { expect } from '@open-wc/testing';
import {
  button,
  openReady,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  settled,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { json, LINKS, MEMBER, memberWith, session } from '../support/fake-broker.ts';
import { openOtherTab } from '../support/other-tab.ts';
import { pause } from '../../src/wait.ts';

/** With money for so many minutes. */
const minutes = (count: number) => ({
  member: { ...MEMBER, balance: count * 800, pricePerMinute: 800 },
  links: { ...LINKS, calls: 'calls' },
});

describe('what an agent reads of money and minutes', () => {
  let page: DialerPage;

  async function open(count: number): Promise<void> {
    const who = minutes(count);
    page = await openReady({}, memberWith(who));
  }

  it('is how long the balance lasts', async () => {
    await open(15.6);
    expect(textOf(page.dialer)).to.match(/Call balance: 12,480\s₫ · about 15\smin/);
    page.dialer.lang = 'vi';
    await page.dialer.updateComplete;
    expect(textOf(page.dialer)).to.match(/12\.480\s₫ · khoảng 15\sphút/);
  });

  it('is whole minutes in the page’s own words, too', async () => {
    await open(41.7);
    page.dialer.words = { talkTime: (count: number) => `${count} minutes` };
    await page.dialer.updateComplete;
    expect(textOf(page.dialer)).to.include('· 41 minutes');
  });

  it('is only the balance where nobody knows what a minute costs', async () => {
    page = await openReady();
    expect(textOf(page.dialer)).to.include('12,500').and.not.include('about');
    await talkOn(page.dialer);
    await passTime(1000);
    expect(textOf(page.dialer)).not.to.include('left');
  });

  it('counts down in the last five minutes, and is said in the last one', async () => {
    await open(6);
    await talkOn(page.dialer);
    await passTime(2000);
    expect(textOf(page.dialer)).not.to.include('left');
    await passTime(60_000);
    expect(textOf(page.dialer)).to.match(/04:5\d left/);
    const mute = () => button(page.dialer, 'Mute').getBoundingClientRect().top;
    const before = mute();
    const said = () => page.dialer.shadowRoot?.querySelector('[part~=card] [role=alert]')?.textContent.trim();
    expect(said()).to.equal('');
    await passTime(4 * 60_000);
    expect(said()).to.equal('Your call balance is enough for less than a minute.');
    expect(mute(), 'no button moves').to.equal(before);
    await expect(page.dialer).to.be.accessible();
  });

  it('does not count in a call that somebody else pays for', async () => {
    await open(1);
    await ringOn(page.dialer);
    sdk().answerCall = async () => sdk().accept();
    await page.dialer.answer();
    await reaches(page.dialer, 'in-call');
    await passTime(2000);
    expect(textOf(page.dialer)).not.to.include('left').and.not.include('enough');
  });

  it('is what the call has cost, as soon as the vendor knows, also in the recent calls', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '+84 912 345 678', talkSeconds: 5 };
    let calls: unknown = [row, { nonsense: true }];
    page.broker.on('GET calls', () => json({ calls }));
    await talkOn(page.dialer);
    await passTime(5000);
    sdk().end();
    await reaches(page.dialer, 'ended');
    await passTime(4000);
    expect(page.broker.count('GET calls')).to.equal(1);
    expect(textOf(page.dialer), 'not charged yet')
      .to.include('Answered · 00:05')
      .and.not.match(/00:05 · \d+\s₫/);
    calls = [
      null,
      { ...row, cost: 5, talkSeconds: '5' },
      { ...row, cost: 10, number: '0900000000' },
      { ...row, cost: 20, talkSeconds: 60 },
      { ...row, cost: 30, direction: 'incoming' },
      { ...row, cost: 67 },
    ];
    await until(() => page.broker.count('GET calls') === 2, 'the next request');
    await passTime(100);
    expect(textOf(page.dialer)).to.match(/00:05 · 67\s₫/);
    expect(page.details.get('callcost')?.detail.call).to.include({ cost: 67, outcome: 'answered' });
    expect(page.events.filter((name) => name === 'callcost')).to.have.length(1);
    await press(page.dialer, 'Recent calls');
    expect(textOf(page.dialer)).to.match(/5\ss · 67\s₫/);
    await passTime(300_000);
    expect(page.broker.count('GET calls'), 'nobody asks on').to.equal(2);
  });

  it('is what the call has cost, also when the dialer signs in again after the call', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '0912345678', talkSeconds: 5 };
    const chargedAt = Date.now() + 5000 + 10_000;
    page.broker
      .on('GET calls', () => json({ calls: [{ ...row, cost: Date.now() < chargedAt ? 0 : 67 }] }))
      .on('POST session', async () => {
        await pause(5000, new AbortController().signal);
        return session(minutes(15));
      });
    await talkOn(page.dialer);
    page.dialer.sdkBaseUrl = 'https://api.example';
    await passTime(5000);
    sdk().end();
    await until(() => page.broker.count('POST session') === 2, 'the sign-in');
    await until(() => /00:05 · 67\s₫/.test(textOf(page.dialer)), 'the cost');
  });

  /** In an answered call, whose cost that broker would tell. */
  async function turnToAnotherBroker(): Promise<void> {
    await open(15);
    page.broker.on('GET calls', () =>
      json({ calls: [{ direction: 'outgoing', number: '0912345678', talkSeconds: 5, cost: 67 }] }),
    );
    await talkOn(page.dialer);
    page.dialer.brokerUrl += '?other';
    await passTime(5000);
  }

  it('is not asked of the broker that the page has set during the call', async () => {
    await turnToAnotherBroker();
    sdk().end();
    await reaches(page.dialer, 'ready');
    await passTime(60_000);
    expect([page.broker.count('GET calls'), page.details.has('callcost')]).to.deep.equal([0, false]);
  });

  it('is not asked of that broker when another tab takes the phone in the call, either', async () => {
    await turnToAnotherBroker();
    const tab = await openOtherTab({ is: 'idle' }, { steal: true });
    sdk().end();
    await reaches(page.dialer, 'blocked');
    tab.close();
    await reaches(page.dialer, 'ready');
    await passTime(60_000);
    expect([page.broker.count('GET calls'), page.details.has('callcost')]).to.deep.equal([0, false]);
  });

  it('is not what an earlier call has cost that the page gave the same id', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '0912345678', externalCallId: 'order42' };
    const first = { ...row, talkSeconds: 5, cost: 67 };
    let calls = [first];
    page.broker.on('GET calls', () => json({ calls }));
    const talk = async (seconds: number) => {
      await page.dialer.call('0912345678', { externalCallId: 'order42' });
      sdk().accept();
      await reaches(page.dialer, 'in-call');
      await passTime(seconds * 1000);
      sdk().end();
      await reaches(page.dialer, 'ended');
      await passTime(4000);
    };
    await talk(5);
    expect(textOf(page.dialer)).to.match(/00:05 · 67\s₫/);
    await talk(60);
    expect(textOf(page.dialer), 'not charged yet')
      .to.match(/Answered · 01:00/)
      .and.not.match(/67\s₫/);
    calls = [{ ...row, talkSeconds: 60, cost: 800 }, first];
    await until(() => /01:00 · 800\s₫/.test(textOf(page.dialer)), 'its own cost');
  });

  it('is not what an earlier call of nearly that length has cost, while its own is not charged', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '0912345678' };
    const earlier = { ...row, talkSeconds: 4, cost: 67 };
    let calls = [{ ...row, talkSeconds: 5, cost: 0 }, earlier];
    page.broker.on('GET calls', () => json({ calls }));
    await talkOn(page.dialer);
    await passTime(5000);
    sdk().end();
    await until(() => page.broker.count('GET calls') === 1, 'the request');
    await passTime(1000);
    expect(textOf(page.dialer)).not.to.match(/67\s₫/);
    calls = [{ ...row, talkSeconds: 5, cost: 80 }, earlier];
    await until(() => /00:05 · 80\s₫/.test(textOf(page.dialer)), 'its own cost');
  });

  it('stays with its own call when the broker answers for the call before only then', async () => {
    await open(15);
    const answers: ((response: Response) => void)[] = [];
    page.broker.on('GET calls', () => new Promise<Response>((resolve) => answers.push(resolve)));
    const talk = async (number: string) => {
      const asked = answers.length;
      await settled(page.dialer.call(number));
      sdk().accept();
      await reaches(page.dialer, 'in-call');
      sdk().end();
      await until(() => answers.length > asked, 'the request');
    };
    const answer = (number: string, cost: number) =>
      answers.pop()?.(json({ calls: [{ direction: 'outgoing', number, talkSeconds: 0, cost }] }));
    await talk('0911111111');
    await talk('0922222222');
    answer('0922222222', 200);
    await until(() => /200\s₫/.test(textOf(page.dialer)), 'the cost');
    answer('0911111111', 100);
    await press(page.dialer, 'Recent calls');
    await until(() => /0922 222 222.*200\s₫.*0911 111 111.*100\s₫/s.test(textOf(page.dialer)), 'both costs');
  });

  it('is not asked for when a disconnect() has ended the call, not even of the agent who signs in next', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '0912345678', talkSeconds: 5, cost: 67 };
    page.broker.on('GET calls', () => json({ calls: [row] }));
    await talkOn(page.dialer);
    await passTime(5000);
    await page.dialer.disconnect();
    const who = { ...minutes(15), member: { ...MEMBER, memberNo: 'agent002' } };
    page.broker.on('POST session', () => session(who));
    await settled(page.dialer.connect());
    await passTime(200_000);
    expect(page.broker.count('GET calls')).to.equal(0);
  });

  it('is not asked of the broker to which the page turns after the call', async () => {
    await open(15);
    const row = { direction: 'outgoing', number: '0912345678', talkSeconds: 5, cost: 67 };
    const who = { ...minutes(15), member: { ...MEMBER, memberNo: 'agent002' } };
    page.broker
      .on('POST second/session', () => session(who))
      .on('GET second/calls', () => json({ calls: [row] }));
    await talkOn(page.dialer);
    await passTime(5000);
    sdk().end();
    await reaches(page.dialer, 'ended');
    page.dialer.brokerUrl = '/broker/second/session';
    await until(() => page.dialer.state.member?.memberNo === 'agent002', 'the other member');
    await passTime(200_000);
    expect(page.broker.count('GET second/calls')).to.equal(0);
    expect(page.events).not.to.include('callcost');
  });

  it('is still what the call has cost when the name of the customer comes later', async () => {
    const who = { ...minutes(15), links: { ...LINKS, calls: 'calls', customers: 'customers' } };
    let isCostKnown = false;
    page = await openReady(
      {},
      {
        ...memberWith(who),
        'GET calls': () =>
          json({ calls: [{ direction: 'outgoing', number: '0912345678', talkSeconds: 0, cost: 67 }] }),
        'GET customers': async () => {
          await until(() => isCostKnown, 'the cost');
          return json({ customers: [{ code: 'c01', name: 'Mai', number: '0912345678' }] });
        },
      },
    );
    await talkOn(page.dialer);
    sdk().end();
    await until(() => /67\s₫/.test(textOf(page.dialer)), 'the cost');
    isCostKnown = true;
    await until(() => textOf(page.dialer).includes('Mai'), 'the name');
    expect(textOf(page.dialer)).to.match(/67\s₫/);
  });

  it('is not asked for when the call was not answered, nor once the dialer is gone', async () => {
    await open(15);
    page.broker.on('GET calls', () => json({ calls: [] }));
    await page.dialer.call('0912345678');
    sdk().end();
    await reaches(page.dialer, 'ended');
    await passTime(20_000);
    expect(page.broker.count('GET calls')).to.equal(0);
    await talkOn(page.dialer);
    sdk().end();
    await reaches(page.dialer, 'ended');
    page.dialer.remove();
    await passTime(20_000);
    expect(page.broker.count('GET calls')).to.equal(0);
  });
});
