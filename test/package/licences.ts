/** `THIRD-PARTY-LICENSES.txt`: what the package brings along, each with its licence. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Bundled into `dist`, so that no dependency names it. */
const BUNDLED = ['@lit/react'];

/** @param root folder of the package */
export async function listLicences(root: string): Promise<string> {
  const found = new Map<string, string>();
  const visit = async (name: string, from: string): Promise<void> => {
    const folder = await folderOf(name, from);
    const manifest = await readManifest(folder);
    if (found.has(manifest.name)) return;
    found.set(manifest.name, await describe(folder, manifest));
    for (const inner of Object.keys(manifest.dependencies ?? {})) await visit(inner, folder);
  };
  const { dependencies = {} } = await readManifest(root);
  for (const name of [...Object.keys(dependencies), ...BUNDLED]) await visit(name, root);
  const texts = [...found].toSorted(([a], [b]) => a.localeCompare(b)).map(([, text]) => text);
  return `${['partner-dialer is made with these packages.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function describe(folder: string, { name, license = 'unknown' }: Manifest): Promise<string> {
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
  return `${name} (${license})\n\n${text.trim()}`.trim();
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

async function folderOf(name: string, from: string): Promise<string> {
  const { resolve } = createRequire(pathToFileURL(join(from, 'package.json')));
  for (const base of resolve.paths(name) ?? []) {
    const folder = join(base, name);
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest) return folder;
  }
  throw new Error(`${name} is not installed for ${dirname(from)}.`);
}
