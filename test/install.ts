/** Installs programs that the tests need from Debian's packages. */
import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';

/** On Debian as root, where the program is missing. @returns whether the program is there */
export function install(name: string, isInstalled: () => boolean): boolean {
  if (isInstalled()) return true;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing the package ${name}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env };
  spawnSync('apt-get', ['-qq', 'update'], options);
  spawnSync('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name], options);
  return isInstalled();
}
