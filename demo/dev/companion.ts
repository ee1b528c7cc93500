/** `npm run broker`, `provision` and `reconcile`: the companion's command line, with a sandbox where no vendor is configured. */
import { runCommand } from '../companion/commands.ts';
import { sandboxStateFile, splitSandbox, startSandbox } from './vendor.ts';

const [command = 'serve', ...args] = process.argv.slice(2);
const { sandbox } = splitSandbox(process.env);
if (sandbox) {
  delete process.env['VENDOR_BASE_URL'];
  delete process.env['VENDOR_API_KEY'];
}

process.exitCode = await runCommand([command, ...args], async (config) =>
  sandbox ? { ...sandbox, close: async () => undefined } : startSandbox(sandboxStateFile(config)),
);
