/** `npm run budgets`: what the plain script makes a page fetch, by `gzip -9`; fails where a part is larger than it may be. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Bytes. */
const LIMITS = { first: 9600, untilReady: 54_500, language: 3600, panel: 4000 } as const;
const LANGUAGES = ['en', 'vi'];
/** Code that draws nothing. */
const NO_PANELS = ['calls', 'calls2', 'repeated-read'];

export interface Row {
  readonly what: string;
  readonly bytes: number;
  readonly limit: number;
}

/** @param folder with the plain script, and chunks of no other build */
export async function measure(folder: string): Promise<readonly Row[]> {
  const sizes = new Map<string, number>();
  for (const file of await readdir(folder)) {
    const name = /^partner-dialer(?:\.([\w-]+)\.[\w-]+)?\.js$/.exec(file);
    if (!name) continue;
    const part = name[1] ?? '';
    if (sizes.has(part)) throw new Error(`There are two builds in ${folder}: build anew.`);
    sizes.set(part, gzipSync(await readFile(join(folder, file)), { level: 9 }).length);
  }
  const size = (part: string) => {
    const bytes = sizes.get(part);
    if (bytes === undefined) throw new Error(`There is no ${part || 'first file'} in ${folder}.`);
    return bytes;
  };
  const language = Math.max(...LANGUAGES.map(size));
  const untilReady = size('') + size('phone') + language;
  const panels = [...sizes.keys()].filter(
    (part) => !['', 'phone', ...LANGUAGES, ...NO_PANELS].includes(part),
  );
  return [
    { what: 'first file', bytes: size(''), limit: LIMITS.first },
    { what: 'until ready, one language', bytes: untilReady, limit: LIMITS.untilReady },
    ...LANGUAGES.map((part) => ({
      what: `language ${part}`,
      bytes: size(part),
      limit: LIMITS.language,
    })),
    ...panels.toSorted().map((part) => ({ what: part, bytes: size(part), limit: LIMITS.panel })),
    ...NO_PANELS.map((part) => ({ what: `${part}, draws nothing`, bytes: size(part), limit: Infinity })),
  ];
}

async function main(): Promise<void> {
  for (const { what, bytes, limit } of await measure('dist')) {
    const isOver = bytes > limit;
    console.log(`${isOver ? 'TOO LARGE' : 'ok       '} ${String(bytes).padStart(6)} B  ${what}`);
    if (isOver) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
