/** What a page of the demo needs built: when it is first asked for, of the sources as they are then, and kept in memory. */
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Rollup, type ViteDevServer } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const WATCHED = ['src', 'demo/states'].map((path) => here(`../../${path}`));

export class InMemoryBuild {
  readonly #config: InlineConfig;
  readonly #configLoader;
  #files: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(server: ViteDevServer, config: InlineConfig) {
    this.#config = config;
    this.#configLoader = server.config.inlineConfig.configLoader;
    server.watcher.add(WATCHED);
    server.watcher.on('all', (_, path) => {
      if (!this.#files || !WATCHED.some((folder) => path.startsWith(folder))) return;
      this.#files = undefined;
      server.ws.send({ type: 'full-reload', path: '*' });
    });
  }

  /** By file name. */
  files(): Promise<ReadonlyMap<string, string>> {
    this.#files ??= this.#build();
    // What could not be built is tried again.
    this.#files.catch(() => (this.#files = undefined));
    return this.#files;
  }

  async #build(): Promise<ReadonlyMap<string, string>> {
    const [built] = (await build({
      root: here('../../'),
      logLevel: 'error',
      publicDir: false,
      ...this.#config,
      ...(this.#configLoader && { configLoader: this.#configLoader }),
      // A server that is in development makes every build in its process one.
      resolve: { conditions: ['module', 'browser', 'production'] },
      build: { ...this.#config.build, write: false },
    })) as Rollup.RollupOutput[];
    return new Map(
      built?.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]),
    );
  }
}
