/** What the commands share: where they read and write, how they end, and the vendor that they ask. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { ConfigError, type Config } from '../config.ts';
import { errorCode, openDatabase, WrongDatabaseError } from '../store/database.ts';
import type { Vendor } from '../vbot/client.ts';

export interface FoundVendor extends Vendor {
  close(): Promise<void>;
}

/** Finds a vendor, e.g. a sandbox, where none is configured. The copied folder has no such function. */
export type FindVendor = (config: Config) => Promise<FoundVendor>;

/** Where a command reads its settings and writes what it found. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** True if a person reads the output, not a program. */
  readonly isScreen?: boolean;
}

/** Invalid arguments. */
export class InputError extends Error {}

export const EXIT = { bad: 2, cannotCall: 3, missing: 1, filled: 3, unreachable: 4 };

/** The configured vendor, or a stand-in. @throws {ConfigError} without either, or if the database cannot be used */
export async function findVendor(
  config: Config,
  find: FindVendor | undefined,
  needsDatabase = true,
): Promise<FoundVendor> {
  if (needsDatabase) await refuseWrongDatabase(config);
  if (config.vendor) return { ...config.vendor, close: async () => undefined };
  return (find as FindVendor)(config);
}

const checkInTime = timeout(5000, TimeoutStrategy.Aggressive);

/** PostgreSQL's wrong password or role, missing database, schema or rights; tables that cannot be made; what the file system refuses; a certificate. */
const NEVER_WORKS =
  /^(?:28|3[DF]|42|E(?:ACCES|EXIST|ISDIR|NOTDIR|PERM|ROFS)$|SQLITE_(?:NOTADB|ERROR)$|ERR_TLS_CERT|.*SELF_SIGNED|CERT_|UNABLE_TO_)/;
/** An error of pg without a code: `sslmode=require`, but the server has no TLS. */
const NO_TLS = /server does not support SSL/;

/**
 * A database stays with one account: play money and real money must never meet.
 *
 * @throws {ConfigError} if waiting does not help; a database that does not respond is not reported here
 */
export async function refuseWrongDatabase({ databaseUrl, account }: Config): Promise<void> {
  const database = openDatabase(databaseUrl, account);
  try {
    await checkInTime.execute(() => database.read('select 1 as one'));
  } catch (error) {
    if (!(error instanceof Error)) return;
    if (error instanceof WrongDatabaseError) throw new ConfigError(error.message, { cause: error });
    if (NEVER_WORKS.test(errorCode(error)) || NO_TLS.test(error.message)) {
      throw new ConfigError(`The database of DATABASE_URL cannot be used: ${error.message}`, {
        cause: error,
      });
    }
  } finally {
    await database.close();
  }
}
