/** Turns the clock that companions take from their store. */
import { openDatabase } from '../../demo/server/store/database.ts';

/** From now on it stands still, at this moment: an ISO date. */
export async function stopClock(databaseUrl: string, at: string): Promise<void> {
  const database = openDatabase(databaseUrl);
  await database.transact(async (sql) => {
    await sql('drop view clock');
    await sql(`create view clock as select ${Date.parse(at)} as now`);
  });
  await database.close();
}
