/** `npm run budgets`: how large the plain script is by `gzip -9`; fails where it is larger than it may be. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const FILE = 'dist/partner-dialer.js';
const LIMIT = 82_000;

const size = gzipSync(await readFile(FILE), { level: 9 }).length;
console.log(`${FILE}: ${size} of ${LIMIT} bytes`);
if (size > LIMIT) process.exitCode = 1;
