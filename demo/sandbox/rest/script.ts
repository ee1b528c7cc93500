/** The stand-in for the vendor's SDK script: bundled when first asked for, and kept. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let building: Promise<string> | undefined;

/** One script that defines `<vbot-widget>` as soon as it runs, like the vendor's own. */
export function buildScript(): Promise<string> {
  building ??= readBuilt()
    .catch(bundle)
    .catch((error: unknown) => {
      // The next request builds again: the source may be changing just now.
      building = undefined;
      throw error;
    });
  return building;
}

/** In the published package it lies beside the program. */
function readBuilt(): Promise<string> {
  return readFile(new URL('./vbot-sdk.js', import.meta.url), 'utf8');
}

async function bundle(): Promise<string> {
  // Imported here, so that commands which only provision do not load a bundler.
  const { build } = await import('vite');
  const entry = fileURLToPath(new URL('../sdk/widget.ts', import.meta.url));
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    // A library build leaves this name to the next bundler, and there is none.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'VBotWidget', fileName: 'vbot-sdk' } },
  });
  const chunks = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  const code = chunks.find((chunk) => chunk.type === 'chunk')?.code;
  if (code === undefined) throw new Error('The stand-in script could not be built.');
  return code;
}
