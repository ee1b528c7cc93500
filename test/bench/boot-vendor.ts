/**
 * The vendor of the boot bench: its SDK's script, the API that the script asks, and the exchange where it registers, behind
 * the same slow network. `SDK_FILE=PATH` takes the vendor's own script, and the sandbox behind it; else a stand-in comes.
 */
import { readFile } from 'node:fs/promises';
import { createSandbox } from '../../demo/sandbox/sandbox.ts';
import { slowNetwork } from './slow-network.ts';
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
const INFO = `${API}/api/sdk/info`;
const MEMBER = 'agent001';
/** Its TLS is real and takes the other one. */
const HANDSHAKE_RTTS = 1;

export async function openVendor(): Promise<BootVendor> {
  const file = process.env['SDK_FILE'];
  return file ? realVendor(file) : standIn();
}

async function realVendor(file: string): Promise<BootVendor> {
  const sandbox = createSandbox({ wss: true });
  sandbox.world.setBalance(sandbox.world.createMember(MEMBER, ['HL_SALES']), 50_000);
  const token = sandbox.world.issueToken(MEMBER);
  const ask = async (path: string, method: string, given: string) => {
    const request = new Request(`http://127.0.0.1${path}`, { method, headers: { Authorization: given } });
    return (await sandbox.fetch(request)).text();
  };
  const { port } = accountIn(await ask(INFO, 'POST', token));
  const exchange = await slowNetwork(port, HANDSHAKE_RTTS);
  const slowPort = Number(new URL(exchange.origin).port);
  return {
    script: await readFile(file),
    token,
    answer: async (path, method, given) =>
      (await ask(path, method, given)).replaceAll(String(port), String(slowPort)),
    close: async () => {
      exchange.close();
      await sandbox.close();
    },
  };
}

function accountIn(info: string): { readonly port: number } {
  const { data } = JSON.parse(info) as { data: { accounts: [{ port: number }] } };
  return data.accounts[0];
}
