/**
 * Where the SDK's events arrive. The SDK must not be touched inside one of them (it would repeat them with stale data),
 * so they are parsed and kept here, and read in a later task. What belongs together comes in one task: a failed call is
 * "ended" first and "failed" after it, so the reader is shown what follows as well.
 */
import { nextTask } from '../../wait.ts';
import { READERS, type VbotMessage } from './messages.ts';

export interface EventReader {
  /** Inside the event, for what cannot wait; the SDK is out of bounds. */
  readonly peek: (eventName: string) => void;
  readonly read: (message: VbotMessage, following: readonly VbotMessage[]) => void;
}

export interface QueueSignals {
  /** Ends the reading; peeking goes on. */
  readonly reading: AbortSignal;
  /** Ends it all: the SDK keeps elements that were removed, and they would keep us. */
  readonly listening: AbortSignal;
}

export function queueEvents(element: HTMLElement, { peek, read }: EventReader, signals: QueueSignals): void {
  const { reading, listening: signal } = signals;
  const messages: VbotMessage[] = [];

  const readAll = () => {
    const batch = messages.splice(0);
    for (const [index, message] of batch.entries()) {
      if (reading.aborted) return;
      try {
        read(message, batch.slice(index + 1));
      } catch (error) {
        // What follows in the batch, the end of a call perhaps, is read all the same.
        reportError(error);
      }
    }
  };

  for (const [name, readDetail] of Object.entries(READERS)) {
    const listener = (event: Event) => {
      peek(name);
      if (reading.aborted || !(event instanceof CustomEvent)) return;
      const message = readDetail(event.detail);
      if (!message) return;
      messages.push(message);
      if (messages.length === 1) nextTask(readAll);
    };
    element.addEventListener(name, listener, { signal });
  }
}
