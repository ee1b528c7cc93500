/** The phone's code, as the network of the played world brings it. */
import { chunks } from '../../src/element/lazy-phone.ts';
import * as phone from '../../src/element/phone.ts';
import { Chunk } from '../../src/page/chunk.ts';
import type { Sequence } from './steps.ts';
import type { World } from './world.ts';

const LATE_MS = 3000;
const LOST_MS = 500;

export async function bringPhone({ clock }: World, arrival: Sequence['arrival']): Promise<void> {
  let attempts = 0;
  chunks.phone = new Chunk(
    () =>
      new Promise((resolve, reject) => {
        attempts += 1;
        const isLost = arrival === 'lost' && attempts === 1;
        if (arrival === 'there') resolve(phone);
        else if (isLost) clock.later(LOST_MS, () => reject(new TypeError('Failed to fetch')));
        else clock.later(LATE_MS, () => resolve(phone));
      }),
  );
  if (arrival === 'there') await chunks.phone.load();
}

/** Is it still on its way? */
export function isPhoneComing(): boolean {
  return chunks.phone.value === undefined;
}
