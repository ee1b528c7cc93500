/** Broker and SDK each name the member's caller numbers: what the agent sees and calls with is one list, in one spelling. */
import { expect } from '@open-wc/testing';
import { mergeHotlines } from '../../../src/dialer/state/hotlines.ts';
import type { PartnerDialer } from '../../../src/index.ts';
import {
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  talkOn,
  textOf,
  until,
} from '../../support/dialer.ts';
import { memberWith, readiness, session, type FakeBroker } from '../../support/fake-broker.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';

const SALES = { name: 'Sales', number: '02899990001', code: 'HL_SALES', type: 'HOTLINE' } as const;
const CARE = { name: 'Care', number: '842899990003', code: 'HL_CARE', type: 'ALIAS' } as const;
const named = (...hotlines: object[]) => memberWith({ hotlines });

describe('caller numbers', () => {
  it('are one where broker and SDK spell them differently: the SDK’s spelling, with what the broker knows', () => {
    const ofSdk = [{ name: 'Sales', number: '842899990001' }];
    expect(mergeHotlines([SALES, CARE], ofSdk)).to.deep.equal([{ ...SALES, ...ofSdk[0] }]);
    expect(mergeHotlines([], ofSdk)).to.deep.equal(ofSdk);
    expect(mergeHotlines([SALES], [])).to.deep.equal([SALES]);
  });

  it('of the broker let a member call whose list the vendor cannot give', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    const { dialer, events } = await openReady({}, named(SALES));
    expect(events).not.to.include('blocked');
    await dialer.call('0912345678');
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 02899990001']);
  });

  it('that nobody names are a guide, which goes when the SDK names one', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    const { dialer } = await openDialer({}, named());
    await reaches(dialer, 'blocked');
    expect(textOf(dialer)).to.include('You have no caller number yet');
    sdk().emit('onHotlinesUpdated', { hotlines: [{ name: 'Sales', phoneNumber: '842899990001' }] });
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    await press(dialer, 'Back to the keypad');
    await reaches(dialer, 'ready');
    expect(dialer.hotlines.map(({ number }) => number)).to.deep.equal(['842899990001']);
  });

  it('that only the vendor names are read again when the agent checks again', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    const { dialer } = await openDialer({}, memberWith({ hotlines: undefined }));
    await reaches(dialer, 'blocked');
    FakeVbot.onBoot = (vbot) => vbot.register([{ name: 'Sales', phoneNumber: '842899990001' }]);
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    expect(numbersOf(dialer)).to.deep.equal(['842899990001']);
  });

  it('go out in one spelling from the first call to the last', async () => {
    const { dialer } = await openReady({ hotline: '+84 28 9999 0001' }, named(CARE, SALES));
    for (let count = 0; count < 3; count += 1) {
      await dialer.call('0912345678');
      sdk().end();
      await reaches(dialer, 'ended');
      await dialer.recheck();
      // The broker is asked after each call, and names its own spelling.
      await passTime(2000);
    }
    expect(new Set(sdk().told)).to.deep.equal(new Set(['makeCall 0912345678 842899990001']));
    expect(dialer.hotlines).to.deep.equal([{ ...SALES, number: '842899990001' }]);
  });

  describe('that an admin has changed', () => {
    const NEW = { name: 'New', number: '842899990007', code: 'HL_NEW', type: 'HOTLINE' } as const;
    it('are those of the next call once the broker has said so: after a check', async () => {
      const { dialer, broker } = await openReady({}, named(SALES));
      assign(broker, NEW);
      await dialer.recheck();
      await reaches(dialer, 'ready');
      expect(textOf(dialer)).to.include('New 028 9999 0007');
      await dialer.call('0912345678');
      expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990007']);
    });

    it('are in use after the guide of a member who had none, which goes once', async () => {
      const { dialer, broker, events } = await openReady({}, named(SALES));
      broker.on('GET status', () => readiness({ hotlines: [], blockers: ['no-hotline'] }));
      broker.on('POST session', () => session({ hotlines: [], blockers: ['no-hotline'] }));
      FakeVbot.onBoot = (vbot) => vbot.register([]);
      await dialer.recheck();
      await reaches(dialer, 'blocked');
      await passTime(1000);
      assign(broker, NEW);
      const sessions = broker.count('POST session');
      await press(dialer, 'Check again');
      await until(() => textOf(dialer).includes('You can call again'), 'the way out');
      expect(broker.count('POST session') - sessions).to.equal(1);
      expect(numbersOf(dialer)).to.deep.equal([NEW.number]);
      expect(events.filter((name) => name === 'blocked')).to.have.length(1);
    });

    it('are a guide where none is left, without a new sign-in', async () => {
      const { dialer, broker } = await openReady({}, named(SALES));
      const sessions = broker.count('POST session');
      broker.on('GET status', () => readiness({ hotlines: [], blockers: ['no-hotline'] }));
      await dialer.recheck();
      await passTime(2000);
      expect([dialer.state.status, broker.count('POST session') - sessions]).to.deep.equal(['blocked', 0]);
      broker.on('GET status', () => readiness({ hotlines: [SALES], blockers: [] }));
      await press(dialer, 'Check again');
      await reaches(dialer, 'ready');
    });

    it('are those of the next call, too, where the sign-in names none', async () => {
      const { dialer, broker } = await openReady({}, named(SALES));
      broker.on('POST session', () => session({ hotlines: undefined }));
      await dialer.disconnect();
      await dialer.connect();
      await dialer.recheck();
      FakeVbot.onBoot = (vbot) => vbot.register([{ name: NEW.name, phoneNumber: NEW.number }]);
      broker.on('GET status', () => readiness({ hotlines: [NEW] }));
      await dialer.recheck();
      await until(() => numbersOf(dialer).includes(NEW.number), 'the new one');
      await reaches(dialer, 'ready');
    });

    it('wait for the end of a call', async () => {
      const { dialer, broker } = await openReady({}, named(SALES));
      await talkOn(dialer);
      const boots = FakeVbot.boots;
      assign(broker, NEW);
      await dialer.recheck();
      await passTime(1000);
      expect([dialer.state.status, FakeVbot.boots]).to.deep.equal(['in-call', boots]);
      sdk().end();
      await until(() => numbersOf(dialer).includes(NEW.number), 'the new one');
      await reaches(dialer, 'ready');
      expect(numbersOf(dialer)).to.deep.equal([NEW.number]);
    });

    it('are asked for once where the broker tells one list at the sign-in and another one later', async () => {
      const { dialer, broker } = await openReady({}, named(SALES));
      broker.on('GET status', () => readiness({ hotlines: [NEW] }));
      const sessions = broker.count('POST session');
      for (let count = 0; count < 3; count += 1) {
        await talkOn(dialer);
        sdk().end();
        await until(() => !dialer.state.status.startsWith('in-'), 'the end');
        await passTime(3000);
        await until(() => dialer.state.canCall, 'the next call');
      }
      await dialer.recheck();
      await passTime(1000);
      expect(broker.count('POST session') - sessions).to.equal(1);
      expect(dialer.state.canCall).to.equal(true);
    });

    it('are the same in another order and spelling', async () => {
      const { dialer, broker } = await openReady({}, named(SALES, CARE));
      const boots = FakeVbot.boots;
      const spelled = { ...SALES, number: '+842899990001' };
      broker.on('GET status', () => readiness({ hotlines: [CARE, spelled] }));
      await dialer.recheck();
      await passTime(1000);
      expect(FakeVbot.boots).to.equal(boots);
    });
  });

  it('of an earlier broker are not shown beside those of the next one', async () => {
    const { dialer, broker } = await openReady({}, named(SALES, CARE));
    broker.on('POST next', () => session({ hotlines: undefined }));
    dialer.setAttribute('broker-url', '/broker/next');
    await passTime(100);
    await reaches(dialer, 'ready');
    expect(dialer.hotlines.map(({ number }) => number)).to.deep.equal(['842899990001']);
  });
});

/** From now on, broker and vendor name this one alone. */
function assign(broker: FakeBroker, hotline: { readonly name: string; readonly number: string }): void {
  for (const [what, answer] of Object.entries(named(hotline))) broker.on(what, answer);
  FakeVbot.onBoot = (vbot) => vbot.register([{ name: hotline.name, phoneNumber: hotline.number }]);
}

function numbersOf(dialer: PartnerDialer): string[] {
  return dialer.hotlines.map(({ number }) => number);
}
