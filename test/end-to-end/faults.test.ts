/** Whatever breaks between the dialer and the exchange: what the agent reads, and that there is a way on. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eventually, openSite, type AgentPage, type Site } from './site.ts';

const REFUSED = 'did not accept your sign-in';
const HOTLINE = 'You have no caller number yet';
const SILENT = 'exchange does not answer';

let site: Site;
let agent: AgentPage;
before(async () => {
  site = await openSite();
});
after(() => site.close());
beforeEach(() => site.prepare());
afterEach(() => agent.closeWithoutErrors());

async function openReady(): Promise<void> {
  agent = await site.open();
  await agent.see('Ready');
}

describe('when the API that the SDK asks', () => {
  const KINDS: readonly (readonly [string, object])[] = [
    ['refuses with 401', { kind: 'status', value: 401 }],
    ['fails with 500', { kind: 'status', value: 500 }],
    ['says error 401', { kind: 'error', value: 401 }],
    ['is cut off', { kind: 'cut' }],
    ['answers garbage', { kind: 'garbage' }],
    ['drops the connection', { kind: 'drop' }],
  ];
  for (const [name, fault] of KINDS) {
    it(`${name} at the sign-in, the agent reads so and gets on`, async () => {
      await site.sandbox('faults', { place: '/api/sdk/info', ...fault });
      agent = await site.open();
      await agent.see(REFUSED);
      await agent.see('PD-sdk-auth-failed');
      await site.sandbox('faults/clear', {});
      await agent.tryAgain();
      await agent.see('Ready');
      await agent.reachSomebody();
    });

    it(`${name} at the hotlines, the agent is guided and gets on`, async () => {
      await site.sandbox('faults', { place: '/api/sdk/getHotline', ...fault });
      agent = await site.open();
      await agent.see(HOTLINE);
      await site.sandbox('faults/clear', {});
      await agent.press('Check again');
      await agent.see('You can call again');
      await agent.press('Back to the keypad');
      await agent.reachSomebody();
    });
  }

  it('takes half a minute, the agent is told before, and is ready when it comes', async () => {
    await site.sandbox('faults', { place: '/api/sdk/info', kind: 'slow', value: 30_000, times: 1 });
    agent = await site.open();
    await agent.see(SILENT, 25_000);
    await agent.see('Ready', 40_000);
    await agent.reachSomebody();
  });
});

describe('when the socket to the exchange', () => {
  const FAULTS: readonly (readonly [string, object])[] = [
    ['is refused', { place: 'socket', kind: 'drop' }],
    ['is silent', { place: 'register', kind: 'silent' }],
  ];
  for (const [name, fault] of FAULTS) {
    it(`${name}, the agent is told, and gets on once it is not`, async () => {
      await site.sandbox('faults', fault);
      agent = await site.open();
      await agent.see(SILENT, 25_000);
      await site.sandbox('faults/clear', {});
      await agent.tryAgain();
      await agent.see('Ready', 40_000);
      await agent.reachSomebody();
    });
  }

  it('drops while idle, it comes back by itself', async () => {
    await openReady();
    await site.sandbox('sockets/drop', {});
    await agent.see('Connection lost');
    await agent.see('Ready', 20_000);
    await agent.reachSomebody();
  });

  it('drops in a call, the call goes on, and can be hung up', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await site.sandbox('sockets/drop', {});
    await agent.see('You can go on talking');
    const heard = await agent.audioBytes();
    await eventually(async () => (await agent.audioBytes()) > heard + 2000, 'audio without a socket');
    await eventually(
      async () => (await site.sandbox<unknown[]>('registrations')).length === 1,
      'the way back',
    );
    await agent.hangUp();
    await site.call(({ state }) => state === 'ended');
  });

  it('drops while it rings, the agent reads why the call is over', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 100');
    await site.call(({ state }) => state === 'ringing');
    await site.sandbox('sockets/drop', {});
    await agent.see('The connection was lost');
    await agent.see('Ready', 20_000);
    await agent.see('The connection was lost · 0900 000 100');
  });
});

describe('when the exchange refuses a call', () => {
  const TEXTS: Readonly<Record<number, string>> = {
    400: 'The call was refused',
    401: 'The call was refused',
    403: 'does not take advertising calls',
    404: 'does not exist',
    405: 'not allowed at this hour',
    406: 'may not call out yet',
    407: 'belongs to another project',
    408: 'No answer',
    409: 'does not want to be disturbed',
    410: 'has changed',
    411: 'Nobody is there',
    412: 'calling plan has ended',
    413: 'cannot reach this network',
    414: 'network of this number is not known',
    415: 'was not right',
    416: 'project has ended',
    480: 'cannot be reached right now',
    486: 'The line is busy',
    487: 'The call was refused',
    500: 'has a problem',
    502: 'is disturbed',
    603: 'The call was refused',
  };

  it('the agent reads why, for every code of the vendor, and can call again', async () => {
    await openReady();
    for (const [code, text] of Object.entries(TEXTS)) {
      await agent.page.evaluate(
        (number) => document.querySelector('partner-dialer')?.call(number),
        `0900000${code}`,
      );
      await agent.see(text);
      const { status, outcome } = await agent.page.evaluate(() => {
        const call = document.querySelector('partner-dialer')?.state.call;
        const info = call && 'info' in call ? call.info : undefined;
        return { status: info?.status, outcome: info?.outcome };
      });
      assert.equal(status, Number(code), `status of ${code}`);
      assert.ok(outcome && outcome !== 'answered', code);
    }
    await agent.press('Call again');
    await agent.see('The call was refused');
    await agent.reachSomebody();
  });
});
