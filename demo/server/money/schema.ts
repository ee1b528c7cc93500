/** Brings the tables up to date, and sees to it that they belong to one vendor. */
import { OtherVendorError, type Sql } from './database.ts';
import { MIGRATIONS, type Dialect } from './migrations.ts';

/** Runs in a transaction that nobody else can be in; @throws {OtherVendorError} */
export async function prepare(sql: Sql, dialect: Dialect, vendor: string | undefined): Promise<void> {
  await migrate(sql, dialect);
  if (vendor === undefined) return;
  await sql('insert into vendor (one, name) values (1, ?) on conflict do nothing', [vendor]);
  await belongsTo(sql, vendor);
}

/** Whether there is nothing left to write for `prepare`; @throws {OtherVendorError} */
export async function isPrepared(read: Sql, vendor: string | undefined): Promise<boolean> {
  const [newest] = await read('select max(version) as version from migration').catch(() => []);
  if (Number(newest?.['version']) !== MIGRATIONS.length) return false;
  return vendor === undefined || (await belongsTo(read, vendor));
}

/** False: to nobody yet. */
async function belongsTo(sql: Sql, vendor: string): Promise<boolean> {
  const [row] = await sql('select name from vendor');
  if (!row) return false;
  if (row['name'] === vendor) return true;
  throw new OtherVendorError(`The database belongs to ${String(row['name'])}, not to ${vendor}.`);
}

async function migrate(sql: Sql, dialect: Dialect): Promise<void> {
  await sql('create table if not exists migration (version integer primary key)');
  const [newest] = await sql('select coalesce(max(version), 0) as version from migration');
  for (const [index, steps] of MIGRATIONS.entries()) {
    if (index < Number(newest?.['version'])) continue;
    const statements = steps.flatMap((step) => (typeof step === 'string' ? step : step(dialect)));
    for (const statement of statements) await sql(statement);
    await sql('insert into migration (version) values (?)', [index + 1]);
  }
}
