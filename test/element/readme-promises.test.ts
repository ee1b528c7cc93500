/** What the README promises of attributes, as the phone behind the dialer and the page around it see it. */
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { PartnerDialer } from '../../src/element.ts';
import '../../src/index.ts';
import { fakePhone, type FakePhone } from '../../src/testing/fake-phone.ts';
import { settled } from '../support/clock.ts';
import { playLocks } from '../support/locks.ts';

playLocks();

const SALES = { name: 'Sales', number: '842899990001', code: 'HL_SALES' };
const CARE = { name: 'Care', number: '842899990003', code: 'HL_CARE' };
const CUSTOMER = '0912345678';

describe('a member with two caller numbers', () => {
  let phone: FakePhone;
  beforeEach(() => {
    phone = fakePhone({ hotlines: [SALES, CARE] });
  });
  afterEach(() => phone.restore());

  const open = async (hotline: string) => {
    const dialer = await fixture<PartnerDialer>(html`
      <partner-dialer
        broker-url=${phone.brokerUrl}
        sdk-url=${phone.sdkUrl}
        hotline=${hotline}
        connect-mode="manual"
        lang="en"
      ></partner-dialer>
    `);
    await settled(dialer.connect());
    return dialer;
  };

  it('calls with the first one', async () => {
    const dialer = await open('');
    setTimeout(() => void dialer.call(CUSTOMER));
    const { detail } = await oneEvent(dialer, 'dialer-callstart');
    expect(detail.call.number).to.equal(CUSTOMER);
    expect(phone.calls.at(-1)?.hotline).to.equal(SALES.number);
  });

  it('calls with the one in `hotline`, and with the first where that is nobody’s', async () => {
    const dialer = await open(CARE.number);
    await dialer.call(CUSTOMER);
    expect(phone.calls.at(-1)?.hotline).to.equal(CARE.number);
    await dialer.hangUp();
    dialer.hotline = '842800000000';
    await dialer.call(CUSTOMER);
    expect(phone.calls.at(-1)?.hotline).to.equal(SALES.number);
  });

  it('calls with the one that was set last, by the agent or by the page', async () => {
    const dialer = await open(SALES.number);
    const choose = async (number: string) => {
      await dialer.updateComplete;
      const select = dialer.shadowRoot?.querySelector<HTMLSelectElement>('[part~=hotline] select');
      if (!select) throw new Error('There is nothing to choose from.');
      select.value = number;
      select.dispatchEvent(new Event('change'));
    };
    const calledWith = async () => {
      await dialer.call(CUSTOMER);
      await dialer.hangUp();
      return phone.calls.at(-1)?.hotline;
    };
    await choose(CARE.number);
    expect(await calledWith()).to.equal(CARE.number);
    dialer.hotline = SALES.number.replace(/^84/, '0');
    expect(await calledWith(), 'the same number for the page').to.equal(SALES.number);
    await choose(CARE.number);
    dialer.requestUpdate();
    expect(await calledWith(), 'a re-render sets nothing').to.equal(CARE.number);
    dialer.hotline = '';
    expect(await calledWith()).to.equal(SALES.number);
  });

  it('calls with the one that the page names for this call, and later with its own again', async () => {
    const dialer = await open('');
    await dialer.call(CUSTOMER, { hotline: CARE.number });
    expect(phone.calls.at(-1)?.hotline).to.equal(CARE.number);
    await dialer.hangUp();
    await dialer.call(CUSTOMER);
    expect(phone.calls.at(-1)?.hotline).to.equal(SALES.number);
  });

  it('has a dialer that everybody can use', async () => {
    await expect(await open('')).to.be.accessible();
  });
});

describe('the width of a dialer', () => {
  it('is as the page wants it, between 280 and 400 px', async () => {
    const dialer = await fixture<PartnerDialer>(
      html`<partner-dialer connect-mode="manual"></partner-dialer>`,
    );
    for (const [wanted, width] of [
      ['100px', 280],
      ['350px', 350],
      ['900px', 400],
    ] as const) {
      dialer.style.setProperty('--partner-dialer-width', wanted);
      expect(dialer.getBoundingClientRect().width, wanted).to.equal(width);
    }
  });
});

describe('the class under a tag of the page’s own', () => {
  it('is a dialer like another', async () => {
    customElements.define('crm-phone', class extends PartnerDialer {});
    const phone = fakePhone();
    const dialer = await fixture<PartnerDialer>(html`
      <crm-phone broker-url=${phone.brokerUrl} sdk-url=${phone.sdkUrl} connect-mode="manual"></crm-phone>
    `);
    await settled(dialer.connect());
    expect(dialer.state.status).to.equal('ready');
    await dialer.call(CUSTOMER);
    expect(phone.calls.at(-1)?.number).to.equal(CUSTOMER);
    dialer.remove();
    phone.restore();
  });
});
