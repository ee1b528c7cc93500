import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.ts';
import { LANGUAGES } from '../../src/i18n/words.ts';
import { outcomeText } from '../../src/ui/views/call-result.ts';
import { vi } from '../../src/i18n/vi.ts';
import type { PartnerDialer } from '../../src/index.ts';
import { formatLength } from '../../src/i18n/format.ts';
import { resultText, shortResultText } from '../../src/ui/views/call-result.ts';
import {
  announcementOf,
  fieldOf,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  stripsOf,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { HOTLINES, readiness } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';

const short = (call: Parameters<typeof shortResultText>[1]) =>
  shortResultText(en, call, (time) => formatLength(time, ['h', 'min', 's'], 'en'));

/** A call out that ends with this status. */
async function failCall(dialer: PartnerDialer, status: number, text: string): Promise<void> {
  await dialer.call('0912345678');
  sdk().getCallData = () => ({
    id: 'out-1',
    phoneNumber: '0912345678',
    direction: 'outgoing',
    session: sdk().session,
  });
  await passTime(120);
  const { session: live } = sdk();
  sdk().end(text);
  live.emit('failed', { message: { status_code: status } });
}

describe('how a call ended', () => {
  let page: DialerPage;

  it('is one sentence: what the status says, else the outcome', () => {
    expect(outcomeText(en, { outcome: 'wrong-number', status: 404 })).to.equal(en.sip[404]);
    expect(outcomeText(en, { outcome: 'wrong-number', status: 484 })).to.equal(en.outcome['wrong-number']);
    expect(outcomeText(en, { outcome: 'busy', status: 486 })).to.equal(en.outcome.busy);
    expect(outcomeText(en, { outcome: 'exchange-trouble' })).to.equal(en.outcome['exchange-trouble']);
    expect(outcomeText(en, {})).to.equal(en.outcome.failed);
  });

  it('is a sentence also where the page’s own words have gaps', async () => {
    page = await openReady();
    Object.assign(page.dialer, { words: { sip: { 499: null, 488: undefined, 487: '' } } });
    for (const status of [499, 488, 487]) {
      await failCall(page.dialer, status, 'SIP Failure Code');
      await reaches(page.dialer, 'ended');
      const [strip] = stripsOf(page.dialer);
      expect(strip?.querySelector('.result')?.textContent, String(status)).to.equal(en.outcome.rejected);
    }
  });

  it('is called the same in the list of calls, where that is short', () => {
    expect(short({ outcome: 'no-answer', status: 480 })).to.equal('Cannot be reached now');
    expect(short({ outcome: 'rejected', status: 406 })).to.equal(en.outcome.rejected);
    expect(short({ outcome: 'answered', answeredAt: 1000, endedAt: 87_000 })).to.equal(
      'Answered · 1\u00a0min 26\u00a0s',
    );
    expect(short({})).to.equal(undefined);
    for (const words of [en, vi])
      for (const status of [404, 410, 411, 480])
        expect(shortResultText(words, { outcome: 'no-answer', status }, String)).to.equal(
          resultText(words, { outcome: 'no-answer', status }),
        );
  });

  it('is not explained by a status where nothing failed', () => {
    for (const outcome of ['answered', 'missed', 'declined', 'cancelled', 'answered-elsewhere'] as const) {
      expect(outcomeText(en, { outcome, status: 480 })).to.equal(en.outcome[outcome]);
    }
  });

  it('has words of its own in both languages, for every outcome and status', () => {
    for (const words of [en, vi]) {
      const sentences = [...Object.values(words.outcome), ...Object.values(words.sip)];
      expect(new Set(sentences).size).to.equal(sentences.length);
    }
    expect(Object.keys(vi.sip)).to.deep.equal(Object.keys(en.sip));
  });

  for (const [lang, words] of Object.entries(LANGUAGES)) {
    it(`is read once above the keypad, and by screen readers, in ${lang}`, async () => {
      page = await openReady({ lang });
      const { dialer } = page;
      await failCall(dialer, 404, 'Not Found');
      await reaches(dialer, 'ended');
      await expect(dialer).to.be.accessible();
      const sentence = words.sip[404] ?? '';
      expect(textOf(dialer).split(sentence.replace(/\.$/, '')), 'said once').to.have.length(2);
      for (const other of Object.values(words.outcome)) {
        expect(textOf(dialer)).not.to.include(other);
      }
      const announced = announcementOf(dialer)?.textContent.trim();
      expect(announced).to.equal(sentence);
    });
  }

  /** The strip about it, if there is one. */
  const stripAfter = async (status: number, text: string) => {
    const { dialer } = page;
    await failCall(dialer, status, text);
    await until(() => dialer.state.call.is === 'ended', 'the end');
    await dialer.updateComplete;
    return stripsOf(dialer)[0];
  };
  const REFUSED: Readonly<Record<number, 'plain' | 'bad'>> = {
    403: 'plain',
    404: 'bad',
    405: 'plain',
    406: 'bad',
    407: 'bad',
    409: 'plain',
    410: 'bad',
    412: 'bad',
    414: 'bad',
    415: 'bad',
    416: 'bad',
  };

  it('offers no second call where that would end in the same way, or is not wanted, and the number is still there', async () => {
    page = await openReady();
    const { dialer } = page;
    for (const [status, tone] of Object.entries(REFUSED)) {
      const strip = await stripAfter(Number(status), 'Rejected');
      expect(strip?.querySelectorAll('button').length, status).to.equal(0);
      expect(strip?.className, status).to.include(tone);
      expect(fieldOf(dialer).value).to.equal('0912345678');
    }
    for (const status of [480, 486, 503, 603]) {
      const strip = await stripAfter(status, 'Rejected');
      expect(strip?.querySelector('button')?.textContent?.trim(), `${status}`).to.equal('Call again');
    }
  });

  it('leads to the other caller numbers where only that would help', async () => {
    FakeVbot.onBoot = (vbot) =>
      vbot.register(HOTLINES.map(({ name, number }) => ({ name, phoneNumber: number })));
    page = await openReady();
    const { dialer } = page;
    const strip = await stripAfter(413, 'Rejected');
    expect(strip?.querySelector('button')?.textContent?.trim()).to.equal('Change it');
    await press(dialer, 'Change it');
    expect(dialer.shadowRoot?.activeElement?.matches('[part~=hotline] select')).to.equal(true);
    expect(fieldOf(dialer).value).to.equal('0912345678');
  });

  it('says whom to ask where there is no other caller number', async () => {
    page = await openReady();
    const strip = await stripAfter(413, 'Rejected');
    expect(strip?.textContent).to.include('You need another caller number: ask your admin');
    expect(strip?.querySelectorAll('button').length).to.equal(0);
  });

  it('says no more that the money is used up once it is not', async () => {
    page = await openReady();
    const { dialer, broker } = page;
    broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await stripAfter(402, 'Payment Required');
    await reaches(dialer, 'blocked');
    expect(textOf(dialer)).to.include('Call balance used up');
    broker.on('GET status', () => readiness());
    await dialer.recheck();
    await until(() => dialer.state.status === 'ready', 'the end of the block');
    await dialer.updateComplete;
    expect(textOf(dialer)).to.include('Call balance: 12,500 ₫').and.not.include('used up');
  });

  it('stays in sight while a connection that was lost with the call comes back', async () => {
    page = await openReady();
    const { dialer } = page;
    await dialer.call('0912345678');
    sdk().end('Cuộc gọi đã bị hủy');
    sdk().emit('onUserDisconnected');
    await reaches(dialer, 'connecting');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('The connection was lost 0912 345 678');
  });
});
