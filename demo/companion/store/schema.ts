/** What both stores share: the type of a query, the check of the owner, and the migration of the tables. */
import { FIRST_VERSION, MIGRATIONS, type Dialect } from './migrations.ts';

export type Value = string | number | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

/** Each `?` takes the next value. Gives the rows of `select` and `returning`; bigint and numeric come as numbers. */
export type Sql = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** The `code` of an error of a database, the system or a library; else empty. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The database belongs to another account, whose money must never mix with this one's, or has tables that this companion does not know. */
export class WrongDatabaseError extends Error {
  override readonly name = 'WrongDatabaseError';
}

/** The file that was opened has been deleted or replaced: what is written now is lost. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError';
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
}

/** Whose members and money a database keeps. */
export interface Account {
  /** The vendor's address, or the sandbox. */
  readonly vendor: string;
  /** Fingerprint of the key, which names the project at the vendor. */
  readonly key: string;
  /** Those before these, while the address or the key of the same account is being changed. */
  readonly previousVendor?: string | undefined;
  readonly previousKey?: string | undefined;
}

/** A database with tables must have these, or it does not belong to the companion. */
const OURS = ['schema_version', 'account', 'top_up', 'top_up_history', 'budget'];
/** A message names at most so many tables. */
const NAMED = 5;

/**
 * Takes the steps that the database lacks, and notes the owner, in an exclusive transaction.
 *
 * @throws {WrongDatabaseError}
 */
export async function prepare(sql: Sql, dialect: Dialect, account: Account | undefined): Promise<void> {
  const steps = await readSteps(sql, dialect);
  for (const migration of MIGRATIONS.slice(steps)) {
    for (const statement of migration(dialect)) await sql(statement);
  }
  await sql('delete from schema_version');
  await sql('insert into schema_version (version) values (?)', [newestVersion()]);
  if (account === undefined) return;
  await sql('insert into account (one, vendor, key) values (1, ?, ?) on conflict do nothing', [
    account.vendor,
    account.key,
  ]);
  if (await belongsTo(sql, account)) return;
  await sql('update account set vendor = ?, key = ?', [account.vendor, account.key]);
}

/** Whether `prepare` has nothing left to do. @throws {WrongDatabaseError} */
export async function isPrepared(
  read: Sql,
  dialect: Dialect,
  account: Account | undefined,
): Promise<boolean> {
  if ((await readSteps(read, dialect)) < MIGRATIONS.length) return false;
  return account === undefined || (await belongsTo(read, account));
}

/** A member is written in small letters by the companion and by the database: in Turkish, the two differ for I. */
const [CAPITALS, SMALL] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'];

/** How many steps the database has taken; 0: it is empty. @throws {WrongDatabaseError} */
async function readSteps(sql: Sql, dialect: Dialect): Promise<number> {
  const [letters] = await sql('select lower(cast(? as text)) as small', [CAPITALS]);
  if (letters?.['small'] !== SMALL) {
    throw new WrongDatabaseError(
      `The locale of the database writes ${CAPITALS} in small letters as ${String(letters?.['small'])}, so a member's ` +
        `limit would not be found: create the database with another locale, e.g. "C".`,
    );
  }
  const names = (await sql(dialect.tables)).map(({ name }) => String(name));
  if (names.length === 0) return 0;
  const missing = OURS.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    throw new WrongDatabaseError(
      `The database does not belong to the companion: it has ${names.slice(0, NAMED).join(', ')}${more}, but no ${missing.join(', ')}. ` +
        "It must be empty at the first start. If this was the companion's, restore the backup: with an empty one, members could be paid twice today.",
    );
  }
  const [row] = await sql('select max(version) as version from schema_version');
  const steps = Number(row?.['version']) - FIRST_VERSION + 1;
  if (MIGRATIONS[steps - 1]) return steps;
  const known = [...new Set([FIRST_VERSION, newestVersion()])].join(' to ');
  throw new WrongDatabaseError(
    `The database has tables of version ${String(row?.['version'])}; this companion knows ${known}. ` +
      'Start the version that created them. With an empty database, members could be paid twice today.',
  );
}

function newestVersion(): number {
  return FIRST_VERSION + MIGRATIONS.length - 1;
}

/** False: no owner yet, or this account at its previous address or with its previous key. @throws {WrongDatabaseError} */
async function belongsTo(sql: Sql, account: Account): Promise<boolean> {
  const { vendor, key, previousVendor, previousKey } = account;
  const [row] = await sql('select vendor, key from account');
  if (!row) return false;
  if (row['vendor'] !== vendor && row['vendor'] !== previousVendor) {
    throw new WrongDatabaseError(
      `The database belongs to ${String(row['vendor'])}, but VENDOR_BASE_URL is ${vendor}. If the same account has moved to a new ` +
        'address, set VENDOR_BASE_URL_PREVIOUS to the old one. Two accounts never share a database.',
    );
  }
  if (row['key'] !== key && row['key'] !== previousKey) {
    throw new WrongDatabaseError(
      'The database was created with another API key. If the same account has a new key, set VENDOR_API_KEY_PREVIOUS to the old ' +
        'one. Two accounts never share a database.',
    );
  }
  return row['vendor'] === vendor && row['key'] === key;
}
