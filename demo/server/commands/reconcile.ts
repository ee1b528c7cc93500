/** `reconcile`: holds what the ledger settled against what has left the partner account. Exit: 0 it agrees; 1 it does not. */
import { readEnvironment } from '../environment.ts';
import { openMoney } from '../money/open-money.ts';
import { describe, reconcile } from '../money/reconciliation.ts';
import { VendorError } from '../vendor/response.ts';
import { OpenApi } from '../vendor.ts';
import { findOrRequire, type FindVendor } from './find-vendor.ts';
import { refuseOtherVendor } from './refuse-other-vendor.ts';

const EXIT_DIFFERENT = 1;
const EXIT_VENDOR = 4;

/** @param find where to find a vendor when none is configured */
export async function runReconcile(find?: FindVendor): Promise<number> {
  const configuration = readEnvironment(process.env);
  const vendor = await findOrRequire(configuration, find, refuseOtherVendor);
  const api = new OpenApi(vendor);
  const money = openMoney(configuration, api);
  try {
    const mismatches = await money.ledger.mismatches();
    for (const mismatch of mismatches) console.error(mismatch);
    const found = await reconcile(money.database, api);
    console.log(
      found
        ? describe(found)
        : 'The balance of the partner account is noted; there is none to compare it with yet.',
    );
    return mismatches.length === 0 && (found?.unexplained ?? 0) === 0 ? 0 : EXIT_DIFFERENT;
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    console.error(error.message);
    return EXIT_VENDOR;
  } finally {
    await money.close();
    await api.close();
    await vendor.close();
  }
}
