/** The browser's database, as far as the dialer uses it. What is kept stands under the name of whoever it belongs to. */
import { ownersIn } from './members.ts';
import type { World } from './world.ts';

type Stored = { readonly key: IDBValidKey; readonly value: unknown };

class PlayedRequest extends EventTarget {
  result: unknown;
}

/** Requests are answered one after the other, in microtasks; with the last answer it is complete. */
class PlayedTransaction extends EventTarget {
  readonly #world: World;
  readonly #rows: Map<string, Stored>;
  #open = 0;

  constructor(world: World, rows: Map<string, Stored>) {
    super();
    this.#world = world;
    this.#rows = rows;
  }

  objectStore(): unknown {
    const within = (range: IDBKeyRange) => [...this.#rows.values()].filter(({ key }) => range.includes(key));
    return {
      get: (key: IDBValidKey) => this.#answer(() => this.#rows.get(JSON.stringify(key))?.value),
      getAll: (range: IDBKeyRange) => this.#answer(() => within(range).map(({ value }) => value)),
      getAllKeys: (range: IDBKeyRange) => this.#answer(() => within(range).map(({ key }) => key)),
      delete: (key: IDBValidKey) => this.#answer(() => this.#rows.delete(JSON.stringify(key))),
      put: (value: unknown, key: IDBValidKey) => {
        this.#judge(key, value);
        return this.#answer(() =>
          this.#rows.set(JSON.stringify(key), { key, value: structuredClone(value) }),
        );
      },
    };
  }

  #judge(key: IDBValidKey, value: unknown): void {
    const text = JSON.stringify(key);
    for (const owner of ownersIn(JSON.stringify(value)))
      if (!text.includes(owner)) this.#world.violate('h kept under another name', `${owner} in ${text}`);
  }

  #answer(work: () => unknown): PlayedRequest {
    const request = new PlayedRequest();
    this.#open += 1;
    queueMicrotask(() => {
      this.#world.next();
      request.result = work();
      request.dispatchEvent(new Event('success'));
      this.#open -= 1;
      if (this.#open === 0) this.dispatchEvent(new Event('complete'));
    });
    return request;
  }
}

export class PlayedDatabases {
  readonly #world: World;
  readonly #stores = new Map<string, Map<string, Stored>>();

  constructor(world: World) {
    this.#world = world;
  }

  open(): PlayedRequest {
    const request = new PlayedRequest();
    request.result = {
      transaction: (name: string) => {
        const rows = this.#stores.get(name) ?? new Map<string, Stored>();
        this.#stores.set(name, rows);
        return new PlayedTransaction(this.#world, rows);
      },
      close: () => undefined,
    };
    queueMicrotask(() => {
      this.#world.next();
      request.dispatchEvent(new Event('success'));
    });
    return request;
  }
}
