/** A lock between the processes of one host, made of a file that names its holder. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const GIVE_UP_MS = 5000;
const RETRY_MS = 10;
/** A lock without a name in it was left by a process that died while making it. */
const NAMELESS_MS = 10_000;

/** The end of the line for each lock in this process, so that only one of us at a time asks the file system. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs the work while nobody else on this host holds the same lock. A lock left behind by a dead process is broken.
 *
 * @throws {Error} when a living process keeps it for five seconds.
 */
export function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (lines.get(path) ?? Promise.resolve()).then(() => locked(path, work));
  lines.set(
    path,
    turn.catch(() => undefined),
  );
  return turn;
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<void> {
  const giveUp = Date.now() + GIVE_UP_MS;
  while (!(await create(path))) {
    if (await isStale(path)) await breakLock(path);
    if (Date.now() > giveUp) throw new Error(`Another process keeps ${path}.`);
    await delay(RETRY_MS * (1 + Math.random()));
  }
}

/** Atomic: the file system lets only one process create it. */
async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const holder = await readFile(path, 'utf8');
    if (holder === '') return Date.now() - (await stat(path)).mtimeMs > NAMELESS_MS;
    // In a container every start may get the same process id; as it is our turn, our namesake is dead.
    return Number(holder) === process.pid || !isAlive(Number(holder));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Under a lock of its own: of two that saw the same dead holder, the later would remove the earlier one's new lock. */
async function breakLock(path: string): Promise<void> {
  const breaking = `${path}.break`;
  if (!(await create(breaking))) return;
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rm(breaking, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
