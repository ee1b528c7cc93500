/** The environment as it was given: without blanks around its values, with secrets read from files, and misspelt names. */
import { existsSync, readFileSync } from 'node:fs';
import { codeOf } from './store/schema.ts';

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
/** Names of other programs that are nearly ours. */
const OTHERS = ['PROXY_HOST'];
/** Letters missing, extra, different or swapped. */
const MOST_EDITS = 2;

/**
 * The values, without line ends and blanks around them, as an `.env` from Windows and mounted secrets have; empty ones are
 * left out, as in shells and container files they mean "not set". Mistakes name variables and no value.
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
    if (given[name] !== undefined) mistakes.push(`${name} and ${file} exclude each other`);
    try {
      given[name] = readFileSync(path, 'utf8').trim();
      if (given[name] === '') mistakes.push(`${file} names an empty file`);
    } catch (error) {
      mistakes.push(`${file} cannot be read: ${codeOf(error)}`);
    }
  }
  const untrimmed = env['DATABASE_URL'] ?? '';
  if (untrimmed !== untrimmed.trim() && existsSync(untrimmed.replace(/^file:/, ''))) {
    mistakes.push(
      'DATABASE_URL ends with a blank or a line end, and so does the name of the file that was used until now: ' +
        'rename it, as a new one would pay again',
    );
  }
  return { given, mistakes };
}

/** What is wrong with a name, if it looks as if one of the known ones was meant. */
export function misspelt(name: string, known: readonly string[]): string[] {
  const names = [...known, ...IN_FILES.map((one) => `${one}_FILE`)];
  if (names.includes(name) || OTHERS.includes(name) || name.length < 8 || !name.includes('_')) return [];
  const meant = names.find((one) => editsBetween(lettersOf(name), lettersOf(one)) <= MOST_EDITS);
  if (meant !== undefined) return [`${name} is misspelt: ${meant} is meant`];
  const isOurs =
    /^TOP_?UP_|^RATE_LIMIT_(?:PER|WEB)|^WEBHOOK_AUTH|^CALL_ME_/.test(name) ||
    (name.endsWith('_FILE') && known.includes(name.slice(0, -'_FILE'.length)));
  return isOurs ? [`${name} is no variable of the companion`] : [];
}

function lettersOf(name: string): string {
  return name.toUpperCase().replaceAll('_', '');
}

/** The least number of edits, where two letters that are swapped count as one (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const edits = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = edits(i - 1, j - 1) + Number(!isSame);
      const swapped = isSwapped ? edits(i - 2, j - 2) + 1 : Infinity;
      rows[i]?.push(Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, changed, swapped));
    }
  }
  return edits(a.length, b.length);
}
