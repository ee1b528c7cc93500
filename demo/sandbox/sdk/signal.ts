/**
 * Values that effects follow by themselves, run synchronously: the vendor's SDK dispatches its events from inside such
 * effects. A listener that reads SDK state there subscribes the effect to it, and the event comes again later with a
 * stale detail. A page that does not know this rule has to fail here as it would with the vendor's build.
 */

interface Effect {
  readonly work: () => void;
  /** The reader sets that contain it. */
  readonly sources: Set<Set<Effect>>;
  running: boolean;
}

let current: Effect | undefined;

export class Signal<T> {
  #value: T;
  readonly #readers = new Set<Effect>();

  constructor(value: T) {
    this.#value = value;
  }

  /** Reading it inside an effect makes the effect run again at the next change. */
  get value(): T {
    if (current) {
      this.#readers.add(current);
      current.sources.add(this.#readers);
    }
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    // A copy: every effect that runs enters its name again.
    const due = [...this.#readers];
    for (const reader of due) run(reader);
  }

  /** The value, without following it. */
  peek(): T {
    return this.#value;
  }
}

/** Runs the work now and after every change of what it read; returns what ends that. */
export function effect(work: () => void): () => void {
  const started: Effect = { work, sources: new Set(), running: false };
  run(started);
  return () => forgetSources(started);
}

function run(due: Effect): void {
  if (due.running) return;
  forgetSources(due);
  const outer = current;
  current = due;
  due.running = true;
  try {
    due.work();
  } finally {
    current = outer;
    due.running = false;
  }
}

function forgetSources(reader: Effect): void {
  for (const readers of reader.sources) readers.delete(reader);
  reader.sources.clear();
}
