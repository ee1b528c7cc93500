/** Calls that the exchange refuses: the agent reads why. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { openSite, someOf, type AgentPage, type Site } from './site.ts';

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

describe('when the exchange refuses a call', () => {
  const TEXTS: readonly (readonly [number, string])[] = [
    [404, 'does not exist'],
    [486, 'The line is busy'],
    [603, 'The call was refused'],
    [480, 'cannot be reached right now'],
    [403, 'does not take advertising calls'],
    [500, 'has a problem'],
    [400, 'The call was refused'],
    [401, 'The call was refused'],
    [405, 'not allowed at this hour'],
    [406, 'may not call out yet'],
    [407, 'belongs to another project'],
    [408, 'No answer'],
    [409, 'does not want to be disturbed'],
    [410, 'has changed'],
    [411, 'Nobody is there'],
    [412, 'calling plan has ended'],
    [413, 'cannot reach this network'],
    [414, 'network of this number is not known'],
    [415, 'was not right'],
    [416, 'project has ended'],
    [487, 'The call was refused'],
    [502, 'is disturbed'],
  ];

  it('the agent reads why, by the code of the vendor, and can call again', async () => {
    await openReady();
    for (const [code, text] of someOf(TEXTS, 6)) {
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
      assert.equal(status, code, `status of ${code}`);
      assert.ok(outcome && outcome !== 'answered', `outcome of ${code}`);
    }
    await agent.press('Call again');
    await agent.see('The call was refused');
    await agent.reachSomebody();
  });
});
