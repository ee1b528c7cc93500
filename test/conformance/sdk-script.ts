/** The script under test: from an address, from a file, or the sandbox's own stand-in. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buildScript } from '../../demo/sandbox/rest/script.ts';

export interface SdkScript {
  /** Where it came from, for the report. */
  readonly source: string;
  readonly text: string;
  readonly bytes: number;
  /** Of the bytes as they came, in hexadecimal. */
  readonly sha256: string;
}

/** @throws {Error} when there is no script there */
export async function loadSdk(source: string | undefined): Promise<SdkScript> {
  const content = await contentOf(source);
  return {
    source: source ?? 'the stand-in',
    text: content.toString('utf8'),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}

async function contentOf(source: string | undefined): Promise<Buffer> {
  if (source === undefined) return Buffer.from(await buildScript());
  if (!/^https?:/.test(source)) return readFile(source);
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}.`);
  return Buffer.from(await answer.arrayBuffer());
}
