/** The server in one file and the brokers in other languages, held to what the dialer relies on. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkBroker } from '../../../demo/tools/broker-checks.ts';
import { freePort } from '../../../demo/companion/test/free-port.ts';
import { startSandbox } from '../../../demo/sandbox/test/servers.ts';

const FOLDER = fileURLToPath(new URL('../../../demo/server/', import.meta.url));
type Command = readonly [program: string, ...args: string[]];

/** By language, with the package that brings the interpreter. */
const BROKERS: Readonly<Record<string, readonly [name: string, command: (port: number) => Command]>> = {
  Node: ['nodejs', () => [process.execPath, '--import', 'tsx', `${FOLDER}server.ts`]],
  Python: ['python3', () => ['python3', `${FOLDER}other-languages/broker.py`]],
  PHP: ['php-cli', (port) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}other-languages/broker.php`]],
};

for (const [language, [name, command]] of Object.entries(BROKERS)) {
  test(
    `the small server in ${language} passes every check that applies to it`,
    { timeout: 300_000 },
    async (t) => {
      const port = await freePort();
      const [program, ...args] = command(port);
      if (spawnSync(program, ['--version']).error) {
        assert.ok(!process.env['CI'], `There is no ${program}: apt-get install ${name}, as root.`);
        return t.skip(`There is no ${program} here.`);
      }
      const { baseUrl, apiKey } = await startSandbox(t);
      const env = {
        PATH: process.env['PATH'],
        PORT: String(port),
        VENDOR_BASE_URL: baseUrl,
        VENDOR_API_KEY: apiKey,
        AGENT_TOKENS: 'a-token:agent001',
        TOP_UP: '0',
      };
      const child = spawn(program, args, { env, stdio: 'ignore' });
      t.after(() => child.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}/dialer/session`;
      while (!(await fetch(url).catch(() => undefined))) await delay(50);
      const signedIn = { Authorization: 'Bearer a-token' };
      const verdicts = await checkBroker({ url, signedIn, origin: undefined });
      const failed = verdicts.filter(({ result }) => result === 'fail');
      assert.deepEqual(failed, []);
      assert.match(verdicts[0]?.detail ?? '', /of agent001, who cannot call: insufficient-funds/);
    },
  );
}
