/**
 * A small database in the browser, for what is to outlive a reload. Private windows, blocked storage and full disks are
 * normal cases: then nothing is kept, nobody is told, and nobody waits.
 */

const NAME = 'partner-dialer';
const VERSION = 1;
/** A database that has not answered by then is not waited for. */
const TIMEOUT_MS = 3000;

export type StoreName = 'calls' | 'choices';

/**
 * Does something in one transaction. The database is opened for it and closed after it, so that it never keeps the page
 * from being frozen or the database from being deleted.
 *
 * @param work is called once, with the store; what its request gives is what comes of it
 * @returns `undefined` when it did not come to that
 */
export async function inDatabase<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), TIMEOUT_MS);
  try {
    return await transact(name, mode, work, giveUp.signal);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function transact<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
  signal: AbortSignal,
): Promise<T> {
  const database = await open(signal);
  try {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', reject);
      signal.addEventListener('abort', reject);
    });
    return request.result;
  } finally {
    database.close();
  }
}

/** Where the browser forbids a database, asking for one throws. */
function open(signal: AbortSignal): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.addEventListener('upgradeneeded', () => {
      for (const name of ['calls', 'choices'] satisfies StoreName[]) request.result.createObjectStore(name);
    });
    request.addEventListener('error', reject);
    request.addEventListener('success', () => {
      if (signal.aborted) request.result.close();
      else resolve(request.result);
    });
    signal.addEventListener('abort', reject);
  });
}
