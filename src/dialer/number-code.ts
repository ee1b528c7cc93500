/** What reads and writes phone numbers: a chunk, because nothing is typed or called before the phone is ready. */
import { Chunk } from '../page/chunk.ts';

export type NumberCode = typeof import('../numbers/read.ts');

export const numberCode = new Chunk(() => import('../numbers/read.ts'));
