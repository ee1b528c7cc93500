/** Runs a command by its name; each loads only what it uses. */
import { ConfigurationError, EXIT_CONFIGURATION } from '../environment.ts';
import type { FindVendor } from './find-vendor.ts';

const EXIT_BAD_INPUT = 2;

/**
 * @param find where to find a vendor when none is configured
 * @returns the exit status; with `serve` the process goes on
 */
export async function runCommand(
  [command = 'serve', ...args]: readonly string[],
  find?: FindVendor,
): Promise<number> {
  try {
    switch (command) {
      case 'serve':
        return await (await import('./serve.ts')).runServe(find);
      case 'provision':
        return await (await import('./provision.ts')).runProvision(args, find);
      case 'reconcile':
        return await (await import('./reconcile.ts')).runReconcile(find);
      default:
        console.error(`There is no command ${command}; there are serve, provision and reconcile.`);
        return EXIT_BAD_INPUT;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return error instanceof ConfigurationError ? EXIT_CONFIGURATION : 1;
  }
}
