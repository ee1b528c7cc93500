/** The page's own words, and the language around the dialer. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { findPart, nextTurn, openReady, part, talkOn, textOf } from '../support/dialer.ts';

const THAI = {
  dialer: 'โทรศัพท์',
  call: 'โทร',
  status: { ready: 'พร้อม' },
  balanceOf: (money: string) => `ยอดเงิน: ${money}`,
};

const languageOf = (dialer: PartnerDialer) => part(dialer, 'card').lang;
const statusOf = (dialer: PartnerDialer) => part(dialer, 'status').textContent;

async function set(dialer: PartnerDialer, words: unknown): Promise<void> {
  Object.assign(dialer, { words });
  await dialer.updateComplete;
}

async function open(words: unknown, lang = ''): Promise<PartnerDialer> {
  const { dialer } = await openReady(lang === '' ? {} : { lang });
  await set(dialer, words);
  return dialer;
}

describe('words of the page', () => {
  const { warn } = console;
  let warnings: string[] = [];
  beforeEach(() => {
    warnings = [];
    console.warn = (...words: unknown[]) => warnings.push(words.join(' '));
  });
  afterEach(() => {
    console.warn = warn;
    document.documentElement.lang = 'en';
  });

  it('are read once, not each time the dialer is drawn', async () => {
    let reads = 0;
    const own = {
      get call() {
        reads += 1;
        return 'Dial';
      },
    };
    const dialer = await open(own, 'en');
    expect(findPart(dialer, 'call-button')?.textContent.trim()).to.equal('Dial');
    const before = reads;
    dialer.requestUpdate();
    await dialer.updateComplete;
    expect(reads).to.equal(before);
  });

  it('stand over those of the language, in part, until the page takes them away', async () => {
    const dialer = await open({ status: { ready: 'Good to go' } }, 'en');
    expect(statusOf(dialer)).to.include('Good to go');
    expect([findPart(dialer, 'call-button')?.textContent.trim(), languageOf(dialer)]).to.deep.equal([
      'Call',
      'en',
    ]);
    dialer.lang = 'vi-VN';
    await dialer.updateComplete;
    expect(statusOf(dialer)).to.include('Good to go');
    expect([findPart(dialer, 'call-button')?.textContent.trim(), languageOf(dialer)]).to.deep.equal([
      'Gọi',
      'vi',
    ]);
    for (const none of [null, undefined, {}]) {
      await set(dialer, none);
      expect(statusOf(dialer)).to.include('Sẵn sàng');
      await set(dialer, { status: { ready: 'Good to go' } });
    }
    expect(warnings).to.deep.equal([]);
  });

  it('bring any language: what is missing is English, amounts are written as that language does', async () => {
    const dialer = await open(THAI, 'th-TH');
    expect([statusOf(dialer)?.includes('พร้อม'), languageOf(dialer)]).to.deep.equal([true, 'th-TH']);
    expect(textOf(dialer)).to.include(
      `ยอดเงิน: ${new Intl.NumberFormat('th', { style: 'currency', currency: 'VND' }).format(12_500)}`,
    );
    expect(part(dialer, 'card').getAttribute('aria-label')).to.equal('โทรศัพท์');
    expect(textOf(dialer)).to.include('From');
    dialer.lang = 'de_AT';
    await dialer.updateComplete;
    expect(languageOf(dialer)).to.equal('de-AT');
    dialer.lang = 'no language!';
    await dialer.updateComplete;
    expect(languageOf(dialer), 'the page’s').to.equal('en');
  });

  it('that are none are named once, and the words of the language stand in', async () => {
    const wrong = {
      call: 7,
      dailer: 'Phone',
      status: { ready: ['Good'], reddy: 'Good' },
      balanceOf: 'Balance',
      talkTime: () => 5,
      willCall: () => {
        throw new Error('of the page');
      },
      shortcuts: { keys: { 0: ['a', 'b'] } },
      language: 'xx',
      sip: { 486: 'In a call.', 404: null },
      toString: 'x',
    };
    const dialer = await open(wrong, 'en');
    await dialer.prefill('+84 912 345 678');
    await set(dialer, { ...wrong });
    await set(dialer, 'Phone');
    expect(textOf(dialer)).to.include('Ready').and.include('Call balance: 12,500');
    const named = warnings.map((text) =>
      /(words.*); it is ignored/.exec(text)?.[1]?.replace('has the wrong type or is empty', 'is wrong'),
    );
    expect(named.toSorted()).to.deep.equal([
      'words is wrong',
      'words.balanceOf is wrong',
      'words.call is wrong',
      'words.dailer is not a key of DialerWords',
      'words.language is not a key of DialerWords',
      'words.shortcuts.keys is wrong',
      'words.status.ready is wrong',
      'words.status.reddy is not a key of DialerWords',
      'words.toString is not a key of DialerWords',
      'words.willCall is wrong',
    ]);
  });

  it('with gaps fall back: a button has its name', async () => {
    const dialer = await open({ sip: { 499: null, 404: '' }, answer: ' ', call: null, hangUp: '' }, 'en');
    expect(findPart(dialer, 'call-button')?.textContent.trim()).to.equal('Call');
    expect(warnings.map((text) => text.replace('<partner-dialer>: ', '')).toSorted()).to.deep.equal([
      'words.answer has the wrong type or is empty; it is ignored.',
      'words.hangUp has the wrong type or is empty; it is ignored.',
      'words.sip.404 has the wrong type or is empty; it is ignored.',
    ]);
  });

  it('that throw when they are read leave the others alone, and the call can be hung up', async () => {
    const broken = Object.defineProperty({ call: 'Dial', status: {} }, 'hangUp', {
      enumerable: true,
      get: () => {
        throw new Error('of the page');
      },
    });
    Object.defineProperty(broken.status, 'ready', Object.getOwnPropertyDescriptor(broken, 'hangUp') ?? {});
    const dialer = await open(broken, 'en');
    expect(statusOf(dialer)).to.include('Ready');
    expect(findPart(dialer, 'call-button')?.textContent.trim()).to.equal('Dial');
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    await set(dialer, revoked.proxy);
    expect(findPart(dialer, 'call-button')?.textContent.trim()).to.equal('Call');
    await set(dialer, broken);
    await talkOn(dialer);
    expect(findPart(dialer, 'hangup-button')?.textContent.trim()).to.equal('Hang up');
  });

  it('and the language follow the page, and each lang around the dialer, without a reload', async () => {
    const { dialer } = await openReady({ lang: '' });
    const outer = document.body.appendChild(document.createElement('div'));
    outer.attachShadow({ mode: 'open' }).append(dialer);
    await nextTurn();
    dialer.remove();
    await nextTurn();
    outer.shadowRoot?.append(dialer);
    const spoken = async () => {
      await nextTurn();
      return languageOf(dialer);
    };
    document.documentElement.lang = 'vi';
    expect(await spoken()).to.equal('vi');
    outer.lang = 'en';
    expect(await spoken()).to.equal('en');
    outer.removeAttribute('lang');
    expect(await spoken()).to.equal('vi');
    document.documentElement.lang = 'th';
    expect(await spoken(), 'whose words nobody has brought').to.equal('en');
    await set(dialer, THAI);
    expect(await spoken()).to.equal('th');
    outer.remove();
  });

  it('and the language follow a lang in the shadow root that the dialer was moved into', async () => {
    const { dialer } = await openReady({ lang: '' });
    const modal = document.body.appendChild(document.createElement('div'));
    const wrapper = document.createElement('div');
    modal.attachShadow({ mode: 'open' }).append(wrapper);
    wrapper.append(dialer);
    await nextTurn();
    wrapper.lang = 'vi';
    await nextTurn();
    expect(languageOf(dialer)).to.equal('vi');
    modal.remove();
  });
});
