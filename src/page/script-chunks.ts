/**
 * How the plain script gets its chunks: scripts beside its own address, with its nonce, their hashes pinned in it. Only the
 * build of that script uses this file (`demo/dev/script-chunks.ts`), and fills in the two names that are declared here.
 */
import { nextTask } from '../wait.ts';
import { trustedScript } from './trusted-script.ts';

type Chunks = Readonly<Record<string, readonly [string, ...string[]]>>;
/** What pins further chunks is among what a chunk exports; one of them, `pins`, does nothing else. */
type Exports = Readonly<Record<string, unknown>> & { readonly chunks?: Chunks };
type Make = (...needed: readonly Exports[]) => Exports;

/** By its name: SHA-256, and the chunks it needs; an empty name is the first file itself. */
declare const CHUNKS: Chunks;
/** What chunks need of the first file. */
declare const FIRST_FILE: Exports;

const FILE = 'partner-dialer.js';

/** Not there for a script of type `module`. */
const own = document.currentScript ?? document.querySelector(`script[src*="${FILE}"]`);
const script = own instanceof HTMLScriptElement ? own : document.createElement('script');
const address = new URL(script.src || FILE, document.baseURI);
// The nonce is readable by scripts of the page only while its tag is.
const { nonce, crossOrigin } = script;
/** A hash can be checked only where the server lets this page read its files; else the first file was not checked either. */
const isChecked = crossOrigin !== null || script.type === 'module' || address.origin === location.origin;

const known: Record<string, readonly [string, ...string[]]> = CHUNKS;
const loads = new Map<string, Promise<Exports>>();

/** One that has failed is forgotten, so that asking again is a new attempt. */
export function loadChunk(name: string): Promise<Exports> {
  const begun = loads.get(name);
  if (begun) return begun;
  const load = makeChunk(name);
  loads.set(name, load);
  load.catch(() => loads.delete(name));
  return load;
}

async function makeChunk(name: string): Promise<Exports> {
  if (!known[name]) await loadChunk('pins');
  const [hash, ...needs] = known[name] ?? [''];
  const parts = needs.map((need) => (need === '' ? FIRST_FILE : loadChunk(need)));
  const [make, ...needed] = await Promise.all([insert(name, hash), ...parts]);
  const exports = make(...needed);
  Object.assign(known, exports.chunks);
  return exports;
}

function insert(name: string, hash: string): Promise<Make> {
  return new Promise((resolve, reject) => {
    const tag: HTMLScriptElement & { make?: Make } = document.createElement('script');
    const file = `partner-dialer.${name}.${hash.slice(0, 8).replaceAll(/\W/g, '_')}.js`;
    tag.src = trustedScript(new URL(file, address).href);
    tag.nonce = nonce;
    if (isChecked) {
      tag.integrity = `sha256-${hash}`;
      tag.crossOrigin = crossOrigin ?? 'anonymous';
    }
    const end = () => {
      tag.remove();
      const { make } = tag;
      // It was parsed in this task, and runs in another one.
      if (make) nextTask(() => resolve(make));
      else reject(new Error(file));
    };
    tag.addEventListener('load', end);
    tag.addEventListener('error', end);
    document.head.append(tag);
  });
}
