/** `npm run screenshot`: the picture in the README, of the demo with a call in progress. */
import { fileURLToPath } from 'node:url';
import { openSite } from './open-site.ts';

const TARGET = fileURLToPath(new URL('../../demo/screenshot.png', import.meta.url));
/** Audio flows by then, and nothing is about to change. */
const IN_CALL_MS = 4000;

const { site, close } = await openSite();
try {
  await site.prepare();
  const agent = await site.open();
  await agent.page.setViewportSize({ width: 1320, height: 780 });
  await agent.see('Ready');
  await agent.clickCustomer('0900 000 200');
  await agent.see('In call');
  await agent.page.mouse.move(0, 0);
  await agent.page.waitForTimeout(IN_CALL_MS);
  await agent.page.screenshot({ path: TARGET });
} finally {
  await close();
}
// The companion's timers would keep the process for half a minute more.
process.exit(0);
