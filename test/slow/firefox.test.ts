/** The journeys of an agent in Firefox: what Chromium shows in the end-to-end tests holds there too. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { until } from '../../demo/companion/test/app.ts';
import type { CallRecord } from '../../demo/sandbox/world/world.ts';
import { buildDemo } from '../end-to-end/build.ts';
import { askSandbox, startDemo, type RunningDemo } from '../end-to-end/demo.ts';
import { FirefoxPage, launchFirefox, missingFirefox } from './firefox-page.ts';

const LIMIT = { timeout: 60_000 };

let demo: RunningDemo;
let browser: Browser;
let agent: FirefoxPage;

async function call(holds: (call: CallRecord) => boolean): Promise<CallRecord> {
  return until(async () => {
    const newest = (await askSandbox<CallRecord[]>(demo.origin, 'calls')).at(-1);
    return newest && holds(newest) ? newest : undefined;
  }, 20_000);
}

describe('an agent in Firefox', { ...LIMIT, skip: missingFirefox }, () => {
  before(async () => {
    await buildDemo();
    demo = await startDemo();
    browser = await launchFirefox();
  }, LIMIT);
  after(async () => {
    await browser.close();
    await demo.close();
  }, LIMIT);
  beforeEach(async () => {
    await askSandbox(demo.origin, 'faults/clear', {});
    await askSandbox(demo.origin, 'settings', { hotlineList: 'hotlines' });
    await askSandbox(demo.origin, 'members/agent001', { balance: 50_000, hotlines: ['842899990001'] });
    agent = await FirefoxPage.open(browser, demo.origin);
    await agent.see('Ready');
  }, LIMIT);
  afterEach(async () => {
    assert.deepEqual(await agent.errors(), [], 'thrown into the page');
    await agent.close();
  }, LIMIT);

  it('types a number, hears the other side, and hangs up', async () => {
    await agent.type('0900000200');
    await agent.see('In call');
    const first = await until(() => agent.audioBytes(), 20_000);
    await until(async () => (await agent.audioBytes()) > first + 4000, 20_000);
    assert.equal((await call(({ audioBytes }) => audioBytes > 4000)).number, '0900000200');
    await agent.press('Hang up');
    await agent.see('Answered');
    assert.equal((await call(({ state }) => state === 'ended')).endedBy, 'caller');
    assert.deepEqual(agent.consoleOutput, [], 'a healthy call leaves the console alone');
  });

  it('answers a call and talks', async () => {
    await askSandbox(demo.origin, 'calls', { memberNo: 'agent001', from: '0912345678', name: 'Bảo' });
    await agent.see('0912 345 678');
    await agent.press('Answer');
    await agent.see('In call');
    const first = await until(() => agent.audioBytes(), 20_000);
    await until(async () => (await agent.audioBytes()) > first + 2000, 20_000);
    await agent.press('Hang up');
    assert.equal((await call(({ state }) => state === 'ended')).finalStatus, 200);
  });

  it('presses keys that arrive at the exchange, and holds', async () => {
    await agent.type('0900000183');
    await agent.see('In call');
    await agent.rest();
    await agent.keys('12#');
    await call(({ dtmf }) => dtmf === '12#');
    await agent.press('Hold');
    await agent.see('On hold');
    await agent.press('Hold');
    await agent.press('Hang up');
    await call(({ state }) => state === 'ended');
  });

  it('without money asks for a top-up and reaches the same number', async () => {
    await askSandbox(demo.origin, 'members/agent001', { balance: 0 });
    await agent.type('0912345678');
    await agent.see('Your call balance is used up');
    assert.equal((await call(({ state }) => state === 'ended')).finalStatus, 402);
    await agent.press('Ask for a top-up');
    await agent.see('You can call again');
    await agent.press('Call 0912 345 678');
    await agent.see('In call');
    await agent.press('Hang up');
    await call(({ state }) => state === 'ended');
  });

  it('without a caller number asks for one and calls', async () => {
    await askSandbox(demo.origin, 'members/agent001', { hotlines: [] });
    await agent.type('0912345678');
    await agent.see('You have no caller number yet');
    await agent.press('Ask for a caller number');
    await agent.see('You can call again');
    await agent.press('Call 0912 345 678');
    await agent.see('In call');
    await agent.press('Hang up');
    assert.equal((await call(({ state }) => state === 'ended')).hotline, '842899990001');
  });
});
