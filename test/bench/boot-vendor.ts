/**
 * The vendor of the boot bench: its SDK's script, the API that the script asks, and the exchange where it registers.
 * `SDK_FILE=PATH` takes the vendor's own script, and the sandbox behind it; else a stand-in comes.
 */
import { readFile } from 'node:fs/promises';
import { createSandbox } from '../../demo/sandbox/sandbox.ts';
import { standIn } from './boot-stand-in.ts';

export interface BootVendor {
  readonly script: Buffer;
  readonly token: string;
  /** The API's answer below `/vendor`. */
  answer(path: string, method: string, token: string): Promise<string>;
  close(): Promise<void>;
}

/** Where the API is mounted, as a page hands it to the SDK. */
export const API = '/vendor/v3.0';
const MEMBER = 'agent001';

export async function openVendor(): Promise<BootVendor> {
  const file = process.env['SDK_FILE'];
  return file ? realVendor(file) : standIn();
}

async function realVendor(file: string): Promise<BootVendor> {
  const sandbox = createSandbox({ wss: true });
  sandbox.world.setBalance(sandbox.world.createMember(MEMBER, ['HL_SALES']), 50_000);
  const token = sandbox.world.issueToken(MEMBER);
  return {
    script: await readFile(file),
    token,
    answer: async (path, method, Authorization) => {
      const request = new Request(`http://127.0.0.1${path}`, { method, headers: { Authorization } });
      return (await sandbox.fetch(request)).text();
    },
    close: () => sandbox.close(),
  };
}
