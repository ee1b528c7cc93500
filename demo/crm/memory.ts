/** What the page remembers between visits; a browser that forbids storage just forgets. */

type Key = 'agent' | 'language' | 'theme';

const PREFIX = 'sunrise-travel:';

export function recall(key: Key): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: Key, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Then the next visit starts with the defaults.
  }
}
