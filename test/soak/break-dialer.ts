/**
 * Breaks the dialer on purpose, in one way after the other, and runs the model-based test against each: it has to fail.
 * An argument picks the breakages whose title holds it.
 */
import { spawnSync } from 'node:child_process';
import { startTestRunner } from '@web/test-runner';
import { BREAKAGES, placesOf, type Breakage } from '../model/breakages.ts';

/** Far more than `npm test` plays: a breakage that shows seldom has to be noticed as surely. The first one ends a run. */
const RUNS = 3000;
/** A browser that dies under it proves nothing. */
const MOST_ATTEMPTS = 2;

/** Before the source is compiled. */
const broken = ({ file, find, replace }: Breakage) => ({
  name: 'broken',
  transform: ({ path, body }: { path: string; body: unknown }) =>
    path.endsWith(file) ? String(body).replace(find, () => replace) : undefined,
});

function checkPlace(breakage: Breakage): void {
  const { title, file } = breakage;
  const places = placesOf(breakage);
  if (places !== 1) throw new Error(`${file} holds what is to be broken ${places} times, not once: ${title}`);
}

async function isNoticed(breakage: Breakage): Promise<boolean> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const reasons = await failuresOf(breakage);
    // An invariant by its name, not just anything that went wrong.
    const by = reasons
      .map((reason) => /^([a-h] [^:\n]+):/m.exec(reason)?.[1])
      .find((key) => key !== undefined);
    if (by !== undefined) {
      console.log(`caught  ${breakage.title}  ←  ${by}`);
      return true;
    }
    console.log([`MISSED  ${breakage.title}`, ...reasons].join('\n'));
    if (reasons.length === 0) return false;
  }
  return false;
}

async function failuresOf(breakage: Breakage): Promise<string[]> {
  const runner = await startTestRunner({
    config: { plugins: [broken(breakage)], reporters: [] },
    argv: ['--group', 'model'],
    autoExitProcess: false,
  });
  if (!runner) throw new Error('The browser test runner did not start.');
  await new Promise((resolve) => {
    runner.on('finished', resolve);
  });
  const failures = [...runner.sessions.all()].flatMap(({ testResults, errors }) => [
    ...(testResults?.suites ?? []).flatMap(({ tests }) => tests.map(({ error }) => error?.message)),
    ...errors.map(({ message }) => message),
  ]);
  await runner.stop();
  return failures.filter((message) => message !== undefined);
}

/** In a process of its own: the runner starts its browser once. */
function isNoticedElsewhere({ title }: Breakage): boolean {
  return (
    spawnSync(process.execPath, ['--import', 'tsx', 'test/soak/break-dialer.ts', title], { stdio: 'inherit' })
      .status === 0
  );
}

Object.assign(process.env, { MODEL_RUNS: String(RUNS), MODEL_SHRINK: 'off' });
const [wanted = ''] = process.argv.slice(2);
const chosen = BREAKAGES.filter(({ title }) => title.includes(wanted));
for (const breakage of chosen) checkPlace(breakage);
const [only, ...more] = chosen;
if (only && more.length === 0) process.exitCode = (await isNoticed(only)) ? 0 : 1;
else {
  const caught = chosen.filter(isNoticedElsewhere).length;
  console.log(`${caught} of ${chosen.length} breakages caught`);
  process.exitCode = caught === chosen.length && caught > 0 ? 0 : 1;
}
