/** Opens the money rules on a store; whoever opens them closes them. */
import { within } from '../vendor/timeout.ts';
import { AssignmentRecord } from './assignment-record.ts';
import { OtherVendorError, type Database } from './database.ts';
import { Ledger } from './ledger.ts';
import { openDatabase } from './open-database.ts';
import type { MoneyApi } from './payment.ts';
import type { TopUpPolicy } from './rules.ts';
import { TIMING } from './timing.ts';
import { TopUp, type TopUpOptions } from './top-up.ts';

/** Money that is on its way is waited for, but not for ever: the ledger says what became of it. */
const REST_MS = 6000;

export interface MoneyConfiguration {
  readonly databaseUrl: string;
  readonly topUp: TopUpPolicy;
  /** Absent: the sandbox, which goes by a name of its own, as its port is another one at every start. */
  readonly vendor: { readonly baseUrl: string } | undefined;
}

export interface Money {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly topUp: TopUp;
  readonly record: AssignmentRecord;
  close(): Promise<void>;
}

export function openMoney(
  configuration: MoneyConfiguration,
  vendor: MoneyApi,
  options?: TopUpOptions,
): Money {
  const database = open(configuration);
  const ledger = new Ledger(database, TIMING.leaseMs);
  const topUp = new TopUp(vendor, ledger, configuration.topUp, options);
  return {
    database,
    ledger,
    topUp,
    record: new AssignmentRecord(database),
    close: async () => {
      await within(REST_MS, topUp.rest()).catch(() => undefined);
      await database.close();
    },
  };
}

/** @throws {OtherVendorError} when the database belongs to another vendor; one that is merely away may come back */
export async function checkDatabase(configuration: MoneyConfiguration): Promise<void> {
  const database = open(configuration);
  try {
    await database.read('select 1 as one');
  } catch (error) {
    if (error instanceof OtherVendorError) throw error;
  } finally {
    await database.close();
  }
}

function open({ databaseUrl, vendor }: MoneyConfiguration): Database {
  return openDatabase(databaseUrl, vendor ? new URL(vendor.baseUrl).href : 'the sandbox');
}
