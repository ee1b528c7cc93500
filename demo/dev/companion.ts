/** `npm run broker`, `provision` and `reconcile`: the companion's command line, with the sandbox where no vendor is configured. */
import { runCommand } from '../server/commands.ts';
import { publishSandbox, findVendor } from './find-vendor.ts';

const [command, ...args] = process.argv.slice(2);

process.exitCode = await runCommand([command ?? 'serve', ...args], async (configuration) => {
  const vendor = await findVendor(configuration);
  if (command !== 'serve') return vendor;
  // Whatever is started later on the same files finds the sandbox of this companion.
  const withdraw = await publishSandbox(configuration.databaseFile, vendor);
  return {
    ...vendor,
    close: async () => {
      await withdraw();
      await vendor.close();
    },
  };
});
