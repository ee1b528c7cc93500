/**
 * Breaks the dialer on purpose, in one way after the other, and runs the model-based test against each: it has to fail.
 * An argument picks the breakages whose title holds it.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { BREAKAGES, type Breakage } from '../model/breakages.ts';
import { runInBrowser } from '../runner/in-browser.ts';

/** More than `npm test` plays: a breakage that shows seldom has to be noticed as surely. */
const RUNS = 600;

function broken({ file, find, replace }: Breakage): Plugin {
  return {
    name: 'broken',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith(file) ? code.replace(find, () => replace) : undefined),
  };
}

function checkPlace({ title, file, find }: Breakage): void {
  const { length } = readFileSync(file, 'utf8').split(find);
  if (length !== 2)
    throw new Error(`${file} holds what is to be broken ${length - 1} times, not once: ${title}`);
}

async function isNoticed(breakage: Breakage): Promise<boolean> {
  const results = await runInBrowser('model', ['test/model/model.test.ts'], () => undefined, [
    broken(breakage),
  ]);
  const [result] = results;
  const by = /^(?:\[.*\] )?([a-g] [^:\n]+):/m.exec(result?.reason ?? '')?.[1];
  const isCaught = result?.outcome === 'failed' && by !== undefined;
  console.log(`${isCaught ? 'caught' : 'MISSED'}  ${breakage.title}${by ? `  ←  ${by}` : ''}`);
  if (!isCaught && result?.reason) console.log(result.reason);
  return isCaught;
}

Object.assign(process.env, { MODEL_RUNS: String(RUNS), MODEL_KINDS: '1', MODEL_ATTEMPTS: '0' });
const [wanted = ''] = process.argv.slice(2);
const chosen = BREAKAGES.filter(({ title }) => title.includes(wanted));
for (const breakage of chosen) checkPlace(breakage);
let caught = 0;
for (const breakage of chosen) {
  // oxlint-disable-next-line no-await-in-loop -- one breakage after the other
  if (await isNoticed(breakage)) caught += 1;
}
console.log(`\n${caught} of ${chosen.length} breakages caught`);
process.exitCode = caught === chosen.length && caught > 0 ? 0 : 1;
