/** Finds the browsers of the long run, from Debian's packages. */
import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';

/** By package, the programs it brings and that are used here. */
const PROGRAMS = {
  'firefox-esr': ['/usr/bin/firefox-esr'],
  'webkit2gtk-driver': [
    '/usr/bin/WebKitWebDriver',
    `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
  ],
  xvfb: ['/usr/bin/xvfb-run'],
} as const;

type Package = keyof typeof PROGRAMS;

/**
 * The programs of a package, installed first where that can be done (Debian, as root).
 *
 * @throws {Error} one sentence that names the package
 */
export function findPrograms(name: Package): readonly string[] {
  const programs = PROGRAMS[name];
  if (programs.every((program) => existsSync(program))) return programs;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env };
    spawnSync('apt-get', ['-qq', 'update'], options);
    spawnSync('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name], options);
  }
  if (programs.every((program) => existsSync(program))) return programs;
  throw new Error(`The package ${name} is not installed: apt-get install ${name}.`);
}
