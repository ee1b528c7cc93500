/** Which hotlines we have assigned to whom: the vendor's member response need not say. */
import type { Database } from './database.ts';

export class AssignmentRecord {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async numbersOf(memberNo: string): Promise<readonly string[]> {
    const rows = await this.#database.read('select number from assignment where member = ?', [memberNo]);
    return rows.map(({ number }) => String(number));
  }

  async add(memberNo: string, number: string): Promise<void> {
    await this.#database.transact((sql) =>
      sql('insert into assignment (member, number) values (?, ?) on conflict do nothing', [memberNo, number]),
    );
  }
}
