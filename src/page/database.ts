/**
 * IndexedDB, for data that outlives a reload. Private windows, blocked storage and full disks are normal: then nothing is
 * stored, and no error is reported.
 */

const NAME = 'partner-dialer';
const VERSION = 1;
/** A database that does not answer within this time counts as missing. */
const TIMEOUT_MS = 3000;

type StoreName = 'calls' | 'choices';

/**
 * Runs one transaction. It opens the database and closes it afterwards, because an open database keeps the page out of the
 * back/forward cache, and nobody could delete it.
 *
 * @param work called once with the store
 * @returns the result of the request that `work` returns; `undefined` when the transaction failed
 */
export async function inDatabase<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    return await transact(name, mode, work, AbortSignal.timeout(TIMEOUT_MS));
  } catch {
    return undefined;
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

/** @throws where the browser forbids a database */
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
