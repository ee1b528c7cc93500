import { expect } from '@open-wc/testing';
import type { SdkEvent } from '../../../src/sdk/calling-sdk.ts';
import { Registration } from '../../../src/sdk/vbot/registration.ts';
import { nextTurn } from '../../support/clock.ts';

describe('the registration, while the dialer checks the account', () => {
  let events: SdkEvent[];
  let checked: (() => void) | undefined;
  let registration: Registration;
  const OLD = { name: 'Old', number: '842899990001' };
  const NEW = { name: 'New', number: '842899990002' };
  const answerOf = ({ name, number }: typeof OLD) => [{ name, phoneNumber: number }];

  beforeEach(() => {
    events = [];
    registration = new Registration({
      onEvent: (event) => events.push(event),
      beforeRegistered: () => new Promise((resolve) => (checked = resolve)),
    });
  });

  it('takes the caller numbers that come after the answer of the SDK', async () => {
    const registered = registration.succeed(() => answerOf(OLD));
    await nextTurn();
    registration.noteHotlines([NEW]);
    expect(events, 'before the end of the check').to.deep.equal([]);
    checked?.();
    await registered;
    expect(events).to.deep.equal([{ type: 'registered', hotlines: [NEW] }]);
  });

  it('takes the answer of the SDK that comes after other caller numbers', async () => {
    registration.noteHotlines([OLD]);
    const registered = registration.succeed(async () => answerOf(NEW));
    await nextTurn();
    checked?.();
    await registered;
    expect(events).to.deep.equal([{ type: 'registered', hotlines: [NEW] }]);
  });
});
