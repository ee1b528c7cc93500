/** What is optional can be deleted, with the lines of app.ts that name it: the rest compiles, serves, and passes its tests. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../stores.ts';

const FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = /[\\/](?:node_modules|dist|\.data)$/;

/** What goes, with its own tests, and the tests of the rest that are run then. */
const PARTS = [
  { parts: ['features/calls'], tests: ['calls.test.ts', 'prices.test.ts'], mount: /CallRoutes/ },
  { parts: ['features/customers.ts'], tests: ['customers.test.ts'], mount: /CustomerRoutes/ },
  { parts: ['features/prices.ts'], tests: ['prices.test.ts'], mount: /Prices/ },
  {
    parts: ['features/operator'],
    tests: ['operator.test.ts'],
    // The page, and the metrics, which answer under any host name.
    mount: /OperatorRoutes|MetricsRoute/,
    mounts: 2,
  },
];

function run(folder: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    // Else this runner's own variables would make the tests report to it.
    const env = { PATH: process.env['PATH'] };
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 }, (error, out, err) =>
      resolve(error ? `${out}${err}` : ''),
    );
  });
}

/** Where the compiler and the libraries are, wherever npm has put them. */
function compiler(): string {
  return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
}

for (const { parts, tests, mount, mounts = 1 } of PARTS) {
  test(`${parts.join(' with ')} can be deleted`, { timeout: 180_000 }, async (t) => {
    const copy = join(await makeFolder(t), 'companion');
    await cp(FOLDER, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    for (let parent = FOLDER; parent !== dirname(parent); parent = dirname(parent)) {
      const found = await readdir(join(parent, 'node_modules')).catch((): string[] => []);
      if (!found.includes('hono')) continue;
      await symlink(join(parent, 'node_modules'), join(copy, 'node_modules'));
      break;
    }
    for (const part of parts) await rm(join(copy, part), { recursive: true });
    for (const name of tests) await rm(join(copy, 'test', name));
    const path = join(copy, 'app.ts');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const rest = lines.filter((line) => !mount.test(line));
    assert.equal(lines.length - rest.length, 1 + mounts, 'one line imports it, one or two mount it');
    await writeFile(path, rest.join('\n'));

    assert.equal(await run(copy, compiler(), '-p', '.', '--noEmit'), '');
    const files = [
      'test/dialer-routes.test.ts',
      'test/limits.test.ts',
      'test/customers.test.ts',
      'test/operator.test.ts',
    ];
    const left = files.filter((file) => !tests.includes(file.slice('test/'.length)));
    assert.equal(await run(copy, '--import', 'tsx', '--test', ...left), '');
  });
}
