import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import {
  loseSocket,
  nextTurn,
  openReady,
  passTime,
  sdk,
  talkOn,
  type DialerPage,
} from '../support/dialer.ts';

/** What the promise has come to by now. */
async function outcomeOf(promise: Promise<void>): Promise<unknown> {
  const settled = codeOf(promise);
  await nextTurn();
  return Promise.race([settled, Promise.resolve('pending')]);
}

describe('an agent who holds a call', () => {
  let page: DialerPage;
  let agree: (() => void)[];
  beforeEach(async () => {
    page = await openReady();
    await talkOn(page.dialer);
    agree = [];
    sdk().session.onHold = (agreed) => agree.push(agreed);
  });

  const isHeld = () => {
    const { call } = page.dialer.state;
    return call.is === 'active' && call.held;
  };

  it('has it held once the exchange agrees, and resumed once it agrees to that', async () => {
    const held = page.dialer.setHeld(true);
    expect([await outcomeOf(held), isHeld()]).to.deep.equal(['pending', false]);
    agree.shift()?.();
    await held;
    expect(isHeld()).to.equal(true);
    const resumed = page.dialer.setHeld(false);
    expect([await outcomeOf(resumed), isHeld()]).to.deep.equal(['pending', true]);
    agree.shift()?.();
    await resumed;
    expect(isHeld()).to.equal(false);
  });

  it('and resumes it before the exchange agreed, talks on: the hold rejects, and the call ends up not held', async () => {
    const held = page.dialer.setHeld(true);
    await nextTurn();
    const resumed = page.dialer.setHeld(false);
    expect(await outcomeOf(held)).to.equal('call-rejected');
    expect(await outcomeOf(resumed)).to.equal('pending');
    agree.shift()?.();
    await nextTurn();
    agree.shift()?.();
    await resumed;
    expect(isHeld()).to.equal(false);
  });

  it('is told that it failed only once it has: the exchange may take half a minute', async () => {
    const held = page.dialer.setHeld(true);
    await passTime(30_000);
    expect([await outcomeOf(held), isHeld()]).to.deep.equal(['pending', false]);
    agree.shift()?.();
    await held;
    expect(isHeld()).to.equal(true);
  });

  it('talks on when the socket is lost before the exchange has replied: the hold rejects', async () => {
    const held = page.dialer.setHeld(true);
    await nextTurn();
    loseSocket();
    expect(await outcomeOf(held)).to.equal('call-rejected');
    expect([isHeld(), sdk().session.terminations]).to.deep.equal([false, []]);
    expect(page.dialer.state.call.is).to.equal('active');
  });

  it('and loses the socket twice is asked for once more: the exchange may have heard of neither', async () => {
    const { session } = sdk();
    const asked: string[] = [];
    for (const method of ['hold', 'unhold', 'renegotiate'] as const) {
      const original = session[method].bind(session);
      session[method] = (options: object, done: () => void) => {
        const isSent = original(options, done);
        if (isSent) asked.push(method);
        return isSent;
      };
    }
    const held = page.dialer.setHeld(true);
    await nextTurn();
    loseSocket();
    expect(await outcomeOf(held)).to.equal('call-rejected');
    await passTime(600);
    loseSocket();
    await passTime(600);
    expect(asked).to.deep.equal(['hold', 'unhold', 'renegotiate']);
    agree.pop()?.();
    const again = page.dialer.setHeld(true);
    await nextTurn();
    agree.pop()?.();
    await again;
    expect(isHeld()).to.equal(true);
  });

  it('and finds each request lost at once asks twice a second, and no more often', async () => {
    const { session } = sdk();
    let asked = 0;
    session.onHold = () => {
      asked += 1;
      loseSocket();
    };
    expect(await outcomeOf(page.dialer.setHeld(true))).to.equal('call-rejected');
    await passTime(3000);
    expect(asked).to.be.within(4, 8);
    expect([isHeld(), page.dialer.state.call.is]).to.deep.equal([false, 'active']);
  });

  it('again, whose resume is lost with the socket, waits until the exchange has agreed to hold', async () => {
    const first = page.dialer.setHeld(true);
    await nextTurn();
    agree.pop()?.();
    await first;
    const resumed = page.dialer.setHeld(false);
    await nextTurn();
    const held = page.dialer.setHeld(true);
    expect(await outcomeOf(resumed)).to.equal('call-rejected');
    loseSocket();
    expect([await outcomeOf(held), isHeld()]).to.deep.equal(['pending', true]);
    await passTime(600);
    expect([await outcomeOf(held), sdk().session.held]).to.deep.equal(['pending', true]);
    agree.pop()?.();
    await held;
    expect(isHeld()).to.equal(true);
  });

  it('again, but loses the socket for good, is told within a minute that nobody has agreed', async () => {
    const held = page.dialer.setHeld(true);
    await nextTurn();
    const resumed = page.dialer.setHeld(false);
    expect(await outcomeOf(held)).to.equal('call-rejected');
    sdk().session.onHold = loseSocket;
    loseSocket();
    await passTime(30_000);
    expect([await outcomeOf(resumed), isHeld()]).to.deep.equal(['pending', false]);
    await passTime(10_000);
    expect([await outcomeOf(resumed), isHeld()]).to.deep.equal(['call-rejected', false]);
    expect(page.dialer.state.call.is).to.equal('active');
  });

  it('again, while the refused one is taken back, is told so, too, if nobody can be asked any more', async () => {
    const { session } = sdk();
    const refused = page.dialer.setHeld(true);
    await nextTurn();
    session.terminate({ status_code: 500, reason_phrase: 'Hold Failed' });
    expect(await outcomeOf(refused)).to.equal('call-rejected');
    const again = page.dialer.setHeld(true);
    for (const method of ['hold', 'unhold', 'renegotiate'] as const) session[method] = () => false;
    await passTime(30_000);
    expect([await outcomeOf(again), isHeld()]).to.deep.equal(['pending', false]);
    await passTime(10_000);
    expect([await outcomeOf(again), isHeld()]).to.deep.equal(['call-rejected', false]);
  });

  it('again, while a lost one is taken back, has 35 seconds of their own for it', async () => {
    const { session } = sdk();
    const unhold = session.unhold.bind(session);
    const lost = page.dialer.setHeld(true);
    await nextTurn();
    for (const method of ['unhold', 'renegotiate'] as const) session[method] = () => false;
    loseSocket();
    expect(await outcomeOf(lost)).to.equal('call-rejected');
    await passTime(20_000);
    const again = page.dialer.setHeld(true);
    await passTime(20_000);
    expect([await outcomeOf(again), isHeld()]).to.deep.equal(['pending', false]);
    await passTime(20_000);
    expect([await outcomeOf(again), isHeld()]).to.deep.equal(['call-rejected', false]);
    const resumed = page.dialer.setHeld(false);
    expect(await outcomeOf(resumed)).to.equal('pending');
    session.unhold = unhold;
    await passTime(600);
    agree.pop()?.();
    await resumed;
    expect([isHeld(), page.dialer.state.call.is]).to.deep.equal([false, 'active']);
  });
});
