/** `reconcile`: compares the ledger with the partner account now, or with `--settled` records that missing money is explained. */
import { readConfig } from '../config.ts';
import { Ledger } from '../money/ledger.ts';
import { describe, reconcile } from '../money/reconcile.ts';
import { settleMissing } from '../money/standing.ts';
import { openDatabase } from '../store/database.ts';
import { OpenApi } from '../vbot/api.ts';
import { EXIT, findVendor, type FindVendor, type Terminal } from './terminal.ts';

export async function runReconcile(
  find: FindVendor | undefined,
  { env, out, err }: Terminal,
  isSettled: boolean,
): Promise<number> {
  const config = readConfig(env, 'reconcile', find !== undefined, err);
  const vendor = await findVendor(config, find);
  const api = new OpenApi(vendor, { format: config.vendorFormat });
  const database = openDatabase(config.databaseUrl, config.account);
  try {
    if (isSettled) {
      out(`${await settleMissing(database)} missing VND are marked as explained.`);
      return 0;
    }
    const ledger = new Ledger(database);
    const mismatches = await ledger.mismatches();
    for (const mismatch of mismatches) err(mismatch);
    const found = await reconcile(database, api);
    out(
      found
        ? describe(found)
        : 'The balance of the partner account was recorded. There is no earlier balance to compare it with.',
    );
    const { missing } = await ledger.standing();
    if (missing > 0)
      out(`In all, ${missing} VND are missing. Once they are explained, run reconcile --settled.`);
    if (mismatches.length > 0 || found?.result === 'missing') return EXIT.missing;
    return found?.result === 'filled' ? EXIT.filled : 0;
  } catch (error) {
    const { message, cause } = error as Error;
    err(`Nothing was compared: ${message}${cause instanceof Error ? ` ${cause.message}` : ''}`);
    return EXIT.unreachable;
  } finally {
    await database.close();
    await api.close();
    await vendor.close();
  }
}
