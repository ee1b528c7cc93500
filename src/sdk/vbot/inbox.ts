/**
 * Receives the SDK's events. If code calls the SDK inside one of its events, the SDK repeats the event with old data. So an
 * event is only parsed at once, and read in a later task. The SDK sends related events in one task (a failed call is "ended"
 * first, then "failed"), so the reader also gets the messages that follow.
 */
import { nextTask } from '../../wait.ts';
import { PARSERS, type VbotMessage } from './messages.ts';

export interface InboxReader {
  /** Called inside the event, for what cannot wait; must not call the SDK. */
  arrived(message: VbotMessage): void;
  /**
   * In a later task.
   *
   * @param following what the SDK has sent after it in the same task
   */
  read(message: VbotMessage, following: readonly VbotMessage[]): void;
}

/** @param signal ends it. The SDK keeps removed elements; their listeners would keep this adapter in memory */
export function openInbox(element: HTMLElement, reader: InboxReader, signal: AbortSignal): void {
  const messages: VbotMessage[] = [];

  const readAll = () => {
    const batch = messages.splice(0);
    for (const [index, message] of batch.entries()) {
      if (signal.aborted) return;
      try {
        reader.read(message, batch.slice(index + 1));
      } catch (error) {
        // Read the rest of the batch: the end of a call may be in it.
        reportError(error);
      }
    }
  };

  for (const [name, parse] of Object.entries(PARSERS)) {
    const receive = (event: Event) => {
      const message = event instanceof CustomEvent && parse(event.detail);
      if (!message) return;
      reader.arrived(message);
      messages.push(message);
      if (messages.length === 1) nextTask(readAll);
    };
    element.addEventListener(name, receive, { signal });
  }
}
