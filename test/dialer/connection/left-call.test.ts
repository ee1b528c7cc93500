/** The agent hangs up while there is no socket: until the exchange knows, the other party is still in the call. */
import { expect } from '@open-wc/testing';
import {
  nextTurn,
  openReady,
  passTime,
  sdk,
  settled,
  talkOn,
  until,
  type DialerPage,
} from '../../support/dialer.ts';
import { codeOf } from '../../support/code-of.ts';
import { MEMBER, session } from '../../support/fake-broker.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { openSocket, PlayedSocket } from '../../support/socket.ts';

const MINUTE_MS = 60_000;
const PHONE = `partner-dialer ${location.origin}/broker/session ${MEMBER.memberNo}`;

function drop(socket: PlayedSocket): void {
  socket.close();
  sdk().emit('onUserDisconnected');
}

/** The SDK has registered again. */
function comeBack(socket: PlayedSocket): void {
  socket.readyState = PlayedSocket.OPEN;
  sdk().emit('onUserConnected');
}

/** That some tab holds. */
async function locks(): Promise<unknown[]> {
  const { held = [] } = await navigator.locks.query();
  return held.map(({ name }) => name);
}

const online = () => void dispatchEvent(new Event('online'));
const expiring = (seconds: number) =>
  session({ token: `${seconds}`, expiresAt: new Date(Date.now() + seconds * 1000).toISOString() });

describe('the other party of a call that the agent left without a socket', () => {
  let page: DialerPage;
  let vbot: FakeVbot;
  let socket: PlayedSocket;
  let boots = 0;

  /** @param steps what happens before the call, in it, and after the loss of the socket */
  async function hangUp(
    steps: {
      beforeCall?: () => Promise<void>;
      inCall?: () => Promise<void>;
      withoutSocket?: (() => void) | undefined;
    } = {},
    answers: Parameters<typeof openReady>[1] = {},
  ): Promise<void> {
    page = await openReady({}, answers);
    vbot = sdk();
    boots = FakeVbot.boots;
    socket = openSocket(() => sdk().emit('onConnecting'));
    await steps.beforeCall?.();
    await talkOn(page.dialer);
    await steps.inCall?.();
    drop(socket);
    await until(() => page.dialer.state.line.is === 'lost', 'the loss');
    steps.withoutSocket?.();
    await passTime(0);
    await settled(page.dialer.hangUp());
    expect(page.dialer.state.call.is).not.to.equal('active');
  }
  const isKept = () => [vbot.isConnected, vbot.told.includes('hangupCall'), FakeVbot.boots];
  const signIns = () => page.broker.count('POST session');
  async function changeBroker(): Promise<void> {
    page.dialer.brokerUrl += '?other';
    await page.dialer.updateComplete;
    await passTime(100);
  }
  const changeSettings = () => void (page.dialer.sdkBaseUrl = 'https://staging.example/v1');

  for (const what of ['after', 'before'] as const) {
    it(`is told when the network is back ${what} the hang-up, and the line stays`, async () => {
      await hangUp({ withoutSocket: what === 'before' ? online : undefined });
      if (what === 'after') online();
      await passTime(MINUTE_MS / 4);
      expect(isKept()).to.deep.equal([true, false, boots]);
      comeBack(socket);
      await until(() => vbot.told.includes('hangupCall'), 'the hang-up');
      await until(() => page.dialer.state.canCall, 'the line');
      await passTime(MINUTE_MS);
      expect(isKept()).to.deep.equal([true, true, boots]);
    });
  }

  for (const what of ['after', 'before'] as const) {
    it(`is told before other settings, set ${what} the hang-up, connect again`, async () => {
      await hangUp({ withoutSocket: what === 'before' ? changeSettings : undefined });
      changeSettings();
      await passTime(MINUTE_MS / 4);
      expect(isKept()).to.deep.equal([true, false, boots]);
      comeBack(socket);
      await until(() => FakeVbot.boots > boots, 'the new connection');
      expect(vbot.told).to.include('hangupCall');
      await until(() => page.dialer.state.canCall, 'the line');
    });
  }

  it('is told before the next call, which goes out at another broker that was set meanwhile', async () => {
    await hangUp();
    await changeBroker();
    const { dialer } = page;
    const placed = new Promise<unknown>((resolve) => {
      const callWhenPossible = () => {
        if (!dialer.state.canCall) return;
        dialer.removeEventListener('dialer-statechange', callWhenPossible);
        resolve(codeOf(dialer.call('0987654321')));
      };
      dialer.addEventListener('dialer-statechange', callWhenPossible);
    });
    comeBack(socket);
    expect(await settled(placed)).to.equal('resolved');
    expect(vbot.told).to.deep.equal(['makeCall 0912345678 842899990001', 'hangupCall']);
    expect(sdk().told).to.deep.equal(['makeCall 0987654321 842899990001']);
  });

  it('is told before a renewal that was due in the call', async () => {
    let seconds = 60;
    await hangUp({ inCall: () => passTime(MINUTE_MS) }, { 'POST session': () => expiring(seconds++) });
    await passTime(MINUTE_MS / 4);
    expect(isKept()).to.deep.equal([true, false, boots]);
    comeBack(socket);
    await until(() => FakeVbot.boots > boots, 'the new connection');
    expect(vbot.told).to.include('hangupCall');
  });

  it('is told before another tab gets the phone, also by a page that signs out', async () => {
    await hangUp();
    await page.dialer.disconnect();
    await passTime(MINUTE_MS / 4);
    expect(isKept()).to.deep.equal([true, false, boots]);
    // The mark says that this tab does not hang, though it answers nobody.
    expect(await locks()).to.deep.equal([PHONE, `${PHONE} busy`]);
    comeBack(socket);
    await until(() => !vbot.isConnected, 'the end of the SDK');
    expect(vbot.told).to.include('hangupCall');
    await passTime(2000);
    expect(await locks()).to.deep.equal([]);
  });

  it('is told before another tab gets the phone that asks for it', async () => {
    await hangUp();
    const said: unknown[] = [];
    const tab = new BroadcastChannel(PHONE);
    tab.addEventListener('message', ({ data }) => said.push((data as { type: string }).type));
    const post: (message: unknown) => void = tab.postMessage.bind(tab);
    const ask = () => post({ type: 'want', from: 'tab' });
    ask();
    await until(() => page.dialer.state.status === 'blocked', 'the end of the lease');
    for (let left = 20; left > 0; left -= 1) {
      await passTime(500);
      ask();
    }
    await nextTurn();
    expect(isKept()).to.deep.equal([true, false, boots]);
    expect(said).to.include('status').and.not.include('passed');
    comeBack(socket);
    await until(() => said.includes('passed'), 'the phone');
    expect([vbot.told.includes('hangupCall'), vbot.isConnected]).to.deep.equal([true, false]);
    tab.close();
  });

  it('keeps nobody from signing in at another broker, set meanwhile, though another tab asks for the phone', async () => {
    await hangUp();
    const before = signIns();
    await changeBroker();
    const tab = new BroadcastChannel(PHONE);
    const post: (message: unknown) => void = tab.postMessage.bind(tab);
    post({ type: 'want', from: 'tab' });
    comeBack(socket);
    await until(() => page.dialer.state.canCall, 'the line');
    await passTime(10_000);
    tab.close();
    expect([signIns() - before, sdk().isConnected]).to.deep.equal([1, true]);
  });

  it('keeps nobody from signing in at another broker, set meanwhile, though a renewal is answered', async () => {
    const renewal = Promise.withResolvers<Response>();
    const answers = [() => expiring(20), () => renewal.promise];
    const beforeCall = () => until(() => signIns() === 2, 'the renewal');
    await hangUp({ beforeCall }, { 'POST session': () => (answers.shift() ?? (() => expiring(3600)))() });
    await changeBroker();
    renewal.resolve(expiring(3600));
    await passTime(50);
    comeBack(socket);
    await until(() => page.dialer.state.canCall, 'the line');
    await passTime(5000);
    expect(signIns()).to.equal(3);
  });

  it('is given up after a minute, and the dialer connects again', async () => {
    await hangUp();
    online();
    await passTime(MINUTE_MS / 2);
    expect(isKept()).to.deep.equal([true, false, boots]);
    await until(() => FakeVbot.boots > boots, 'the new connection');
    await until(() => page.dialer.state.canCall, 'the line');
  });
});
