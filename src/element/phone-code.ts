/** The phone's code, which comes after the first file. */
import { Chunk } from '../page/chunk.ts';

/** Changeable, so that a test can have it come late or not at all. */
export const chunks = { phone: new Chunk(() => import('./phone.ts')) };
