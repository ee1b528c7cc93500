/** What the commands share: what `--help` prints, where they read and write, how they end, and the vendor that they ask. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { ConfigError, type Config } from '../config.ts';
import { errorCode, openDatabase, WrongDatabaseError } from '../store/database.ts';
import type { Vendor } from '../vbot/client.ts';

export const USAGE = `Usage: partner-dialer-companion [serve]
       partner-dialer-companion provision MEMBER_NO [--hotline CODE] [--top-up VND] [--beyond-limits] [--trace] [--json]
       partner-dialer-companion provision --file members.csv [--hotline CODE] [--json]
       partner-dialer-companion reconcile [--settled]

serve runs the HTTP server for the dialer, on HOST and PORT.

provision prepares one member for calls, and prints each step.
  MEMBER_NO        the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE   the hotline to assign, also to a member who has another one (HOTLINE_CODE is for members without one)
  --top-up VND     how much to add if the balance is 0 VND or less, instead of TOP_UP_AMOUNT
  --beyond-limits  allows a --top-up above the limits; the payment is recorded but does not count against them
  --trace          prints the status, keys and value types of each vendor response
  --json           prints one JSON object instead of lines
  --file FILE      prepares all members in FILE (a line MEMBER_NO, then one MEMBER_NO[,HOTLINE_CODE] per line) within the
                   limits, and prints one result line for each; if interrupted, run it again with the same file
  Each payment is also written to standard error as a line of JSON.
  Exit: 0 the member (with --file: every member) can call; 2 bad input; 3 prepared, but cannot call; 4 the vendor refused or is unreachable.

reconcile compares settled top-ups with the money that left the partner account.
  --settled        compares nothing; marks the missing money as explained, so that the page and the alert no longer show it
  Exit: 0 the amounts match, or there is no earlier balance; 1 money is missing, or the ledger's tables do not match; 3 money
  was added to the account, so no conclusion is possible; 4 the vendor or the database is unreachable.

All commands: 78 the environment variables are not valid.`;

export interface FoundVendor extends Vendor {
  close(): Promise<void>;
}

/** Finds a vendor, e.g. a sandbox, where none is configured. The copied folder has no such function. */
export type FindVendor = (config: Config) => Promise<FoundVendor>;

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** True if a person reads the output, not a program. */
  readonly isScreen?: boolean;
}

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
