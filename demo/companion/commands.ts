/** The companion's commands: `serve`, `provision`, `reconcile`. */
import { runProvision } from './commands/provision.ts';
import { runReconcile } from './commands/reconcile.ts';
import { serve } from './commands/serve.ts';
import { EXIT, InputError, USAGE, type FindVendor, type Terminal } from './commands/terminal.ts';
import { ConfigError, EXIT_CONFIGURATION } from './config.ts';
import { VendorError } from './vbot/errors.ts';

const TERMINAL: Terminal = {
  env: process.env,
  out: console.log,
  err: console.error,
  isScreen: process.stdout.isTTY,
};

/** @returns the exit status; with `serve` the process goes on */
export async function runCommand(
  args: readonly string[],
  find?: FindVendor,
  terminal: Terminal = TERMINAL,
): Promise<number> {
  const [command = 'serve', ...rest] = args;
  try {
    if ([command, ...rest].some((one) => one === '--help' || one === '-h')) {
      terminal.out(USAGE);
      return 0;
    }
    if (command === 'provision') return await runProvision(rest, find, terminal);
    if (command !== 'serve' && command !== 'reconcile') {
      throw new InputError(`Unknown command ${command}.\n\n${USAGE}`);
    }
    const isSettled = command === 'reconcile' && rest.join(' ') === '--settled';
    if (rest.length > 0 && !isSettled) {
      throw new InputError(`${command} does not take ${rest.join(' ')}.\n\n${USAGE}`);
    }
    return await (command === 'serve' ? serve(find, terminal) : runReconcile(find, terminal, isSettled));
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error));
    if (error instanceof InputError) return EXIT.bad;
    if (error instanceof VendorError) return EXIT.unreachable;
    return error instanceof ConfigError ? EXIT_CONFIGURATION : 1;
  }
}
