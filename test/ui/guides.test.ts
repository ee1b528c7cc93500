import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { codeOf } from '../support/code-of.ts';
import { SUPPORT } from '../../src/ui/views/support.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { BROKE, json, MEMBER, memberWith, readiness, session } from '../support/fake-broker.ts';
import {
  button,
  fieldOf,
  findPart,
  nextTurn,
  openBlocked,
  openDialer,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  settled,
  textOf,
  until,
} from '../support/dialer.ts';

const FUNDS = 'Your call balance is used up. An admin has to add money before you can call.';
const HOTLINE = 'You have no caller number yet. An admin has to assign one.';

/** The one button that stands out. */
const firstIn = (dialer: PartnerDialer) =>
  [...(dialer.shadowRoot?.querySelectorAll('[part~=guide] .primary') ?? [])]
    .map(({ textContent }) => textContent.trim())
    .join(', ');
const helpButtons = (dialer: PartnerDialer) =>
  [...(dialer.shadowRoot?.querySelectorAll('[part~=guide-action]') ?? [])].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { x, y, width, height };
  });

const problem = (code: string, status: number) => json({ code }, status, 'application/problem+json');

describe('the guide of an agent without money', () => {
  it('whose top-up works, and who has no caller number either, is not told that a request is under way', async () => {
    const page = await openBlocked({
      'POST session': () => session({ ...BROKE, blockers: ['insufficient-funds', 'no-hotline'] }),
      'POST top-up': () => readiness({ blockers: ['no-hotline'], hotlines: [] }),
    });
    await press(page.dialer, 'Ask for a top-up');
    await until(() => textOf(page.dialer).includes(HOTLINE), 'the other guide');
    expect(textOf(page.dialer)).not.to.include('request');
    expect(firstIn(page.dialer)).to.equal('Ask for a caller number');
  });

  it('says what is wrong, who can fix it and what to press', async () => {
    const page = await openBlocked({ 'POST session': () => session(BROKE) });
    await expect(page.dialer).to.be.accessible();
    const text = textOf(page.dialer);
    expect(text).to.include(FUNDS).and.include('Who can fix it: your admin').and.include('Balance: 0 ₫');
    expect(text).to.include('Ask for a top-up').and.include('Check again').and.include('PD-402');
    expect(page.details.get('blocked')?.detail).to.deep.equal({
      reason: 'insufficient-funds',
      source: 'broker',
    });
  });

  it('changes nothing for the page while the broker says the same again and again', async () => {
    const { dialer, broker } = await openBlocked(memberWith(BROKE));
    await until(() => dialer.state.line.is === 'up', 'a line');
    let changes = 0;
    dialer.addEventListener('dialer-statechange', () => (changes += 1));
    await passTime(60_000);
    expect(broker.count('GET status')).to.be.above(1);
    expect(changes).to.equal(0);
  });

  it('is what connect() resolves with when the settings change and there is still no token', async () => {
    const { dialer, broker } = await openBlocked({
      'POST session': () => problem('insufficient-funds', 402),
    });
    dialer.sdkBaseUrl = 'https://staging.example/v3.0';
    const asked = broker.count('POST session');
    await settled(dialer.connect());
    expect(broker.count('POST session')).to.equal(asked + 1);
    expect(dialer.state.status).to.equal('blocked');
  });

  it('sends the request, and says so, although the connection to the exchange has failed', async () => {
    FakeVbot.onBoot = (vbot) => vbot.refuse();
    const { dialer, broker } = await openBlocked({
      ...memberWith(BROKE),
      'POST top-up': () => readiness(BROKE),
    });
    await until(() => dialer.state.line.is === 'failed', 'the failure');
    const asked = broker.count('POST session');
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('Your request is on its way'), 'the notice');
    expect([broker.count('POST top-up'), broker.count('POST session') - asked]).to.deep.equal([1, 0]);
  });

  it('comes when the broker says so instead of giving a token, and leads to the call once it is fixed', async () => {
    const page = await openBlocked({ 'POST session': () => problem('insufficient-funds', 402) });
    expect(textOf(page.dialer)).to.include(FUNDS);
    expect(await codeOf(page.dialer.call('0912345678'))).to.equal('insufficient-funds');
    await page.dialer.updateComplete;
    expect(textOf(page.dialer)).to.include('Then: call 0912 345 678');
    page.broker.on('POST session', () => session());
    await press(page.dialer, 'Check again');
    await until(() => textOf(page.dialer).includes('You can call again'), 'the way out');
    await until(() => page.dialer.state.line.is === 'up', 'a line');
    await press(page.dialer, 'Call 0912 345 678');
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.include('makeCall 0912345678');
  });

  it('gives way, once it is over, to a number of the page and to why that is not called', async () => {
    const page = await openBlocked({ 'POST session': () => session(BROKE) });
    page.broker.on('GET status', () => readiness({ member: MEMBER }));
    await press(page.dialer, 'Check again');
    await until(() => textOf(page.dialer).includes('You can call again'), 'the way out');
    expect(await codeOf(page.dialer.call('12'))).to.equal('invalid-number');
    await page.dialer.updateComplete;
    expect(fieldOf(page.dialer).value).to.equal('12');
    const alert = findPart(page.dialer, 'card')?.querySelector('[role=alert]');
    expect(alert?.textContent).to.include('Not a full number');
  });

  for (const [refusal, refused] of [
    ['no token', () => problem('insufficient-funds', 402)],
    ['a token, but no link to ask again', () => session({ ...BROKE, links: undefined })],
  ] as const) {
    it(`is over by itself once there is money, from a broker that gave ${refusal}`, async () => {
      const page = await openBlocked({ 'POST session': refused });
      await passTime(60_000);
      expect(page.broker.count('POST session')).to.be.within(3, 6);
      page.broker.on('POST session', () => session());
      await passTime(75_000);
      expect(page.dialer.state.block.is).to.equal('cleared');
      expect(page.dialer.state.line.is).to.equal('up');
    });
  }

  it('gives way to that of the browser, and the dialer connects, from a broker that gave no token', async () => {
    const browser = new FakeBrowser();
    const { dialer, broker } = await openBlocked({
      'POST session': () => problem('insufficient-funds', 402),
    });
    browser.goOnline(false);
    broker.on('POST session', () => session());
    await press(dialer, 'Check again');
    await until(() => dialer.state.line.is === 'up', 'a line');
    browser.goOnline(true);
    await until(() => dialer.state.canCall, 'the way out');
  });

  it('says what came of the request: a reached limit, or nothing changed', async () => {
    const page = await openBlocked({
      ...memberWith(BROKE),
      'POST top-up': () => problem('top-up-limit', 429),
    });
    const { dialer, broker } = page;
    await until(() => dialer.state.line.is === 'up', 'a line');
    await press(dialer, 'Ask for a top-up');
    await until(
      () => textOf(dialer).includes('Today’s top-up limit is reached. Ask again tomorrow'),
      'the limit',
    );
    expect(firstIn(dialer), 'what there is left to press').to.equal('Check again');
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('Nothing has changed yet'), 'no change');
    expect(firstIn(dialer)).to.equal('Ask for a top-up');
    broker.on('GET status', new TypeError('network down'));
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('The check did not get through'), 'a failed check');
    broker.on('GET status', () => readiness());
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    expect(textOf(dialer)).to.include('Back to the keypad');
    await press(dialer, 'Back to the keypad');
    await reaches(dialer, 'ready');
  });

  for (const [code, sentence, first] of [
    ['top-up-off', 'Top-ups are switched off here', 'Check again'],
    ['top-up-later', 'The top-up cannot be made right now', 'Ask for a top-up'],
    ['top-up-refused', 'The phone service refused the top-up', 'Check again'],
    ['top-up-admin-short', 'The company account is short of money', 'Check again'],
    ['top-up-too-small', 'One top-up is not enough', 'Check again'],
  ]) {
    it(`tells an agent whose request comes back as ${code} why, and what to press next`, async () => {
      const page = await openBlocked({ ...memberWith(BROKE), 'POST top-up': () => problem(code ?? '', 503) });
      await press(page.dialer, 'Ask for a top-up');
      const before = helpButtons(page.dialer);
      await until(() => textOf(page.dialer).includes(sentence ?? ''), code ?? '');
      expect(firstIn(page.dialer)).to.equal(first);
      expect(helpButtons(page.dialer), 'the places of the buttons').to.deep.equal(before);
    });
  }

  it('never has "Ask for a top-up" where "Check again" was pressed', async () => {
    const page = await openBlocked({
      'POST session': () => session(BROKE),
      'POST top-up': () => readiness(BROKE),
    });
    const { dialer, broker } = page;
    await press(dialer, 'Ask for a top-up');
    await until(() => firstIn(dialer) === 'Check again', 'the answer');
    const { top } = button(dialer, 'Check again').getBoundingClientRect();
    broker.on('GET status', () => new Promise(() => undefined));
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('Checking'), 'the check');
    expect(button(dialer, 'Checking…').getBoundingClientRect().top).to.equal(top);
  });

  it('says of a request that was refused that it did not get through, and lets it be made again', async () => {
    const page = await openBlocked({
      'POST session': () => session(BROKE),
      'POST top-up': () => problem('too-many-requests', 429),
    });
    const { dialer, broker } = page;
    await until(() => dialer.state.line.is === 'up', 'a line');
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('Your request did not get through.'), 'the failure');
    expect(textOf(dialer)).not.to.include('The check');
    expect(firstIn(dialer)).to.equal('Ask for a top-up');
    broker.on('POST top-up', () => readiness());
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
  });

  it('says of a request that was cut off that nobody knows its result, and offers the check first', async () => {
    const page = await openBlocked({ ...memberWith(BROKE), 'POST top-up': new TypeError('network down') });
    await press(page.dialer, 'Ask for a top-up');
    await until(() => textOf(page.dialer).includes('It is not known yet'), 'the notice');
    expect(firstIn(page.dialer)).to.equal('Check again');
    await expect(page.dialer).to.be.accessible();
  });

  it('says nothing of a request that the page handles, until the page does', async () => {
    const page = await openBlocked({ 'POST session': () => session(BROKE) });
    const { dialer, details } = page;
    dialer.addEventListener('dialer-topuprequest', (event) => event.preventDefault());
    await press(dialer, 'Ask for a top-up');
    await dialer.updateComplete;
    expect(textOf(dialer)).not.to.include('Your request is on its way');
    expect(page.broker.count('POST top-up')).to.equal(0);
    const { memberNo, done } = details.get('topuprequest')?.detail ?? {};
    expect(memberNo).to.equal('agent001');
    done('top-up-limit');
    await until(() => textOf(dialer).includes('Today’s top-up limit is reached'), 'the word of the page');
    done();
    await until(() => textOf(dialer).includes('Your request is on its way'), 'the notice');
    expect(firstIn(dialer)).to.equal('Check again');
  });

  it('sends the request for a top-up that is made while a check is under way', async () => {
    const { dialer, broker } = await openDialer(
      {},
      {
        'POST session': () => session(BROKE),
        'GET status': () => new Promise(() => undefined),
        'POST top-up': () => readiness(),
      },
    );
    await until(() => dialer.state.line.is === 'up', 'a line');
    const checked = codeOf(dialer.recheck());
    await nextTurn();
    await press(dialer, 'Ask for a top-up');
    await until(() => broker.count('POST top-up') === 1, 'the request');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    await dialer.disconnect();
    expect(await checked).to.equal('not-ready');
  });

  it('tells a page with its own guide of each call that is refused, and says nothing when it is over', async () => {
    const { dialer, events } = await openDialer(
      {},
      { 'POST session': () => session(BROKE), 'GET status': () => readiness() },
    );
    dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await until(() => dialer.state.line.is === 'up', 'a line');
    const told = () => events.filter((name) => name === 'blocked').length;
    expect([await codeOf(dialer.call('0912345678')), told()]).to.deep.equal(['insufficient-funds', 2]);
    expect([await codeOf(dialer.call('?')), told()]).to.deep.equal(['invalid-number', 2]);
    await dialer.recheck();
    expect([dialer.state.block.is, dialer.state.status]).to.deep.equal(['none', 'ready']);
  });

  it('leaves the drawing to a page that takes the guide over', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': () => session(BROKE) });
    page.dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await settled(page.dialer.connect());
    await page.dialer.updateComplete;
    expect(page.dialer.state.status).to.equal('blocked');
    expect(textOf(page.dialer)).not.to.include(FUNDS);
    expect(textOf(page.dialer)).to.include('You cannot call out yet');
    expect(textOf(page.dialer), 'the balance, as a warning').to.include('Low call balance: 0');
    expect(() => button(page.dialer, 'Ask for a top-up'), 'the way out, which the page has').to.throw(
      'no button',
    );
  });

  it('says why a call is refused where the page draws the guide', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': () => session(BROKE) });
    page.dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await settled(page.dialer.connect());
    await page.dialer.updateComplete;
    await press(page.dialer, '0');
    await press(page.dialer, 'Call');
    await until(() => textOf(page.dialer).includes('Not a full number yet.'), 'the number’s fault');
    for (const key of '912345678') {
      await press(page.dialer, key);
    }
    await press(page.dialer, 'Call');
    await until(() => textOf(page.dialer).includes('Your call balance is used up.'), 'the reason');
  });

  it('leaves the keypad where it is when the member can call again and the page drew the guide', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': () => session(BROKE) });
    page.dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await settled(page.dialer.connect());
    await page.dialer.updateComplete;
    await press(page.dialer, '0');
    page.broker.on('GET status', () => readiness({ member: MEMBER }));
    await page.dialer.recheck();
    await reaches(page.dialer, 'ready');
    await page.dialer.updateComplete;
    expect(fieldOf(page.dialer).value).to.equal('0');
    expect(textOf(page.dialer)).not.to.include('You can call again');
  });

  it('still rings when somebody calls in', async () => {
    const page = await openDialer({}, { 'POST session': () => session(BROKE) });
    await until(() => page.dialer.state.line.is === 'up', 'a line');
    await ringOn(page.dialer);
    await press(page.dialer, 'Decline');
    await reaches(page.dialer, 'blocked');
  });
});

describe('the guide of an agent without a hotline', () => {
  it('says what is wrong, who can fix it and what to press', async () => {
    const none = { hotlines: [], blockers: ['no-hotline'] };
    const page = await openBlocked({ 'POST session': () => session(none) });
    await expect(page.dialer).to.be.accessible();
    expect(textOf(page.dialer)).to.include(HOTLINE).and.include('Ask for a caller number');
  });

  it('stays while the SDK still finds none', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    const none = {
      'POST session': () => session({ hotlines: [] }),
      'GET status': () => readiness({ hotlines: [] }),
    };
    const page = await openBlocked(none);
    await press(page.dialer, 'Check again');
    await until(() => textOf(page.dialer).includes('Nothing has changed yet'), 'no change');
    expect(textOf(page.dialer)).to.include(HOTLINE);
  });
});

describe('the guide for a reason nobody knows', () => {
  for (const reason of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'no-such-reason']) {
    it(`is the general one for ${reason}`, async () => {
      const page = await openBlocked({ 'POST session': () => session({ blockers: [reason] }) });
      const text = textOf(page.dialer);
      expect(text).to.include('Your account cannot place calls right now.').and.include('Check again');
      expect(text).to.include(`Code PD-BLOCKED · ${reason}`).and.include('Who can fix it: your admin');
    });
  }
});

describe('the code that an agent reads out', () => {
  it('is short, in capitals, and another one for each cause', () => {
    const codes = Object.values(SUPPORT).map(({ code }) => code);
    for (const code of codes)
      expect(code)
        .to.match(/^PD-(?:402|[A-Z]+(?:-[A-Z]+)?)$/)
        .and.have.lengthOf.at.most(14);
    expect(codes).to.deep.equal([...new Set(codes)]);
    expect(codes).not.to.include('PD-TAB').and.not.include('PD-CSP');
  });
});

describe('a dialer that cannot connect', () => {
  it('says that the phone service is down, and that it is the phone service that can fix it', async () => {
    const page = await openDialer({}, { 'POST session': () => problem('vendor-unreachable', 502) });
    await reaches(page.dialer, 'failed');
    await expect(page.dialer).to.be.accessible();
    const text = textOf(page.dialer);
    expect(text).to.include('The phone service does not answer right now.');
    expect(text).to.include('Who can fix it: the phone service').and.include('PD-VENDOR');
    expect(text).not.to.include('sign-in server');
  });

  it('puts the id of the broker’s request into the copied details, and never a token', async () => {
    let copied = '';
    const writeText = async (text: string) => (copied = text);
    new FakeBrowser().replace(navigator, 'clipboard', { writeText });
    const refused = problem('vendor-unreachable', 502);
    refused.headers.set('X-Request-Id', 'req-42');
    const { dialer } = await openDialer({}, { 'POST session': refused });
    await reaches(dialer, 'failed');
    await press(dialer, 'Copy details');
    await until(() => copied !== '', 'the details');
    expect(copied).to.include('code: PD-VENDOR').and.include('request: req-42');
    await until(() => textOf(dialer).includes('Copied'), 'a word about it');
  });

  it('says that the details could not be copied, where the browser refuses', async () => {
    new FakeBrowser().replace(navigator, 'clipboard', {
      writeText: () => Promise.reject(new DOMException('refused', 'NotAllowedError')),
    });
    const { dialer } = await openDialer({}, { 'POST session': problem('vendor-unreachable', 502) });
    await reaches(dialer, 'failed');
    await press(dialer, 'Copy details');
    await until(() => textOf(dialer).includes('Copying is not allowed'), 'a word about it');
    expect(textOf(dialer)).not.to.include('Copied');
  });
});
