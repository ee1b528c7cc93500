/** Receives the events of the agent's calls while the page is visible. */
import { callEventSchema, type CallEvent } from './calls-client.ts';

/** Milliseconds before the companion is asked again after it has refused, and the most that grows to. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

interface CallListener {
  onEvent(event: CallEvent): void;
  /** Events may have been missed. False: the session is over, and reconnecting is of no use. */
  onReconnect(): Promise<boolean>;
}

/** Ends with `signal`. */
export function listenToCalls(listener: CallListener, signal: AbortSignal): void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  /** The stream that opens next is not the first. */
  let wasCut = false;

  const open = () => {
    if (source || signal.aborted || document.hidden) return;
    source = new EventSource('/dialer/events');
    source.addEventListener('open', () => {
      pauseMs = FIRST_PAUSE_MS;
      if (wasCut) void listener.onReconnect();
      wasCut = false;
    });
    source.addEventListener('call', ({ data }: MessageEvent<string>) => {
      const { data: event } = callEventSchema.safeParse(JSON.parse(data));
      if (event) listener.onEvent(event);
    });
    source.addEventListener('error', () => {
      wasCut = true;
      // The browser reconnects by itself, unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(() => void retry(), pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const retry = async () => {
    if (await listener.onReconnect()) open();
  };

  // A browser has few connections to one address, and hidden tabs would hold them all.
  const follow = () => {
    if (!document.hidden) return open();
    wasCut = true;
    close();
  };
  document.addEventListener('visibilitychange', follow, { signal });
  signal.addEventListener('abort', close);
  open();
}
