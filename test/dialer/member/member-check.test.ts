import { expect } from '@open-wc/testing';
import { codeOf } from '../../support/code-of.ts';
import { BROKE, readiness } from '../../support/fake-broker.ts';
import { openReady, passTime, reaches, sdk, talkOn, until } from '../../support/dialer.ts';
import { Replacements } from '../../support/replacements.ts';

/** An answer that comes when the test lets it. */
function held(): { readonly answer: () => Promise<Response>; readonly come: (response: Response) => void } {
  const { promise, resolve } = Promise.withResolvers<Response>();
  return { answer: () => promise, come: resolve };
}

describe('two answers about the member that overtake each other', () => {
  it('after a call and to a check: the guide of the later one stays', async () => {
    const { dialer, broker, events } = await openReady();
    const first = held();
    broker.on('GET status', first.answer);
    await talkOn(dialer);
    sdk().end();
    await until(() => broker.count('GET status') === 1, 'the status after the call');
    broker.on('GET status', () => readiness(BROKE));
    await dialer.recheck();
    await reaches(dialer, 'blocked');
    const ready = events.filter((name) => name === 'ready').length;
    first.come(readiness());
    await until(() => broker.count('GET status') > 2, 'the next look: the guide waits for money');
    expect(dialer.state.status).to.equal('blocked');
    expect(events.filter((name) => name === 'ready')).to.have.length(ready);
  });

  it('after a call and to a check: an agent who can call is not stopped by the balance of before', async () => {
    const { dialer, broker, events } = await openReady();
    const first = held();
    broker.on('GET status', first.answer);
    await talkOn(dialer);
    sdk().end();
    await until(() => broker.count('GET status') === 1, 'the status after the call');
    broker.on('GET status', () => readiness());
    await dialer.recheck();
    first.come(readiness(BROKE));
    await dialer.recheck();
    expect(events).not.to.include('blocked');
    expect(dialer.state.canCall).to.equal(true);
  });

  it('from before a call that failed for want of money: the guide stays', async () => {
    const { dialer, broker } = await openReady();
    const first = held();
    broker.on('GET status', first.answer);
    const checking = dialer.recheck();
    await until(() => broker.count('GET status') === 1, 'the check');
    broker.on('GET status', () => new Promise<Response>(() => undefined));
    await dialer.call('0912345678');
    sdk().end('Payment Required');
    await reaches(dialer, 'blocked');
    first.come(readiness());
    await checking;
    expect(dialer.state.status).to.equal('blocked');
  });
});

describe('a check', () => {
  it('rejects with "not-ready" if the page disconnects while the browser is asked about the microphone', async () => {
    const { dialer } = await openReady();
    dispatchEvent(new Event('offline'));
    await reaches(dialer, 'blocked');
    const asked = Promise.withResolvers<PermissionStatus>();
    const browser = new Replacements();
    browser.replace(navigator.permissions, 'query', () => asked.promise);
    const code = codeOf(dialer.recheck());
    await passTime(50);
    await dialer.disconnect();
    browser.restore();
    asked.resolve(await navigator.permissions.query({ name: 'microphone' }));
    expect(await code).to.equal('not-ready');
  });
});
