/** A secret that outlives a restart of the sandbox, where nobody sets one. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SECRET = /^[\w-]{43}$/;

/** Signs the sessions of a sandbox; kept beside its state, for this user only. */
export function keptSessionSecret(databaseFile: string): string {
  const path = join(dirname(databaseFile), 'sandbox-session-secret');
  const kept = read(path);
  if (kept !== undefined && SECRET.test(kept)) return kept;
  const secret = randomBytes(32).toString('base64url');
  mkdirSync(dirname(path), { recursive: true });
  // Made anew, as the mode counts only for files that are not there.
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, secret, { mode: 0o600 });
  renameSync(fresh, path);
  return secret;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
