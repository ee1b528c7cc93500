/** Watches how a call sounds, from its answer to its end: every two seconds one report of the browser. */
import type { CallMedia } from '../sdk/calling-sdk.ts';
import { childOf, pause, within } from '../wait.ts';
import type { CallQuality, Quality } from './quality.ts';
import { addInterval, levelOf, lossIn, NO_SCORES, rounded, summaryOf } from './score.ts';
import { listenForSpeech, type Speech } from './speech.ts';
import { between, parseStats, type Snapshot } from './stats.ts';
import { moveWarnings, NO_WARNINGS, raisedWarnings } from './warnings.ts';

const INTERVAL_MS = 2000;
/** As a call without loss and delay has it: until something was measured, nothing speaks against the sound. */
const BEST_MOS = 4.4;

export interface QualityReport {
  /** Absent: nothing can be measured, as in a held call. */
  readonly now: Quality;
  readonly summary: CallQuality | undefined;
}

interface MonitoredCall {
  readonly media: () => CallMedia | undefined;
  readonly isMuted: () => boolean;
  readonly isHeld: () => boolean;
  readonly onReport: (report: QualityReport) => void;
}

/** @param signal of the call: nothing is left of the monitor after it */
export async function monitorQuality(call: MonitoredCall, signal: AbortSignal): Promise<void> {
  const listener = new MutedListener(signal);
  let scores = NO_SCORES;
  let warnings = NO_WARNINGS;
  let before: Snapshot | undefined;
  let wasHeld = false;
  let mos: number | undefined;
  // Counted, because the machine's clock may be set meanwhile.
  for (let at = 0; !signal.aborted; at += INTERVAL_MS) {
    const media = call.media();
    // A report that never comes must not end the watch; nor must a connection that is being closed.
    const report = await within(
      Promise.resolve(media?.stats()).catch(() => undefined),
      INTERVAL_MS,
    );
    if (signal.aborted) return;
    const muted = call.isMuted();
    const held = call.isHeld();
    const now = report && parseStats(report, before);
    // While a call is held, and right after it, a gap is no loss.
    const interval = before && now && !held && !wasHeld ? between(before, now) : undefined;
    if (held) scores = { ...scores, window: [] };
    const speaks = listener.listen(muted && !held ? media?.microphone() : undefined);
    if (interval) {
      scores = addInterval(scores, interval);
      mos = scores.mos ?? mos;
    }
    const { window } = scores;
    warnings = moveWarnings(warnings, {
      at,
      muted,
      held,
      lossToAgent: lossIn(window, 'toAgent'),
      lossToCustomer: lossIn(window, 'toCustomer'),
      isSilent: media?.microphone()?.muted === true || interval?.isSilent,
      speaks,
    });
    const raised = raisedWarnings(warnings);
    if (mos !== undefined || raised.length > 0) {
      const known = mos ?? BEST_MOS;
      call.onReport({
        now: { mos: rounded(known), level: levelOf(known), warnings: raised },
        summary: summaryOf(scores),
      });
    }
    before = now ?? before;
    wasHeld = held;
    await pause(INTERVAL_MS, signal);
  }
}

/** Listens to the agent while muted, and only then. */
class MutedListener {
  readonly #call: AbortSignal;
  #listening:
    | { readonly track: MediaStreamTrack; readonly speech: Speech; readonly end: () => void }
    | undefined;

  constructor(call: AbortSignal) {
    this.#call = call;
  }

  /** @param track absent: not muted; @returns whether the agent has spoken since */
  listen(track: MediaStreamTrack | undefined): boolean {
    if (track === this.#listening?.track) return this.#listening?.speech.wasHeard() ?? false;
    this.#listening?.end();
    this.#listening = undefined;
    if (!track || track.readyState === 'ended') return false;
    const life = childOf(this.#call);
    try {
      const speech = listenForSpeech(track, life.signal);
      this.#listening = { track, speech, end: () => life.abort() };
    } catch {
      // This browser cannot listen twice to one microphone: the agent is not told.
      life.abort();
    }
    return false;
  }
}
