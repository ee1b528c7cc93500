/** A disk so small that it can be filled. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface SmallDisk {
  /** Leaves not a byte on it for a moment. */
  fill(): Promise<void>;
  close(): void;
}

const SIZE = '64m';
const FULL_MS = 1500;

/** @returns undefined, with the reason printed, where this user may not mount one */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    console.warn('The disk is never full here: only root may mount a small one.');
    return undefined;
  }
  const close = () => execFileSync('umount', ['--lazy', folder]);
  process.once('exit', close);
  const ballast = join(folder, 'ballast');
  return {
    async fill() {
      fillUp(ballast);
      await delay(FULL_MS);
      rmSync(ballast);
    },
    close() {
      process.off('exit', close);
      close();
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, 'w');
  for (const bytes of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}
