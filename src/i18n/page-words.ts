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
  return { ...(merge(others, own, '') as typeof others), language };
}

function merge(ours: unknown, own: unknown, path: string): unknown {
  if (own === undefined || own === null) return ours;
  if (typeof own !== typeof ours || Array.isArray(own) !== Array.isArray(ours)) return leftOut(path, ours);
  if (typeof ours === 'function') return safe(ours as Text, own as Text, path);
  if (typeof ours !== 'object') return own;
  const merged = { ...(ours as Record<string, unknown>) };
  for (const [key, word] of Object.entries(own)) {
    const name = path === '' ? key : `${path}.${key}`;
    // Of SIP, the page may explain more statuses than we do.
    if (path === 'sip' || Object.hasOwn(merged, key)) merged[key] = merge(merged[key] ?? '', word, name);
    else warnOnce('words', name, 'is not a key of DialerWords');
  }
  return Array.isArray(ours) ? Object.values(merged) : merged;
}

/** A mistake in the page's function must not end the drawing. */
function safe(ours: Text, own: Text, path: string): Text {
  return (...values) => {
    try {
      const text = own(...values);
      if (typeof text === 'string') return text;
    } catch {
      // As for a function that returns no text.
    }
    return leftOut(path, ours(...values));
  };
}

function leftOut<T>(path: string, ours: T): T {
  warnOnce('words', path, 'has the wrong type');
  return ours;
}
