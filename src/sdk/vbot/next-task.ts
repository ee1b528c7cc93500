/** A later task that, unlike a timer, is not slowed down while the page is in the background. */

const channel = new MessageChannel();
const queue: (() => void)[] = [];
channel.port1.addEventListener('message', () => queue.shift()?.());
channel.port1.start();

/** Runs after the current task, in the order asked. */
export function nextTask(work: () => void): void {
  queue.push(work);
  channel.port2.postMessage(undefined);
}
