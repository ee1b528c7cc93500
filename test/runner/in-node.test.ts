/** What the runner makes of test files that are no good. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runInNode } from './in-node.ts';

const FILES = {
  'good.test.mjs': `import { test } from 'node:test'; test('holds', () => {}); test.skip('is left out', () => {});`,
  'bad.test.mjs': `import { test } from 'node:test'; test('does not hold', () => { throw new Error('no'); });`,
  'empty.test.mjs': `export {};`,
  'broken.test.mjs': `throw new Error('no such thing');`,
  'hook.test.mjs': `import { test, after } from 'node:test'; after(() => { throw new Error('left open'); }); test('holds', () => {});`,
  'dying.test.mjs': `import { test } from 'node:test'; test('dies', async () => { await new Promise((resolve) => setTimeout(resolve, 50)); process.kill(process.pid, 'SIGKILL'); });`,
  'hanging.test.mjs': `import { it } from 'node:test'; it('hangs', () => new Promise(() => setInterval(() => {}, 9))); it('is next', () => {}); it('takes its time', { timeout: 5000 }, () => new Promise((resolve) => setTimeout(resolve, 1500)));`,
  'hanging-hook.test.mjs': `import { test, before } from 'node:test'; before(() => new Promise(() => setInterval(() => {}, 9))); test('is not reached', () => {});`,
  'blocking.test.mjs': `import { test } from 'node:test'; test('blocks', async () => { await new Promise((resolve) => setTimeout(resolve, 50)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
  'last.test.mjs': `import { test } from 'node:test'; test('comes after all', () => {});`,
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runner-'));
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(join(folder, name), text)));
});
after(() => rm(folder, { recursive: true, force: true }));

/** It waits for what hangs: only CI does. */
const skip = process.env['LONG'] !== '1';

test('each has a failure with its name, and keeps no other from running', { skip }, async () => {
  const files = Object.keys(FILES).map((name) => join(folder, name));
  const told: string[] = [];
  const plan = { part: 'node', files, workers: 1, testTimeoutMs: 1000, silenceMs: 8000 };
  const results = await runInNode(plan, (file) => told.push(file));
  assert.deepEqual(
    results.map(({ file, name, outcome }) => [file.slice(folder.length + 1), name, outcome]),
    [
      ['good.test.mjs', 'holds', 'passed'],
      ['good.test.mjs', 'is left out', 'skipped'],
      ['bad.test.mjs', 'does not hold', 'failed'],
      ['empty.test.mjs', 'the file', 'failed'],
      ['broken.test.mjs', 'the file', 'failed'],
      ['hook.test.mjs', 'holds', 'passed'],
      ['hook.test.mjs', 'the file', 'failed'],
      ['dying.test.mjs', 'dies', 'failed'],
      ['hanging.test.mjs', 'hangs', 'failed'],
      ['hanging.test.mjs', 'is next', 'passed'],
      ['hanging.test.mjs', 'takes its time', 'passed'],
      ['hanging-hook.test.mjs', 'is not reached', 'failed'],
      ['hanging-hook.test.mjs', 'the file', 'failed'],
      ['blocking.test.mjs', 'blocks', 'failed'],
      ['last.test.mjs', 'comes after all', 'passed'],
    ],
  );
  assert.deepEqual(told, files);
  const reasons = results.filter(({ outcome }) => outcome === 'failed').map(({ reason }) => reason ?? '');
  for (const [index, words] of [
    'no',
    'no test',
    'no such thing',
    'left open',
    'SIGKILL',
    'timed out',
    'did not finish',
    'timed out',
    'Nothing has happened',
  ].entries()) {
    assert.match(reasons[index] ?? '', new RegExp(words));
  }
});
