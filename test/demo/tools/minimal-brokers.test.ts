/** The minimal brokers in other languages, held to what the dialer relies on, where their interpreter is there. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkBroker } from '../../../demo/tools/broker-checks.ts';
import { startSandbox } from '../servers.ts';

const FOLDER = fileURLToPath(new URL('../../../demo/server/minimal/', import.meta.url));
const BROKERS: Readonly<Record<string, (port: string) => readonly [string, ...string[]]>> = {
  Node: () => [process.execPath, `${FOLDER}broker.mjs`],
  Python: () => ['python3', `${FOLDER}broker.py`],
  PHP: (port) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}broker.php`],
};

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

for (const [language, command] of Object.entries(BROKERS)) {
  test(
    `the minimal broker in ${language} passes every check that applies to it`,
    { timeout: 60_000 },
    async (t) => {
      const port = await freePort();
      const [program, ...args] = command(port);
      if (spawnSync(program, ['--version']).error) return t.skip(`there is no ${program} here`);
      const { baseUrl, apiKey } = await startSandbox(t);
      const env = {
        PATH: process.env['PATH'],
        PORT: port,
        VENDOR_BASE_URL: baseUrl,
        VENDOR_API_KEY: apiKey,
        AGENT_TOKENS: 'a-token:agent001',
      };
      const child = spawn(program, args, { env, stdio: 'ignore' });
      t.after(() => child.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}/session`;
      while (!(await fetch(url).catch(() => undefined))) await delay(50);
      const signedIn = { Authorization: 'Bearer a-token' };
      const verdicts = await checkBroker({ url, signedIn, origin: undefined });
      const failed = verdicts.filter(({ result }) => result === 'fail');
      assert.deepEqual(failed, []);
      assert.match(verdicts[0]?.detail ?? '', /of agent001, who cannot call: insufficient-funds/);
    },
  );
}
