/** Reads the environment: trims the values, and reads secrets from files. */
import { readFileSync } from 'node:fs';
import { errorCode } from './store/schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each may also come as `NAME_FILE`, the path of a file that holds it. */
const IN_FILES = [
  'VENDOR_API_KEY',
  'VENDOR_API_KEY_PREVIOUS',
  'DATABASE_URL',
  'AUTH_JWT_SECRET',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'WEBHOOK_AUTH',
  'WEBHOOK_AUTH_PREVIOUS',
  'OPERATOR_PASSWORD',
];
/** Only the companion uses these prefixes. `TOP_?UP` also finds the misspelling TOPUP_MODE=off, which must not be ignored. */
const OWN_PREFIX = /^(?:VENDOR|TOP_?UP|AUTH|SESSION|OPERATOR|WEBHOOK|CALL_ME|RATE_LIMIT)_/;
/** Linux desktops set it. */
const FOREIGN = 'SESSION_MANAGER';

/**
 * Trims the values: an `.env` from Windows and mounted secrets end with a line end. Leaves out empty ones, which mean "not set"
 * in shells and container files. Mistakes name variables, never values.
 */
export function readEnvironment(env: Environment): { given: Record<string, string>; mistakes: string[] } {
  const given: Record<string, string> = {};
  const mistakes: string[] = [];
  for (const [name, value = ''] of Object.entries(env)) {
    if (value.trim() !== '') given[name] = value.trim();
  }
  for (const name of IN_FILES) {
    const file = `${name}_FILE`;
    const path = given[file];
    if (path === undefined) continue;
    if (given[name] !== undefined) mistakes.push(`${name} and ${file} cannot both be set`);
    try {
      given[name] = readFileSync(path, 'utf8').trim();
      if (given[name] === '') mistakes.push(`${file} names an empty file`);
    } catch (error) {
      mistakes.push(`${file} cannot be read: ${errorCode(error)}`);
    }
  }
  return { given, mistakes };
}

/** True if the name has a prefix of the companion's but is not one of its variables. */
export function isUnknown(name: string, known: readonly string[]): boolean {
  const isKnown = known.includes(name) || IN_FILES.some((one) => name === `${one}_FILE`);
  return OWN_PREFIX.test(name) && !isKnown && name !== FOREIGN;
}
