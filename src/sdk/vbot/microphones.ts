/**
 * The microphone streams that the SDK opens for one call. The SDK forgets some of them (a hang-up while the browser asks, a
 * cancelled call that was being answered), and the browser would show a live microphone until the page is closed. Others it would
 * use for a call that has come meanwhile: it would answer that one.
 */
import { microphonePermission, stopTracks } from '../../page/microphone.ts';
import { replaceUntil } from '../../page/replacement.ts';
import { childOf, later } from '../../wait.ts';

/** What the SDK gets for its request. */
type Give = (request: Promise<MediaStream>) => Promise<MediaStream>;

export class Microphones {
  readonly #id: string;
  readonly #left: AbortSignal;
  readonly #isOvertaken: () => boolean;

  /**
   * @param id of the device that the SDK is given, if it is there; empty: the system's
   * @param left stops all streams. One that the browser grants later is stopped then, and the SDK does not get it
   * @param isOvertaken the SDK has another call already
   */
  constructor(id: string, left: AbortSignal, isOvertaken: () => boolean) {
    this.#id = id;
    this.#left = left;
    this.#isOvertaken = isOvertaken;
  }

  /** Runs a method of the SDK that asks for the microphone in this task. It fails if that comes too late. */
  watch<T>(work: () => T): T {
    return watchWhile(work, this.#id, (request) => this.#give(request, true));
  }

  /**
   * To answer a call, the SDK asks twice: itself at once, then JsSIP for a stream of its own.
   *
   * @param settled a later request for a microphone is not the SDK's
   */
  watchTwice<T>(work: () => T, settled: AbortSignal): T {
    return watchWhile(work, this.#id, async (request) => {
      const stream = await this.#give(request);
      const next = childOf(settled);
      watchRequests(this.#id, next.signal, (ofJsSip) => {
        next.abort();
        return this.#give(ofJsSip);
      });
      return stream;
    });
  }

  /** As `watch`, but what is granted is silent from its first sound on. */
  watchSilenced<T>(work: () => T): T {
    return watchWhile(work, '', async (request) => {
      const stream = await this.#give(request);
      for (const track of stream.getTracks()) track.enabled = false;
      return stream;
    });
  }

  get #isOver(): boolean {
    return this.#left.aborted || this.#isOvertaken();
  }

  /** @param mayFail rejects when the call is over; else it never settles: the SDK would show an error, which counts for the next call */
  async #give(request: Promise<MediaStream>, mayFail = false): Promise<MediaStream> {
    try {
      const stream = await request;
      if (!this.#isOver) {
        this.#left.addEventListener('abort', () => stopTracks(stream));
        return stream;
      }
      stopTracks(stream);
    } catch (error) {
      if (!this.#isOver) throw error;
    }
    if (!mayFail) await new Promise<never>(() => undefined);
    throw new DOMException('The call is over.', 'AbortError');
  }
}

function watchWhile<T>(work: () => T, id: string, give: Give): T {
  const over = new AbortController();
  watchRequests(id, over.signal, give);
  try {
    return work();
  } finally {
    over.abort();
  }
}

/** Until the signal, the page's `getUserMedia` is replaced. */
function watchRequests(id: string, over: AbortSignal, give: Give): void {
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  // Absent in a page that did not come over HTTPS.
  if (!devices || over.aborted) return;
  const original = devices.getUserMedia;
  const watched: typeof original = (constraints) => {
    if (over.aborted) return original.call(devices, constraints);
    return give(original.call(devices, withDevice(constraints ?? {}, id)));
  };
  replaceUntil(over, devices, 'getUserMedia', watched);
}

/** The SDK itself asks for the system's microphone; if it were exchanged later, the first words would go through the wrong one. */
function withDevice(constraints: MediaStreamConstraints, id: string): MediaStreamConstraints {
  if (id === '' || !constraints.audio) return constraints;
  const audio = constraints.audio === true ? {} : constraints.audio;
  return { ...constraints, audio: { ...audio, deviceId: { ideal: id } } };
}

/** As `later`, but the time in which the browser asks the agent for the microphone does not count. */
export async function laterWithoutPrompt(
  milliseconds: number,
  signal: AbortSignal,
  work: () => void,
): Promise<void> {
  const isAsking = (await microphonePermission()) === 'prompt';
  later(milliseconds, signal, () => {
    if (isAsking) void laterWithoutPrompt(milliseconds, signal, work);
    else work();
  });
}
