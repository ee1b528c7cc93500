/**
 * Where the SDK's events arrive. Whoever touches the SDK inside one of its events makes it repeat the event with stale
 * data, so an event is only parsed there, and read in a later task. The SDK sends what belongs together in one task (a
 * failed call is "ended" first and "failed" after it), so the reader also gets the messages that follow.
 */
import { nextTask } from '../../wait.ts';
import {
  EVENT_NAMES,
  isOfLine,
  parseEvent,
  type CallMessage,
  type LineMessage,
  type VbotMessage,
} from './messages.ts';

export interface InboxReader {
  /** Inside the event, for what cannot wait; must not touch the SDK. */
  readonly arrived: (message: VbotMessage) => void;
  /** In a later task. */
  readonly readLine: (message: LineMessage) => void;
  readonly calls: CallReader;
}

interface CallReader {
  /** @param following what the SDK has sent after it in the same task */
  read(message: CallMessage, following: readonly VbotMessage[]): void;
}

interface InboxSignals {
  /** Ends the reading; `arrived` goes on. */
  readonly reading: AbortSignal;
  /** Ends everything: the SDK keeps removed elements, and their listeners would keep us in memory. */
  readonly listening: AbortSignal;
}

export function openInbox(element: HTMLElement, reader: InboxReader, signals: InboxSignals): void {
  const { arrived, readLine, calls } = reader;
  const { reading, listening: signal } = signals;
  const messages: VbotMessage[] = [];

  const readAll = () => {
    const batch = messages.splice(0);
    for (const [index, message] of batch.entries()) {
      if (reading.aborted) return;
      try {
        if (isOfLine(message)) readLine(message);
        else calls.read(message, batch.slice(index + 1));
      } catch (error) {
        // The rest of the batch, the end of a call perhaps, is read all the same.
        reportError(error);
      }
    }
  };

  const receive = (event: Event) => {
    const message = event instanceof CustomEvent && parseEvent(event.type, event.detail);
    if (!message) return;
    arrived(message);
    if (reading.aborted) return;
    messages.push(message);
    if (messages.length === 1) nextTask(readAll);
  };
  for (const name of EVENT_NAMES) element.addEventListener(name, receive, { signal });
}
