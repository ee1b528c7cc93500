/** The script for a plain tag, built when it is first asked for: a fresh clone has no `dist`. */
import { fileURLToPath } from 'node:url';
import { build, type Rollup, type ViteDevServer } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const SOURCE = here('../../src');

/** `partner-dialer.js` and its chunks, of the sources as they are now; kept in memory. */
export class BuiltScript {
  readonly #configLoader;
  #files: Promise<ReadonlyMap<string, string>> | undefined;

  constructor({ config, watcher }: ViteDevServer) {
    this.#configLoader = config.inlineConfig.configLoader;
    watcher.add(SOURCE);
    watcher.on('all', (_, path) => {
      if (path.startsWith(SOURCE)) this.#files = undefined;
    });
  }

  files(): Promise<ReadonlyMap<string, string>> {
    this.#files ??= this.#build();
    // What could not be built is tried again.
    this.#files.catch(() => (this.#files = undefined));
    return this.#files;
  }

  async #build(): Promise<ReadonlyMap<string, string>> {
    const [built] = (await build({
      root: here('../../'),
      configFile: here('../../vite.config.ts'),
      ...(this.#configLoader && { configLoader: this.#configLoader }),
      mode: 'script',
      logLevel: 'error',
      // A server that is in development makes every build in its process one.
      resolve: { conditions: ['module', 'browser', 'production'] },
      build: { write: false },
    })) as Rollup.RollupOutput[];
    return new Map(
      built?.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]),
    );
  }
}
