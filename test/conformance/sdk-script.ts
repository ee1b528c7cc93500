/** The script under test: from an address, from a file, or the sandbox's own stand-in. */
import { readFile } from 'node:fs/promises';
import { buildScript } from '../../demo/sandbox/rest/script.ts';

/** @throws {Error} when there is no script there */
export async function loadSdk(source: string | undefined): Promise<string> {
  if (source === undefined) return buildScript();
  if (!/^https?:/.test(source)) return readFile(source, 'utf8');
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}.`);
  return answer.text();
}
