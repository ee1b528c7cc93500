import { launchBrowser } from './browser.ts';
import { openBench } from './open-bench.ts';
import { loadSdk } from './sdk-script.ts';
const sdk = await loadSdk(process.argv[2] === 'standin' ? undefined : '/tmp/vendor/vbot-sdk.umd.js');
const browser = await launchBrowser();
const { bench, close } = await openBench(browser, sdk, (process.argv[4] as never) ?? 'granted');
try {
  const { default: run } = await import(process.argv[3]!);
  await run(bench);
} catch (e) {
  console.log(e);
}
for (const e of bench.journal.entries)
  console.log(e.at.toFixed(0), e.kind, e.text, e.kind === 'sdk' ? JSON.stringify(e.detail) : '');
console.log(bench.world.calls, await bench.registrations());
await close();
await browser.close();
