/** What the attribute `number-plan` lets an agent and a page call. */
import { expect } from '@open-wc/testing';
import { fieldOf, openReady, press, reaches, sdk, settled, textOf, until } from '../support/dialer.ts';

const dialled = () => sdk().told.filter((method) => method.startsWith('makeCall'));

describe('a number that is none in Vietnam', () => {
  it('is refused, and the error, not the agent, names the attribute', async () => {
    const { dialer } = await openReady();
    const error = await dialer.call('*98').catch((reason: unknown) => reason as Error);
    expect(error).to.have.property('code', 'invalid-number');
    expect(String(error)).to.contain('number-plan="any"');
    expect(textOf(dialer)).not.to.contain('number-plan');
    expect(dialled()).to.deep.equal([]);
  });

  for (const number of ['*98', '#31#0912345678', '123456']) {
    it(`is called as written with number-plan="any": ${number}`, async () => {
      const { dialer } = await openReady({ 'number-plan': 'any' });
      await dialer.prefill(number);
      expect(fieldOf(dialer)?.getAttribute('aria-invalid')).to.equal('false');
      press(dialer, 'Call');
      await reaches(dialer, 'dialing');
      await until(() => dialer.state.call.is === 'dialing', 'the call');
      expect(dialled()).to.have.length(1);
      expect(dialer.state.call).to.have.nested.property('info.number', number);
      await settled(dialer.hangUp());
    });
  }
});
