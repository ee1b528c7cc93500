/** How calls sounded. Asked of the vendor once each: a call that is over will not sound better later. */
import type { OpenApi } from '../open-api/open-api.ts';
import type { DataOf } from '../open-api/endpoints.ts';

/** Some agents' days; the oldest are forgotten first. */
const MOST_KEPT = 2000;

export class CallSounds {
  readonly #endpoints: OpenApi['endpoints'];
  readonly #known = new Map<string, NonNullable<DataOf<'readCallQuality'>>>();

  constructor({ endpoints }: OpenApi) {
    this.#endpoints = endpoints;
  }

  /** `postDialDelay` in seconds, `mos` from 1 to 5; a call whose sound cannot be had is a call all the same. */
  async of(transId: string) {
    const quality = this.#known.get(transId) ?? (await this.#ask(transId).catch(() => undefined));
    if (!quality) return undefined;
    return {
      postDialDelay: quality.pdd_caller ?? undefined,
      mos: { caller: quality.rtp_audio_in_mos_caller, callee: quality.rtp_audio_in_mos_callee },
      percent: { caller: quality.rtp_audio_quality_caller, callee: quality.rtp_audio_quality_callee },
    };
  }

  async #ask(trans_id: string) {
    const quality = await this.#endpoints.readCallQuality({ trans_id });
    if (!quality) return undefined;
    this.#known.set(trans_id, quality);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return quality;
  }
}
