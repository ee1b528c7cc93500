/** The way of the SDK's events into the page: in one task as measured, or doubled, late, swapped, lost. */
import { turn } from './clock.ts';
import type { Behavior } from './behavior.ts';
import type { World } from './world.ts';

const LATE_MS = 2000;
/** One that waits to be overtaken does not wait for ever. */
const OVERTAKEN_MS = 500;
const MOST_DROPPED = 2;

export class Delivery {
  /** Events on their way. */
  pending = 0;
  /** How deep in listeners: the SDK must not be touched there. */
  depth = 0;
  readonly #world: World;
  readonly #behavior: Behavior;
  #dropped = 0;
  #held: (() => void) | undefined;
  #tasks: Promise<void> = Promise.resolve();

  constructor(world: World, behavior: Behavior) {
    this.#world = world;
    this.#behavior = behavior;
  }

  /** May the page know less than what is true? */
  get isBlurring(): boolean {
    return this.#behavior.delivery !== 'at-once' && this.#behavior.delivery !== 'doubled';
  }

  emit(targets: Iterable<HTMLElement>, name: string, detail?: unknown): void {
    const elements = [...targets];
    const dispatch = () => {
      for (const element of elements) if (element.isConnected) this.#dispatch(element, name, detail);
    };
    this.#world.next();
    // No other event tells the caller numbers. It comes first in every recording, and in its order.
    if (name === 'onHotlinesUpdated') return dispatch();
    switch (this.#behavior.delivery) {
      case 'at-once':
        return dispatch();
      case 'doubled':
        dispatch();
        return dispatch();
      case 'late':
        this.pending += 1;
        this.#world.clock.later(LATE_MS, () => this.#deliver(dispatch));
        return;
      case 'each-in-a-task':
        this.pending += 1;
        this.#tasks = this.#tasks.then(turn).then(() => this.#deliver(dispatch));
        return;
      case 'swapped':
        return this.#swap(dispatch);
      case 'dropped':
        this.#dropped += 1;
        if (this.#dropped < MOST_DROPPED) return;
        this.#dropped = 0;
        this.#behavior.delivery = 'at-once';
    }
  }

  #deliver(dispatch: () => void): void {
    this.pending -= 1;
    this.#world.next();
    dispatch();
  }

  #swap(dispatch: () => void): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) {
      dispatch();
      return held();
    }
    this.pending += 1;
    const once = () => {
      if (this.#held === once) this.#held = undefined;
      if (isDone) return;
      isDone = true;
      this.#deliver(dispatch);
    };
    let isDone = false;
    this.#held = once;
    this.#world.clock.later(OVERTAKEN_MS, once);
  }

  #dispatch(element: HTMLElement, name: string, detail: unknown): void {
    this.#world.note(`        SDK says ${name}`);
    this.depth += 1;
    element.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail }));
    this.depth -= 1;
  }
}
