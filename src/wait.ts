/** Waits. Each ends by its work, a timeout or an AbortSignal, and leaves neither a timer nor a listener behind. */

/** A timer stands still while the machine sleeps, and counts in 32 bits: a longer wait reads the clocks this often. */
const LONGEST_TIMER_MS = 30_000;

/** Counts the milliseconds from now on. `performance.now()` may stand still in sleep, and `Date` may be set back: the higher counts. */
export function stopwatch(): () => number {
  const [day, began] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - day, performance.now() - began);
}

/** Runs once after so many milliseconds, unless the signal comes first. */
export function later(milliseconds: number, signal: AbortSignal, work: () => void): void {
  if (signal.aborted) return;
  const passed = stopwatch();
  let timer: ReturnType<typeof setTimeout>;
  const stop = () => clearTimeout(timer);
  const wait = (left: number) => {
    timer = setTimeout(
      () => {
        if (left > LONGEST_TIMER_MS) return wait(milliseconds - passed());
        signal.removeEventListener('abort', stop);
        work();
      },
      Math.min(left, LONGEST_TIMER_MS),
    );
  };
  wait(milliseconds);
  signal.addEventListener('abort', stop);
}

/** Runs each time that so many milliseconds have passed, until the signal. */
export function every(milliseconds: number, signal: AbortSignal, work: () => void): void {
  const timer = setInterval(work, milliseconds);
  void aborted(signal).then(() => clearInterval(timer));
}

/** Aborts with its parent, or before it. */
export function childOf(parent: AbortSignal): AbortController {
  const child = new AbortController();
  const abort = () => child.abort(parent.reason);
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort, { signal: child.signal });
  return child;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = childOf(signal);
  later(milliseconds, over.signal, () => over.abort());
  return aborted(over.signal);
}

/**
 * Awaits work that cannot be aborted, such as a function of the page.
 *
 * @throws the signal's reason as soon as it aborts; the work itself goes on
 */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { signal: over.signal });
      }),
    ]);
  } finally {
    over.abort();
  }
}

/** What the work resolves to, or `undefined` when it takes longer than so many milliseconds. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([work, pause(milliseconds, over.signal).then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Opened at the first use: an open channel would keep a Node process alive that has only imported the package. */
let channel: MessageChannel | undefined;
const tasks: (() => void)[] = [];

/** Runs after the current task, in the order asked; unlike a timer, not slowed down while the page is in the background. */
export function nextTask(work: () => void): void {
  tasks.push(work);
  channel ??= openChannel();
  channel.port2.postMessage(undefined);
}

function openChannel(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.addEventListener('message', () => tasks.shift()?.());
  opened.port1.start();
  return opened;
}
