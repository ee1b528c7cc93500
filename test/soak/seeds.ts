/** A long run that plays one thing from many seeds, one after the other: `WALKS` and `SEED` say how many and from where. */
import { openSite } from '../end-to-end/open-site.ts';
import type { Site } from '../end-to-end/site.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/**
 * Ends the process; with 1 where something did not hold.
 *
 * @param count unless `WALKS` says otherwise
 * @param play returns what did not hold
 */
export async function playSeeds(
  count: number,
  play: (site: Site, seed: number) => Promise<readonly string[]>,
): Promise<never> {
  const walks = Number(process.env['WALKS'] ?? count);
  const { site, close } = await openSite();
  let failures = 0;
  for (let seed = SEED; seed < SEED + walks; seed += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const found = await play(site, seed).catch((error: unknown) => [String(error)]);
    console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} SEED=${seed}`);
    for (const one of found) console.log(`  ${one}`);
    failures += found.length === 0 ? 0 : 1;
  }
  await close();
  console.log(`${walks - failures} passed, ${failures} failed`);
  process.exit(failures === 0 ? 0 : 1);
}
