/**
 * The end of `npm run build`: how large the plain script is by `gzip -9`, and what pins it (`integrity`);
 * fails where it is larger than it may be.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const FILE = 'dist/partner-dialer.js';
const LIMIT = 92_000;

const script = await readFile(FILE);
const size = gzipSync(script, { level: 9 }).length;
console.log(`${FILE}: ${size} of ${LIMIT} bytes`);
console.log(`integrity="sha384-${createHash('sha384').update(script).digest('base64')}"`);
if (size > LIMIT) {
  console.error(
    `${size - LIMIT} bytes more than LIMIT in demo/tools/budgets.ts, which docs/limits.md names, too.`,
  );
  process.exitCode = 1;
}
