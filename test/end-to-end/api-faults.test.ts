/** Whatever breaks at the API that the SDK asks: what the agent reads, and that there is a way on. */
import { LONG, test, type AgentPage, type Site } from './fixtures.ts';

const REFUSED = 'did not accept your sign-in';
const HOTLINE = 'You have no caller number yet';
const SILENT = 'exchange does not answer';
const HALF_A_MINUTE_MS = 30_000;
/** What of it passes in truth. */
const SLOW_MS = 2000;

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox }) => {
  site = sandbox;
});
test.afterEach(() => agent.closeWithoutErrors());

test.describe('when the API that the SDK asks', LONG, () => {
  const KINDS: readonly (readonly [name: string, fault: object, sentence?: string, code?: string])[] = [
    ['refuses with 401', { kind: 'status', value: 401 }],
    ['fails with 500', { kind: 'status', value: 500 }],
    ['says error 401', { kind: 'error', value: 401 }],
    ['is cut off', { kind: 'cut' }],
    ['answers garbage', { kind: 'garbage' }],
    ['drops the connection', { kind: 'drop' }, 'The phone service does not answer', 'PD-VENDOR'],
  ];
  for (const [name, fault, sentence = REFUSED, code = 'PD-TOKEN'] of KINDS) {
    test(`${name} at the sign-in, the agent reads so and gets on`, async () => {
      await site.sandbox('faults', { place: '/api/sdk/info', ...fault });
      agent = await site.open();
      await agent.see(sentence);
      await agent.see(code);
      await site.sandbox('faults/clear', {});
      await agent.tryAgain();
      await agent.see('Ready');
      await agent.reachSomebody();
    });

    test(`${name} at the hotlines, the agent is guided and gets on`, async () => {
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

  test('takes half a minute, the agent is told before, and is ready when it comes', async () => {
    agent = await site.open('/sandbox');
    await agent.installClock();
    await site.sandbox('faults', { place: '/api/sdk/info', kind: 'slow', value: SLOW_MS, times: 1 });
    await agent.page.goto(site.origin);
    await agent.asked('/api/sdk/info');
    await agent.pass(HALF_A_MINUTE_MS - SLOW_MS);
    await agent.see(SILENT);
    await agent.see('Ready');
    await agent.reachSomebody();
  });
});
