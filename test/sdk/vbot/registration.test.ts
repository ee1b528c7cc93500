import { expect } from '@open-wc/testing';
import type { SdkEvent } from '../../../src/sdk/calling-sdk.ts';
import { Registration } from '../../../src/sdk/vbot/registration.ts';

describe('the registration, while the dialer checks the account', () => {
  let events: SdkEvent[];
  let checked: (() => void) | undefined;
  let registration: Registration;
  const OLD = { name: 'Old', number: '842899990001' };
  const NEW = { name: 'New', number: '842899990002' };

  beforeEach(() => {
    events = [];
    registration = new Registration({
      onEvent: (event) => events.push(event),
      beforeRegistered: () => new Promise((resolve) => (checked = resolve)),
    });
  });

  it('takes the caller numbers that the SDK reads meanwhile', async () => {
    registration.noteHotlines([OLD]);
    const registered = registration.succeed();
    registration.noteHotlines([NEW]);
    expect(events, 'before the end of the check').to.deep.equal([]);
    checked?.();
    await registered;
    expect(events).to.deep.equal([{ type: 'registered', hotlines: [NEW] }]);
  });

  it('is not reported when it was lost meanwhile, and once when it is back', async () => {
    const first = registration.succeed();
    registration.lose();
    checked?.();
    await first;
    expect(events).to.deep.equal([{ type: 'lost' }]);
    const second = registration.succeed();
    const checkedSecond = checked;
    registration.lose();
    const third = registration.succeed();
    checkedSecond?.();
    checked?.();
    await Promise.all([second, third]);
    expect(events.map(({ type }) => type)).to.deep.equal(['lost', 'lost', 'registered']);
  });
});
