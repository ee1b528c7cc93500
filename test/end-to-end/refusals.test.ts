/** Calls that the exchange refuses: the agent reads why. */
import assert from 'node:assert/strict';
import { eventually, someOf, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
});

/** Of the call that has ended with this code; the one before may be told with the same words. */
function outcomeOf(code: number): Promise<string | undefined> {
  return agent.page.evaluate((status) => {
    const call = document.querySelector('partner-dialer')?.state.call;
    return call && 'info' in call && call.info.status === status ? call.info.outcome : undefined;
  }, code);
}

test.describe('when the exchange refuses a call', () => {
  const TEXTS: readonly (readonly [number, string])[] = [
    [404, 'does not exist'],
    [486, 'The line is busy'],
    [603, 'The call was refused'],
    [480, 'cannot be reached now'],
    [403, 'does not take advertising calls'],
    [500, 'has a problem'],
    [400, 'The call was refused'],
    [401, 'The call was refused'],
    [405, 'not allowed at this hour'],
    [406, 'may not call out yet'],
    [407, 'is in another project'],
    [408, 'No answer'],
    [409, 'does not want to be disturbed'],
    [410, 'has changed'],
    [411, 'Nobody is there'],
    [412, 'calling plan has ended'],
    [413, 'needs another caller number'],
    [414, 'network of this number is not known'],
    [415, 'was not set up right'],
    [416, 'project has ended'],
    [487, 'The call was refused'],
    [502, 'has trouble'],
  ];

  test('the agent reads why, by the code of the vendor, and can call again', async () => {
    const played = someOf(TEXTS, 6);
    for (const [code, text] of played) {
      await agent.page.evaluate(
        (number) => document.querySelector('partner-dialer')?.call(number),
        `0900000${code}`,
      );
      await agent.see(text);
      const outcome = await eventually(() => outcomeOf(code), `the end of the call to ${code}`);
      assert.notEqual(outcome, 'answered', `outcome of ${code}`);
    }
    const count = (await site.calls()).length;
    await agent.press('Call again');
    await eventually(async () => (await site.calls()).length > count, 'the call');
    await agent.see(played.at(-1)?.[1] ?? '');
    await agent.reachSomebody();
  });
});
