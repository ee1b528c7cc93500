/** Keeps the sandbox's world in a file, so that a second run sees what the first one did. */
import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { customerDataSchema } from './customer-schema.ts';
import { hotlineSchema, memberSchema } from './members.ts';
import { topUpSchema } from './records.ts';
import { settingsSchema } from './settings.ts';
import type { World } from './world.ts';

const snapshotSchema = z.object({
  hotlines: z.array(hotlineSchema),
  members: z.array(memberSchema),
  tokens: z.array(z.tuple([z.string(), z.string()])),
  topUps: z.array(topUpSchema),
  adminBalance: z.number(),
  settings: settingsSchema,
  customerData: z.optional(customerDataSchema),
});

/** Changes within so many milliseconds are written together. */
const GATHER_MS = 200;

/** Restores the world from the file, and writes every later change back until closed. */
export class StateFile {
  readonly #path: string;
  readonly #world: World;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, world: World) {
    this.#path = path;
    this.#world = world;
    restore(path, world);
    world.addEventListener('change', this.#schedule);
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    this.#world.removeEventListener('change', this.#schedule);
    if (this.#timer) this.#save();
    await this.#writing;
  }

  readonly #schedule = (): void => {
    this.#timer ??= setTimeout(() => this.#save(), GATHER_MS);
  };

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = JSON.stringify(this.#world.snapshot());
    this.#writing = this.#writing
      .then(() => replaceFile(this.#path, text))
      .catch((error: unknown) => console.warn(`The sandbox cannot save its state: ${String(error)}`));
  }
}

/** A reader sees the old file or the new one, never half of one. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, path);
}

/** Without a file, or with one of another version, the sandbox starts empty: play money is worth no error. */
function restore(path: string, world: World): void {
  try {
    world.restore(snapshotSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!absent) console.warn(`The sandbox starts empty: ${path} is not readable.`);
  }
}
