/**
 * `npm run release -- 0.2.0` writes a version into each file that names it; `npm run release -- --check v0.2.0`, which the workflow
 * `release` runs on a tag, fails if one of them names another version.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const PACKAGES = ['.', 'demo/companion', 'demo/sandbox'];

/** Each has one group, the version. */
const TARBALL = /partner-dialer(?:-companion|-sandbox)?-(\d+\.\d+\.\d+)\.tgz/g;
const PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ...PACKAGES.map((folder) => [`${folder}/package.json`, /^ {2}"version": "(.+)",$/gm] as const),
  ['src/ui/support-details.ts', /^export const VERSION = '(.+)';$/gm],
  ['README.md', TARBALL],
  ['README.vi.md', TARBALL],
  ['docs/testing.md', TARBALL],
  ['demo/companion/README.md', TARBALL],
];
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';

const readText = (file: string) => readFileSync(file, 'utf8');

/** @returns what each place names, as `FILE: VERSION` */
export function namedVersions(read = readText): string[] {
  return PLACES.flatMap(([file, pattern]) => {
    const found = [...read(file).matchAll(pattern)].map(([, version]) => `${file}: ${version}`);
    return found.length > 0 ? found : [`${file}: no version`];
  });
}

/** @returns what does not fit the version: a place that names another version, a changelog without its section */
export function differences(version: string, read = readText): string[] {
  const others = namedVersions(read).filter((place) => !place.endsWith(`: ${version}`));
  return read(CHANGELOG).includes(`\n## [${version}] - `)
    ? others
    : [...others, `${CHANGELOG}: no section ${version}`];
}

/** @returns the texts that a release changes, by file */
export function released(version: string, day: string, read = readText): Map<string, string> {
  const texts = PLACES.map(([file, pattern]) => {
    const text = read(file).replaceAll(pattern, (all, old: string) => all.replace(old, version));
    return [file, text] as const;
  });
  const changelog = read(CHANGELOG).replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`);
  return new Map([...texts, [CHANGELOG, changelog]]);
}

function release(version: string): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const [file, text] of released(version, today)) writeFileSync(file, text);
  // The lock files name the versions, too. The one of the companion is for the copied folder.
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' });
  const copied = ['version', version, '--no-git-tag-version', '--allow-same-version'];
  execFileSync('npm', copied, { cwd: 'demo/companion', stdio: 'inherit' });
}

function main([first = '', second = '']: readonly string[]): void {
  const version = first === '--check' ? second.replace(/^v/, '') : first;
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    console.error('Usage: npm run release -- 0.2.0, or npm run release -- --check v0.2.0');
    process.exitCode = 2;
    return;
  }
  if (first !== '--check') release(version);
  const wrong = differences(version);
  for (const each of wrong) console.error(`Not ${version}: ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
