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

/** The settings of the companion: these variables, and the files that hold some of them. */
export function withFiles(variables: readonly string[]): string[] {
  return variables.flatMap((name) => (IN_FILES.includes(name) ? [`${name}_FILE`, name] : [name]));
}

/**
 * Sentences about names that are nearly a setting. A misspelt `TOP_UP…`, such as `TOPUP_MODE=off`, is a mistake: ignoring it pays
 * members. Another one is a warning. All other names belong to other programs: Kubernetes alone sets `AUTH_PORT` for a service `auth`.
 */
export function findMisspelt(env: Environment, settings: readonly string[]) {
  const found: Record<'mistakes' | 'warnings', string[]> = { mistakes: [], warnings: [] };
  for (const name of Object.keys(env).filter((one) => env[one] && !settings.includes(one))) {
    const setting = findNearest(name, settings);
    if (setting === undefined) continue;
    const sentences = setting.startsWith('TOP_UP') ? found.mistakes : found.warnings;
    sentences.push(`${name} is not a setting: did you mean ${setting}?`);
  }
  return found;
}

function findNearest(name: string, settings: readonly string[]): string | undefined {
  const isNear = (setting: string, edits: number) =>
    // In a short name, one wrong letter makes another word: `POST` is not `PORT`.
    edits <= (setting.length - 1) / 5 &&
    [setting, `${setting}_FILE`].some((one) => isWithin(edits, squash(name), squash(one)));
  // `TOP_UP_LIMIT` sets no limit.
  const isPart = (setting: string) =>
    /^TOP_UP(?:_|$)/.test(name) && name.split('_').every((word) => setting.split('_').includes(word));
  return (
    [0, 1, 2].flatMap((edits) => settings.filter((one) => isNear(one, edits)))[0] ?? settings.find(isPart)
  );
}

function squash(name: string): string {
  return name.toUpperCase().replaceAll('_', '');
}

/** True if at most so many letters, changed, added or removed, make one name the other. */
function isWithin(edits: number, from: string, to: string): boolean {
  if (from === to || edits === 0) return from === to;
  const at = [...from].findIndex((letter, index) => letter !== to[index]);
  const [a, b] = at < 0 ? ['', to.slice(from.length)] : [from.slice(at), to.slice(at)];
  const [shorter, other] = [a.slice(1), b.slice(1)];
  return (
    isWithin(edits - 1, shorter, other) || isWithin(edits - 1, a, other) || isWithin(edits - 1, shorter, b)
  );
}
