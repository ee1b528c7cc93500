/** The browser's storage, as far as the dialer uses it. What is kept stands under the name of whoever it belongs to. */
import { ownersIn } from './members.ts';
import type { World } from './world.ts';

export class PlayedStorage {
  readonly #world: World;
  readonly #values = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    for (const owner of ownersIn(value))
      if (!key.includes(owner)) this.#world.violate('h kept under another name', `${owner} in ${key}`);
    this.#values.set(key, value);
  }
}
