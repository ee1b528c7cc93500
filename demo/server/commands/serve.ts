/** Serves the companion on PORT, for this machine only: put your own reverse proxy in front. */
import { createCompanion } from './companion.ts';
import { readEnvironment } from '../environment.ts';
import { listen } from '../http/server.ts';
import { findOrRequire, type FindVendor } from './find-vendor.ts';
import { refuseOtherVendor } from './refuse-other-vendor.ts';

/** Whatever hangs by then is left to the companions that sweep. */
const STOP_MS = 9000;

/**
 * Resolves when it serves; SIGTERM ends it.
 *
 * @param find where to find a vendor when none is configured
 */
export async function runServe(find?: FindVendor): Promise<number> {
  // A service tells what it does; a test, or a companion inside another server, only if it is asked to.
  const configuration = readEnvironment({ LOG_LEVEL: 'info', ...process.env });
  const vendor = await findOrRequire(configuration, find, refuseOtherVendor);
  const companion = createCompanion(configuration, vendor);
  const { port, drain } = await listen((request, env) => companion.fetch(request, env), configuration.port);
  console.log(`Companion: http://127.0.0.1:${port}`);
  console.log(`Vendor:    ${vendor.baseUrl}${configuration.vendor ? '' : ' (sandbox)'}`);

  const stop = async () => {
    setTimeout(() => process.exit(1), STOP_MS).unref();
    companion.retire();
    await drain();
    await companion.close();
    await vendor.close();
    // A database that has stopped would keep its connections, and this process with them.
    process.exit(0);
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  return 0;
}
