/** A database stays with one vendor: play money and real money must never meet. */
import { ConfigurationError, type Configuration } from '../environment.ts';
import { OtherVendorError } from '../money/database.ts';
import { checkDatabase } from '../money/open-money.ts';

/** @throws {ConfigurationError} when the database belongs to another vendor */
export async function refuseOtherVendor(configuration: Configuration): Promise<void> {
  try {
    await checkDatabase(configuration);
  } catch (error) {
    if (!(error instanceof OtherVendorError)) throw error;
    throw new ConfigurationError(`${error.message} Set another DATABASE_URL.`, { cause: error });
  }
}
