/** What the page keeps between visits; where storage is forbidden it keeps nothing. */

type Key = 'agent' | 'language' | 'theme';

const PREFIX = 'sunrise-travel:';

export function readStored(key: Key): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(key: Key, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Then the next visit starts with the defaults.
  }
}
