/** Later tasks: between two of them the browser paints, and reads what has come. */

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

/** Resolves in the next task. */
export function untilNextTask(): Promise<void> {
  return new Promise(nextTask);
}

/** Pages have things of that name, too. */
interface Scheduler {
  readonly postTask?: (work: () => void, options: { priority: 'user-blocking' }) => Promise<void>;
}

/** Runs after the current task, where the browser can before it paints. */
export function urgentTask(work: () => void): void {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  if (scheduler?.postTask) void scheduler.postTask(work, { priority: 'user-blocking' });
  else nextTask(work);
}
