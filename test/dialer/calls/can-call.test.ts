import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../../src/index.ts';
import { DialerError } from '../../../src/errors.ts';
import { BROKE, readiness, session } from '../../support/fake-broker.ts';
import {
  openBlocked,
  openReady,
  passTime,
  reaches,
  sdk,
  settled,
  talkOn,
  until,
} from '../../support/dialer.ts';

const codeOf = (call: Promise<void>) =>
  settled(call).then(
    () => 'placed',
    (error: unknown) => (error instanceof DialerError ? error.code : String(error)),
  );

/** Calls at the first of these events at which `canCall` is true. */
function callAt(dialer: PartnerDialer, name: string): Promise<string> {
  return new Promise((resolve) => {
    const call = () => {
      if (!dialer.state.canCall) return;
      dialer.removeEventListener(name, call);
      resolve(codeOf(dialer.call('0912345678')));
    };
    dialer.addEventListener(name, call);
  });
}

describe('canCall', () => {
  it('becomes false in the task of call(): the next call is told that it is busy before it asks', async () => {
    const { dialer } = await openReady();
    const first = dialer.call('0912345678');
    expect(dialer.state.canCall).to.equal(false);
    expect(await codeOf(dialer.call('0987654321'))).to.equal('busy');
    await settled(first);
  });

  it('is true again in the task in which a call ends, and a call placed then goes out', async () => {
    const { dialer } = await openReady();
    const couldCall: boolean[] = [];
    const placed: Promise<string>[] = [];
    dialer.addEventListener('dialer-callend', () => {
      couldCall.push(dialer.state.canCall);
      if (placed.length < 3) placed.push(codeOf(dialer.call('0912345678')));
    });
    await settled(dialer.call('0912345678'));
    for (const calls of [1, 2, 3]) {
      sdk().end();
      await until(() => placed.length === calls, 'the end');
      expect((await settled(Promise.all(placed))).at(-1)).to.equal('placed');
    }
    expect(couldCall).to.deep.equal([true, true, true]);
    sdk().end();
    await until(() => dialer.state.canCall, 'the end');
  });

  it('is true until the next token is used: a call in whichever microtask before that goes out', async function sweep() {
    this.timeout(60_000);
    for (let turns = 0, couldCall = true; couldCall; turns += 1) {
      const soon = new Date(Date.now() + 5000).toISOString();
      const { dialer, broker, close } = await openReady(
        {},
        { 'POST session': () => session({ expiresAt: soon }) },
      );
      let placed: Promise<string> | undefined;
      const callAfter = async (left: number): Promise<void> => {
        for (; left > 0; left -= 1) await undefined;
        if (dialer.state.canCall) placed = codeOf(dialer.call('0912345678'));
      };
      broker.on('POST session', () => {
        const answer = session({ token: 'second' });
        const body = answer.text();
        answer.text = () => body.finally(() => void callAfter(turns));
        return answer;
      });
      await until(() => broker.count('POST session') === 2, 'the renewal');
      await passTime(100);
      couldCall = placed !== undefined;
      if (placed) expect(await placed, `after ${turns} microtasks`).to.equal('placed');
      else expect(turns, 'until the token is used').to.be.above(5);
      await close();
    }
  });

  it('is true after a caller who rang off while a call was being placed: only the next call goes out', async () => {
    const { dialer } = await openReady();
    const { mediaDevices } = navigator;
    const enumerateDevices = mediaDevices.enumerateDevices.bind(mediaDevices);
    const { promise: listed, resolve: list } = Promise.withResolvers<void>();
    mediaDevices.enumerateDevices = () => listed.then(enumerateDevices);
    const first = codeOf(dialer.call('0912345678'));
    sdk().ring('0900000001');
    await reaches(dialer, 'incoming');
    sdk().end();
    await until(() => dialer.state.canCall, 'the end');
    const second = codeOf(dialer.call('0987654321'));
    await passTime(1000);
    mediaDevices.enumerateDevices = enumerateDevices;
    list();
    expect([await first, await second]).to.deep.equal(['busy', 'placed']);
    const made = sdk().told.filter((told) => told.startsWith('makeCall'));
    expect(made.map((told) => told.split(' ')[1])).to.deep.equal(['0987654321']);
  });

  for (const event of ['dialer-statechange', 'dialer-callend'] as const) {
    it(`tells the truth at each ${event} of a call that new settings replace`, async () => {
      const { dialer } = await openReady();
      await talkOn(dialer);
      dialer.sdkBaseUrl = 'https://api.example';
      await dialer.updateComplete;
      const placed = callAt(dialer, event);
      sdk().end();
      expect(await settled(placed)).to.equal('placed');
    });
  }

  for (const event of ['dialer-statechange', 'dialer-ready'] as const) {
    it(`tells the truth at each ${event} until the money has come`, async () => {
      const { dialer, broker } = await openBlocked({ 'POST session': () => session(BROKE) });
      const placed = callAt(dialer, event);
      broker.on('GET status', () => readiness());
      await until(() => dialer.state.line.is === 'up', 'a line');
      await settled(dialer.recheck());
      expect(await settled(placed)).to.equal('placed');
    });
  }

  it('tells the truth through a renewal', async () => {
    let tokens = 0;
    const renewed = () =>
      session({ token: `token${(tokens += 1)}`, expiresAt: new Date(Date.now() + 10_000).toISOString() });
    const { dialer, broker } = await openReady({}, { 'POST session': renewed });
    await until(() => broker.count('POST session') === 2, 'the renewal');
    const placed = callAt(dialer, 'dialer-statechange');
    await passTime(1000);
    expect(await settled(placed)).to.equal('placed');
    await reaches(dialer, 'dialing');
  });
});
