/** A process that runs one test file after the other, as the runner names them; each is a group of its own. */
import { register } from 'node:module';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RunFile } from './message.ts';

register('./resolve-test.mjs', import.meta.url);
const environment = { ...process.env };

process.on('message', ({ file }: RunFile) => {
  // What the file before has set is not for this one.
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  void describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
});
process.on('disconnect', () => process.exit());
