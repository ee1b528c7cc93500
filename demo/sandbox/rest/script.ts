/** The stand-in for the vendor's SDK script: bundled when first asked for, and kept. */
import { fileURLToPath } from 'node:url';

let building: Promise<string> | undefined;

/** One script that defines `<vbot-widget>` as soon as it runs, like the vendor's own. */
export function buildScript(): Promise<string> {
  building ??= bundle().catch((error: unknown) => {
    // The next request tries again: somebody may be editing it.
    building = undefined;
    throw error;
  });
  return building;
}

async function bundle(): Promise<string> {
  // Here, and not above: who only provisions does without a bundler.
  const { build } = await import('vite');
  const entry = fileURLToPath(new URL('../sdk/widget.ts', import.meta.url));
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    // A library build leaves this to whoever bundles it next, and nobody does.
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
