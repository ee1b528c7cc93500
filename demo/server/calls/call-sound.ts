/** How calls sounded, asked of the vendor once each: a list costs its quality calls once. */
import type { QualityRow, VendorCalls } from './vendor-calls.ts';

/** Some agents' days; the oldest are forgotten first. */
const MOST_KEPT = 2000;
/** The vendor may know it a little after the call; a failure may have been a moment's. */
const UNKNOWN_MS = 10 * 60_000;
const FAILED_MS = 60_000;

interface Known {
  readonly quality: QualityRow | undefined;
  /** By `performance.now`. */
  readonly until: number;
}

export class CallSounds {
  readonly #calls: VendorCalls;
  readonly #known = new Map<string, Known>();

  constructor(calls: VendorCalls) {
    this.#calls = calls;
  }

  /** `postDialDelay` in seconds, `mos` from 1 to 5; a call whose sound cannot be had is a call all the same. */
  async of(transId: string) {
    const known = this.#known.get(transId);
    const { quality } = known && known.until > performance.now() ? known : await this.#ask(transId);
    if (!quality) return undefined;
    return {
      postDialDelay: quality.pdd_caller ?? undefined,
      mos: { caller: quality.rtp_audio_in_mos_caller, callee: quality.rtp_audio_in_mos_callee },
      percent: { caller: quality.rtp_audio_quality_caller, callee: quality.rtp_audio_quality_callee },
    };
  }

  async #ask(transId: string): Promise<Known> {
    const known = await this.#calls.quality(transId).then(
      (quality) =>
        quality
          ? { quality, until: Infinity }
          : { quality: undefined, until: performance.now() + UNKNOWN_MS },
      () => ({ quality: undefined, until: performance.now() + FAILED_MS }),
    );
    this.#known.delete(transId);
    this.#known.set(transId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}
