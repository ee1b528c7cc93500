/**
 * The microphone streams that the SDK opens for one call. It forgets some of them (a hang-up while the browser asks, a
 * cancelled call that was being answered), and the browser would show a live microphone until the page is closed.
 */

type GetUserMedia = MediaDevices['getUserMedia'];

export class Microphones {
  readonly #streams = new Set<MediaStream>();
  #isClosed = false;
  #stopWatching: () => void = () => undefined;

  /** Runs a method of the SDK that asks for the microphone in this very task. */
  watch<T>(work: () => T): T {
    return watchWhile(work, (stream) => void this.#keep(stream));
  }

  /** For answering, where the SDK asks twice: itself at once, and JsSIP for a stream of its own after that. */
  watchTwice<T>(work: () => T): T {
    return watchWhile(work, (stream) => {
      void this.#keep(stream);
      // Before the SDK goes on, hence directly on the promise that it waits for.
      stream.then(
        () => this.#watchNext(),
        () => undefined,
      );
    });
  }

  /** One of our own, for a call whose SDK has none that is live. */
  open(): Promise<MediaStream> {
    const stream = navigator.mediaDevices.getUserMedia({ audio: true, video: false });
    void this.#keep(stream);
    return stream;
  }

  /** The call is under way: whoever asks for a microphone now is not the SDK. */
  stopWatching(): void {
    this.#stopWatching();
  }

  /** The call is over: nothing of it stays live, a stream that is granted only later included. */
  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    for (const stream of this.#streams) stopTracks(stream);
    this.#streams.clear();
  }

  #watchNext(): void {
    if (this.#isClosed) return;
    this.#stopWatching = watchRequests((stream) => {
      this.#stopWatching();
      void this.#keep(stream);
    });
  }

  async #keep(request: Promise<MediaStream>): Promise<void> {
    const stream = await request.catch(() => undefined);
    if (!stream) return;
    if (this.#isClosed) stopTracks(stream);
    else this.#streams.add(stream);
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function watchWhile<T>(work: () => T, onRequest: (stream: Promise<MediaStream>) => void): T {
  const stopWatching = watchRequests(onRequest);
  try {
    return work();
  } finally {
    stopWatching();
  }
}

/** @returns how to end it: the page has its own `getUserMedia` back then */
function watchRequests(onRequest: (stream: Promise<MediaStream>) => void): () => void {
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  // A page that did not come over HTTPS has none.
  if (!devices) return () => undefined;
  const own = Object.getOwnPropertyDescriptor(devices, 'getUserMedia');
  const original: GetUserMedia = devices.getUserMedia;
  let isWatching = true;
  const watched: GetUserMedia = (constraints) => {
    const stream = original.call(devices, constraints);
    if (isWatching) onRequest(stream);
    return stream;
  };
  devices.getUserMedia = watched;
  return () => {
    isWatching = false;
    // Somebody else's later replacement is not ours to undo.
    if (devices.getUserMedia !== watched) return;
    if (own) Object.defineProperty(devices, 'getUserMedia', own);
    else Reflect.deleteProperty(devices, 'getUserMedia');
  };
}
