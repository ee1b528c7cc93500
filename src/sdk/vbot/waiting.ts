/** Later tasks, and limits to waits; a signal leaves no timer behind. */
/** Opened at the first use: an open one would keep a Node process alive that has only imported the package. */
let channel: MessageChannel | undefined;
const queue: (() => void)[] = [];

function open(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.addEventListener('message', () => queue.shift()?.());
  opened.port1.start();
  return opened;
}

/** Runs after the current task, in the order asked; unlike a timer, not slowed down while the page is in the background. */
export function nextTask(work: () => void): void {
  queue.push(work);
  channel ??= open();
  channel.port2.postMessage(undefined);
}

/** Runs once after so many milliseconds, unless the signal comes first. */
export function later(milliseconds: number, signal: AbortSignal, work: () => void): void {
  if (signal.aborted) return;
  const stop = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', stop);
    work();
  }, milliseconds);
  signal.addEventListener('abort', stop, { once: true });
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}
