import { expect } from '@open-wc/testing';
import { LANGUAGES } from '../../src/i18n/words.ts';
import type { Words } from '../../src/i18n/en.ts';
import { codeOf } from '../support/code-of.ts';
import { session } from '../support/fake-broker.ts';
import {
  fieldOf,
  openBlocked,
  openDialer,
  openReady,
  press,
  reaches,
  sdk,
  settled,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

describe('the number field of an agent', () => {
  let page: DialerPage;

  const field = () => fieldOf(page.dialer);
  /** What stands between the number and the keys. */
  const reading = () => page.dialer.shadowRoot?.querySelector('#reading')?.textContent?.trim() ?? '';
  const alert = () => page.dialer.shadowRoot?.querySelector('#reading [role=alert]')?.textContent ?? '';
  const type = async (text: string) => {
    field().value = text;
    field().dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    await page.dialer.updateComplete;
  };
  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openReady(attributes);
  };

  it('keeps what was typed, letters too, and says why it cannot be called', async () => {
    await open();
    await type('gọi chị Mai nhé');
    expect(field().value).to.equal('gọi chị Mai nhé');
    expect(reading()).to.equal('Letters and signs cannot be dialled.');
    expect(field().getAttribute('aria-invalid')).to.equal('true');
    await expect(page.dialer).to.be.accessible();
    expect(alert(), 'nothing was pressed yet').to.equal('');
    await press(page.dialer, 'Call');
    await until(() => alert() !== '', 'the refusal');
    expect(alert()).to.equal('Letters and signs cannot be dialled.');
    expect(reading(), 'said once').to.equal(alert());
    await expect(page.dialer).to.be.accessible();
    expect(field().value).to.equal('gọi chị Mai nhé');
    expect(sdk().told).to.deep.equal([]);
    await type('0912 345 678');
    expect(reading()).to.equal('');
  });

  it('shows a number without blanks so that it can be read', async () => {
    await open();
    for (const [written, shown] of [
      ['0912345678', '0912 345 678'],
      ['+442071838750', '+44 207 183 8750'],
    ] as const) {
      await type(written);
      expect(reading(), written).to.equal(shown);
    }
  });

  it('shows what will be dialled before it is, where that is not what was written', async () => {
    await open();
    for (const written of [
      '+84 (0) 912-345-678 ',
      'tel:0912.345.678',
      '0912\u200b345\u200b678',
      '０９１２３４５６７８',
      'SĐT: 0912.345.678',
      '0912 345 678 (Anh Minh)',
    ]) {
      await type(written);
      expect(field().value).to.equal(written);
      expect(reading(), written).to.equal('Will call 0912 345 678');
    }
    await expect(page.dialer).to.be.accessible();
    await press(page.dialer, 'Call');
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001']);
  });

  it('says nothing about a number that is called as it is written', async () => {
    await open();
    for (const written of ['', '0912 345 678', '113', '1900 1234']) {
      await type(written);
      expect(reading(), written).to.equal('');
      expect(field().getAttribute('aria-invalid')).to.equal('false');
    }
  });

  const REFUSED: readonly (readonly [string, keyof Words['invalidNumber']])[] = [
    ['', 'empty'],
    ['12', 'too-short'],
    ['0912345678 / 0987654321', 'two-numbers'],
    ['0912345678\u00a00987654321', 'two-numbers'],
    ['028 3822 1234 máy lẻ 12', 'extension'],
    ['0912345678²', 'other-digits'],
    ['09123456789', 'too-long'],
    ['912345678', 'no-prefix'],
    ['0123456789', 'unknown'],
    ['0912x', 'letters'],
  ];
  for (const [lang, { invalidNumber }] of Object.entries(LANGUAGES)) {
    it(`says what is wrong at a press of "Call", in ${lang}`, async () => {
      await open({ lang });
      for (const [written, reason] of REFUSED) {
        await type(written);
        const call = page.dialer.shadowRoot?.querySelector<HTMLButtonElement>('[part=call-button]');
        expect(call?.disabled, 'pressable').to.equal(false);
        call?.click();
        await until(() => alert() !== '', `a refusal of ${written}`);
        expect(alert(), written).to.equal(invalidNumber[reason]);
        expect(field().value).to.equal(written);
      }
      expect(sdk().told).to.deep.equal([]);
      expect(page.events).not.to.include('beforecall');
    });
  }

  it('takes the keys of the keypad behind whatever is there, and erases sign by sign', async () => {
    await open();
    await type('0912a');
    await press(page.dialer, '7');
    await press(page.dialer, '#');
    expect(field().value).to.equal('0912a7#');
    for (let left = 7; left > 4; left -= 1) await press(page.dialer, 'Erase the last digit');
    expect(field().value).to.equal('0912');
    expect(reading()).to.equal('Not a full number yet.');
    expect(field().getAttribute('aria-invalid'), 'still being typed').to.equal('false');
  });

  it('does not join the numbers of two lines, pasted or given by the page', async () => {
    await open();
    await type('09');
    field().setSelectionRange(2, 2);
    const paste = { inputType: 'insertFromPaste', data: '113\n114', cancelable: true, bubbles: true };
    const goesOn = field().dispatchEvent(new InputEvent('beforeinput', paste));
    expect(goesOn, 'pasted by the browser, too').to.equal(false);
    await page.dialer.updateComplete;
    expect(field().value).to.equal('09113; 114');
    expect(reading()).to.include('More than one number');
    const error = await page.dialer.call('113\n114').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', 'invalid-number');
    expect(error).to.have.property('message').that.includes('two numbers');
    await page.dialer.updateComplete;
    expect(field().value).to.equal('113; 114');
  });

  it('keeps a number that cannot be called out of the guide, and in the field', async () => {
    page = await openBlocked({ 'POST session': () => session({ blockers: ['insufficient-funds'] }) });
    for (const [number, code] of [
      ['0912x', 'invalid-number'],
      ['+84 912 345 678', 'insufficient-funds'],
    ] as const) {
      expect(await codeOf(page.dialer.call(number))).to.equal(code);
      await page.dialer.updateComplete;
      const isOffered = textOf(page.dialer).includes('Then: call 0912 345 678');
      expect(isOffered, number).to.equal(code === 'insufficient-funds');
    }
  });

  it('keeps what is typed while the dialer connects, and says meanwhile that it connects', async () => {
    const [answered, answer] = laterAnswer();
    page = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': () => answered });
    await type('09');
    const connected = page.dialer.connect();
    await reaches(page.dialer, 'connecting');
    expect(textOf(page.dialer)).to.include('Connecting…').and.not.include('Not connected');
    const connecting = field();
    connecting.focus();
    await type('0912');
    await press(page.dialer, '3');
    expect(field().value).to.equal('09123');
    answer(session());
    await settled(connected);
    await reaches(page.dialer, 'ready');
    expect(field()).to.equal(connecting);
    expect(field().value).to.equal('09123');
    expect(page.dialer.shadowRoot?.activeElement).to.equal(connecting);
  });

  it('says why a press of "Call" places no call while the connection is lost', async () => {
    await open();
    await type('0912345678');
    sdk().emit('onUserDisconnected');
    await reaches(page.dialer, 'connecting');
    await press(page.dialer, 'Call');
    await until(() => alert() !== '', 'the refusal');
    expect(alert()).to.equal('The connection to the exchange was lost. Check your network.');
    expect(field().value).to.equal('0912345678');
    expect(field().ariaInvalid, 'a number that is right').to.equal('false');
  });

  it('calls once the dialer is connected, however often "Call" was pressed before', async () => {
    const [answered, answer] = laterAnswer();
    page = await openDialer({}, { 'POST session': () => answered });
    await reaches(page.dialer, 'connecting');
    await type('0912345678');
    await press(page.dialer, 'Call');
    await press(page.dialer, 'Call');
    expect(alert()).to.equal('');
    answer(session());
    await reaches(page.dialer, 'dialing');
  });
});

function laterAnswer(): [Promise<Response>, (response: Response) => void] {
  const resolvers: ((response: Response) => void)[] = [];
  const answered = new Promise<Response>((resolve) => resolvers.push(resolve));
  return [answered, (response) => resolvers.forEach((resolve) => resolve(response))];
}
