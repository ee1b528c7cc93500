/** The page's own words replace those of the package. A key or a type that is wrong is named once in the console, and falls back. */
import { warnOnce } from '../page/console.ts';
import type { Words } from './en.ts';

type Text = (...values: unknown[]) => unknown;

/** The words in part or as a whole, for the property `words`. */
export type DialerWords = OwnWords<Omit<Words, 'language'>>;
type OwnWords<T> = {
  readonly [K in keyof T]?:
    | (T[K] extends string | ((...values: never[]) => string) ? T[K] : OwnWords<T[K]>)
    | null
    | undefined;
};

/** @param own as frameworks set it: of any type */
export function withOwnWords(words: Words, own: unknown): Words {
  const { language, ...others } = words;
  return { ...(merge(others, () => own, 'words') as typeof others), language };
}

/**
 * @param read gets the page's word; a getter of the page may throw
 * @param name what the warning names, such as `words.status.ready`
 */
function merge(ours: unknown, read: () => unknown, name: string): unknown {
  try {
    const own = read();
    if (own === undefined || own === null) return ours;
    if (typeof own !== typeof ours || Array.isArray(own) !== Array.isArray(ours)) return leftOut(name, ours);
    if (typeof ours === 'function') return safe(ours as Text, own as Text, name);
    if (typeof ours === 'object') return mergeAll(ours as Group, own as Group, name);
    return isBlank(own) ? leftOut(name, ours) : own;
  } catch {
    return leftOut(name, ours);
  }
}

type Group = Record<string, unknown>;

function mergeAll(ours: Group, own: Group, name: string): unknown {
  const merged = { ...ours };
  for (const key of Object.keys(own)) {
    const path = `${name}.${key}`;
    // Of SIP, the page may explain more statuses than we do.
    if (Object.hasOwn(ours, key)) merged[key] = merge(ours[key], () => own[key], path);
    else if (name === 'words.sip') merged[key] = merge('', () => own[key], path) || undefined;
    else warnOnce(path, 'is not a key of DialerWords');
  }
  return Array.isArray(ours) ? Object.values(merged) : merged;
}

/** A mistake in the page's function must not end the drawing. */
function safe(ours: Text, own: Text, name: string): Text {
  return (...values) => {
    try {
      const text = own(...values);
      if (typeof text === 'string' && !isBlank(text)) return text;
    } catch {
      // As for a function that returns no text.
    }
    return leftOut(name, ours(...values));
  };
}

/** A button would have no name. */
function isBlank(text: unknown): boolean {
  return String(text).trim() === '';
}

function leftOut<T>(name: string, ours: T): T {
  warnOnce(name, 'has the wrong type or is empty');
  return ours;
}
