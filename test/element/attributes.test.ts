import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { parseFloating, parseLowBalance } from '../../src/element/attributes.ts';
import { HOTLINES } from '../support/fake-broker.ts';
import { fieldOf, nextTurn, openDialer, openReady, press, sdk, until, settled } from '../support/dialer.ts';

function given(attribute: string, value: string): PartnerDialer {
  const dialer = document.createElement('partner-dialer');
  dialer.setAttribute(attribute, value);
  return dialer;
}

describe('the attributes with few values', () => {
  it('become what they name, and the default when they name nothing', () => {
    const table = [
      [
        'broker-credentials',
        'brokerCredentials',
        { include: 'include', omit: 'omit', Include: 'same-origin' },
      ],
      [
        'connect-mode',
        'connectMode',
        { manual: 'manual', interaction: 'interaction', '': 'auto', x: 'auto' },
      ],
      ['theme', 'theme', { dark: 'dark', light: 'light', '': 'auto', sepia: 'auto' }],
      [
        'floating',
        'floating',
        { '': 'bottom-right', true: 'bottom-right', 'top-left': 'top-left', false: false },
      ],
      [
        'low-balance',
        'lowBalance',
        { 0: 0, 1500: 1500, '': 500, ' ': 500, '-1': 500, '1e3': 500, much: 500 },
      ],
    ] as const;
    for (const [attribute, property, values] of table) {
      for (const [value, expected] of Object.entries(values)) {
        const dialer = given(attribute, value);
        expect(dialer[property], `${attribute}="${value}"`).to.equal(expected);
        dialer.removeAttribute(attribute);
        const untouched = document.createElement('partner-dialer');
        expect(dialer[property], `${attribute} removed`).to.equal(untouched[property]);
      }
    }
  });

  it('take whatever a framework sets as a property', () => {
    for (const value of [Number.NaN, -1, Infinity, '', null, undefined, {}]) {
      expect(parseLowBalance(value), String(value)).to.equal(500);
    }
    expect(parseLowBalance('300')).to.equal(300);
    for (const value of [false, 'false', null, undefined]) expect(parseFloating(value)).to.equal(false);
    for (const value of [true, 'yes', 7]) expect(parseFloating(value)).to.equal('bottom-right');
  });

  it('hide no method: the dialer of a page that sets all properties still connects', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' });
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(page.dialer))) {
      const attributes = (page.dialer.constructor as typeof PartnerDialer).elementProperties;
      const hidden = attributes.has(name) && typeof Reflect.get(page.dialer, name) === 'function';
      expect(hidden, name).to.equal(false);
    }
    page.dialer.setAttribute('connect', 'auto');
    await nextTurn();
    expect(page.broker.asked, 'the attribute connect has no meaning').to.have.length(0);
    await settled(page.dialer.connect());
    expect(page.dialer.state.status).to.equal('ready');
  });
});

describe('an address with a user name in it', () => {
  it('is a mistake of the page, and its password is told to nobody', async () => {
    for (const address of [
      'https://user:secret@broker.example/x',
      '//:secret@broker.example/',
      'user:secret@host',
    ]) {
      const page = await openDialer({ 'broker-url': address, 'connect-mode': 'manual' });
      const error: unknown = await page.dialer.connect().then(
        () => 'connected',
        (reason: unknown) => reason,
      );
      expect(error, address).to.have.property('code', 'configuration');
      expect(String(error), address).not.to.include('secret');
      await page.close();
    }
  });
});

describe('the id of the next call', () => {
  it('goes into one call that the agent places, and stays where the page has put it', async () => {
    const { dialer } = await openReady({ 'external-call-id': 'order42' });
    let starts = 0;
    dialer.addEventListener('dialer-callstart', () => (starts += 1));
    const input = fieldOf(dialer);
    input.value = '0912345678';
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    await dialer.updateComplete;
    await press(dialer, 'Call');
    await until(() => starts === 1, 'the call');
    expect(sdk().told[0]).to.include('order42');
    await dialer.hangUp();
    await dialer.call('0912345678');
    expect(sdk().told.at(-1)).to.equal(`makeCall 0912345678 ${HOTLINES[0].number}`);
    expect(dialer.getAttribute('external-call-id')).to.equal('order42');
  });

  it('goes into one call, too, where a framework sets a number', async () => {
    const { dialer } = await openReady();
    Object.assign(dialer, { externalCallId: 4711 });
    await dialer.call('0912345678');
    expect(sdk().told.at(-1)).to.include('4711');
    await dialer.hangUp();
    await dialer.call('0912345678');
    expect(sdk().told.at(-1)).not.to.include('4711');
  });

  it('stays for the next call when this one has an id of its own, or is not placed', async () => {
    const { dialer } = await openReady({ 'external-call-id': 'order42' });
    dialer.addEventListener('dialer-beforecall', (event) => event.preventDefault(), { once: true });
    await dialer.call('0912345678').catch(() => undefined);
    expect(dialer.externalCallId, 'after a veto').to.equal('order42');
    await dialer.call('0912345678', { externalCallId: 'own1' });
    expect(sdk().told[0]).to.include('own1');
    expect(dialer.externalCallId, 'after a call with its own').to.equal('order42');
    dialer.externalCallId = 'order43';
    await dialer.hangUp();
    await dialer.call('0912345678');
    expect(sdk().told.at(-1)).to.include('order43');
    await dialer.hangUp();
    dialer.externalCallId = 'order42';
    await dialer.call('0912345678');
    expect(sdk().told.at(-1), 'set by the page once more').to.include('order42');
  });

  it('counts again once the page has taken it away and set it anew, at once or later', async () => {
    const { dialer } = await openReady({ 'external-call-id': 'order42' });
    const callAndEnd = async () => {
      await dialer.call('0912345678');
      const told = sdk().told.at(-1);
      await dialer.hangUp();
      return told?.includes('order42');
    };
    expect([await callAndEnd(), await callAndEnd()]).to.deep.equal([true, false]);
    dialer.removeAttribute('external-call-id');
    dialer.setAttribute('external-call-id', 'order42');
    await dialer.updateComplete;
    expect([await callAndEnd(), await callAndEnd()]).to.deep.equal([true, false]);
    dialer.removeAttribute('external-call-id');
    expect(await callAndEnd()).to.equal(false);
    dialer.setAttribute('external-call-id', 'order42');
    expect([await callAndEnd(), await callAndEnd()]).to.deep.equal([true, false]);
  });

  it('is not used again by a new attribute of another name, a sign-out or a move in the page', async () => {
    const { dialer } = await openReady({ 'external-call-id': 'order42' });
    await dialer.call('0912345678');
    await dialer.hangUp();
    dialer.hotline = HOTLINES[1].number;
    document.body.append(dialer);
    await dialer.disconnect();
    await dialer.connect();
    await dialer.call('0912345678');
    expect(sdk().told.at(-1)).not.to.include('order42');
  });
});
