/** The calls of one boot of the SDK, from before their code is there: what happens meanwhile is kept for them, in its order. */
import { Chunk } from '../../page/chunk.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import type { VbotCalls } from './calls.ts';
import type { CallEvent } from './messages.ts';
import type { VbotElement } from './widget.ts';

/** Fetched once the phone is ready, or when somebody calls. Changeable, so that a test can have it come late. */
export const chunks = { calls: new Chunk(() => import('./calls.ts')) };

type Code = typeof import('./calls.ts');

type Note = (calls: VbotCalls) => void;

export class LateCalls {
  readonly #make: (code: Code) => VbotCalls;
  readonly #signal: AbortSignal;
  readonly #kept: (CallEvent | Note)[] = [];
  #value: VbotCalls | undefined;

  /**
   * @param signal ends it all, without a further event
   * @param isReachable is there a socket to the exchange?
   */
  constructor(
    element: VbotElement,
    emit: (event: SdkEvent) => void,
    signal: AbortSignal,
    isReachable: () => boolean,
  ) {
    this.#make = ({ VbotCalls: Calls }) => new Calls(element, emit, signal, isReachable);
    this.#signal = signal;
  }

  /** `undefined` until their code has come. */
  get value(): VbotCalls | undefined {
    const { value: code } = chunks.calls;
    if (code) this.#come(code);
    return this.#value;
  }

  /** @throws {DialerError} `sdk-load-failed` */
  async load(): Promise<VbotCalls> {
    this.#come(await chunks.calls.load());
    return this.value ?? this.load();
  }

  /** What was seen on the way to them. */
  do(note: Note): void {
    if (this.value) note(this.value);
    else this.#keep(note);
  }

  read(event: CallEvent, following: readonly CallEvent[]): void {
    if (this.value) this.value.read(event, following);
    else if (this.#kept.length > 0 || mayBegin(event)) this.#keep(event);
  }

  #keep(item: CallEvent | Note): void {
    this.#kept.push(item);
    // Somebody calls: it is tried until it has come.
    if (this.#kept.length === 1) this.#want();
  }

  #want(): void {
    if (!this.#signal.aborted && chunks.calls.want(() => this.#want())) void this.value;
  }

  #come(code: Code): void {
    if (this.#value) return;
    const calls = this.#make(code);
    this.#value = calls;
    const kept = this.#kept.splice(0);
    for (const [index, item] of kept.entries()) {
      if (this.#signal.aborted) return;
      // The end of a call may be among them.
      const following = kept.slice(index + 1).filter((later) => typeof later !== 'function');
      try {
        if (typeof item === 'function') item(calls);
        else calls.read(item, following);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

/** What else the SDK tells means nothing as long as there is no call. */
function mayBegin({ is, detail }: CallEvent): boolean {
  if (is === 'state') return /^(?:dialing|ringing)$/.test(Reflect.get(Object(detail), 'state'));
  return is === 'incoming' || is === 'progress' || is === 'accepted';
}
