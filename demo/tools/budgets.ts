/**
 * `npm run budgets`: what the plain script makes a page fetch, by `gzip -9`; fails where a part is larger than it may be, or the
 * README says something else.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** What a page has a right to, in bytes. */
const LIMITS = { first: 9000, untilReady: 34_000, language: 2500, panel: 4000 } as const;
const LANGUAGES = ['en', 'vi'];
/** Code that draws nothing. */
const NO_PANELS = ['calls', 'pins', 'repeated-read', 'shared'];

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
  const early = ['', 'phone'];
  const panels = [...sizes.keys()].filter((part) => ![...early, ...LANGUAGES, ...NO_PANELS].includes(part));
  return [
    row('first file', size(''), 'first'),
    row('until ready, one language', size('') + size('phone'), 'untilReady'),
    ...LANGUAGES.map((language) => row(`language ${language}`, size(language), 'language')),
    ...panels.toSorted().map((part) => row(part, size(part), 'panel')),
    ...NO_PANELS.map((part) => ({
      what: `${part}, draws nothing`,
      bytes: size(part),
      limit: Infinity,
    })),
  ];
}

function row(what: string, bytes: number, kind: keyof typeof LIMITS): Row {
  return { what, bytes, limit: LIMITS[kind] };
}

const HALF_KB = 500;

/** For the README: rounded up, so that not every change of the code changes it. */
export function describeSizes([first, ready, ...late]: readonly Row[]): string {
  const [languages, others] = [late.filter(isLanguage), late.filter((each) => !isLanguage(each))];
  const panels = others.filter(({ limit }) => limit === LIMITS.panel);
  const cells = [
    ['`dist/partner-dialer.js`, the first file', first?.bytes ?? 0],
    ['all of ours until the first `dialer-ready`', ready?.bytes ?? 0],
    ['the words of a further language', Math.max(...languages.map(({ bytes }) => bytes))],
    ['the largest panel of those that come later', Math.max(...panels.map(({ bytes }) => bytes))],
    [
      'everything else, once the phone is ready or when it is needed',
      others.reduce((sum, { bytes }) => sum + bytes, 0),
    ],
  ] as const;
  return [
    '| fetched | kB with `gzip -9`, at most |',
    '| --- | --- |',
    ...cells.map(([what, bytes]) => `| ${what} | ${(Math.ceil(bytes / HALF_KB) / 2).toFixed(1)} |`),
  ].join('\n');
}

function isLanguage({ what }: Row): boolean {
  return what.startsWith('language');
}

const SIZES = /(<!-- measured: sizes -->\n).*?(<!-- end -->)/s;

/** @throws {Error} when the README has no place for them */
export function withSizes(readme: string, rows: readonly Row[]): string {
  if (!SIZES.test(readme)) throw new Error('README.md has no place for: sizes.');
  return readme.replace(
    SIZES,
    (_all, begin: string, end: string) => `${begin}\n${describeSizes(rows)}\n\n${end}`,
  );
}

async function main(): Promise<void> {
  const rows = await measure('dist');
  const readme = await readFile('README.md', 'utf8');
  if (withSizes(readme, rows) !== readme) {
    console.error('README.md tells other sizes: npm run readme.');
    process.exitCode = 1;
  }
  for (const { what, bytes, limit } of rows) {
    const isOver = bytes > limit;
    const verdict = isOver ? 'TOO LARGE' : 'ok';
    const of = limit === Infinity ? '' : ` of ${limit}`;
    console.log(`${verdict.padEnd(9)} ${String(bytes).padStart(6)} B${of.padEnd(9)}  ${what}`);
    if (isOver) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
