/**
 * `npm run test:sdk`: tries a calling SDK against the sandbox's exchange, every scenario of it.
 * `--sdk URL-or-file` names the script (else the stand-in), `--only TEXT` narrows; Playwright gets what is left.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { sdk: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const args = [
  'test',
  '--project',
  'conformance',
  ...(values.only ? ['--grep', values.only] : []),
  ...positionals,
];
const env = { ...process.env, LONG: '1', ...(values.sdk !== undefined && { SDK_FILE: values.sdk }) };
const child = spawn('playwright', args, { stdio: 'inherit', env });
child.once('exit', (code) => (process.exitCode = code ?? 1));
