/** Watches how a call sounds, from its answer to its end: every two seconds one report of the browser. */
import type { CallAudio } from '../sdk/calling-sdk.ts';
import { childOf, pause, within } from '../wait.ts';
import type { CallQuality, Quality } from './quality.ts';
import {
  addInterval,
  qualityLevel,
  lossPercentIn,
  NO_SCORES,
  rounded,
  summarize,
  type Scores,
} from './score.ts';
import { listenForSpeech, type Speech } from './speech.ts';
import { compareSnapshots, parseStats, type Snapshot } from './stats.ts';
import { moveWarnings, NO_WARNINGS, raisedWarnings, type Warnings, type WarningSample } from './warnings.ts';

const INTERVAL_MS = 2000;

export interface QualityReport {
  readonly now: Quality;
  readonly summary: CallQuality | undefined;
}

export interface MonitoredCall {
  readonly audio: () => Pick<CallAudio, 'stats' | 'microphone'> | undefined;
  readonly isMuted: () => boolean;
  readonly isHeld: () => boolean;
  readonly onReport: (report: QualityReport) => void;
}

/** What the samples so far have come to. */
interface Progress {
  readonly scores: Scores;
  readonly warnings: Warnings;
  readonly snapshot: Snapshot | undefined;
  readonly wasHeld: boolean;
}

const NO_PROGRESS: Progress = {
  scores: NO_SCORES,
  warnings: NO_WARNINGS,
  snapshot: undefined,
  wasHeld: false,
};

/** @param signal of the call: nothing is left of the monitor after it */
export async function monitorQuality(call: MonitoredCall, signal: AbortSignal): Promise<void> {
  const listener = new MutedListener(signal);
  let progress = NO_PROGRESS;
  /** There was something to say. */
  let isReporting = false;
  // Counted, because the machine's clock may be set meanwhile.
  for (let at = 0; !signal.aborted; at += INTERVAL_MS) {
    const audio = call.audio();
    // A report that never comes must not end the watch; nor must a connection that is being closed.
    const stats = await within(
      Promise.resolve(audio?.stats()).catch(() => undefined),
      INTERVAL_MS,
    );
    if (signal.aborted) return;
    const muted = call.isMuted();
    const held = call.isHeld();
    const microphone = audio?.microphone;
    const speaks = listener.listen(muted && !held ? microphone : undefined);
    progress = addSample(progress, { at, stats, muted, held, speaks, microphone });
    const report = toReport(progress);
    isReporting ||= report.now.mos !== undefined || report.now.warnings.length > 0;
    if (isReporting) call.onReport(report);
    await pause(INTERVAL_MS, signal);
  }
}

interface Sample extends Pick<WarningSample, 'at' | 'muted' | 'held' | 'speaks'> {
  /** Absent: the browser has sent no report. */
  readonly stats: RTCStatsReport | undefined;
  readonly microphone: MediaStreamTrack | undefined;
}

function addSample(before: Progress, { stats, microphone, ...sample }: Sample): Progress {
  const { held } = sample;
  const snapshot = stats && parseStats(stats, before.snapshot);
  // During a hold and directly after it, missing packets do not count as loss.
  const isCounted = !held && !before.wasHeld;
  const interval =
    isCounted && before.snapshot && snapshot ? compareSnapshots(before.snapshot, snapshot) : undefined;
  const earlier = held ? { ...before.scores, window: [] } : before.scores;
  const scores = interval ? addInterval(earlier, interval) : earlier;
  const warnings = moveWarnings(before.warnings, {
    ...sample,
    lossToAgent: lossPercentIn(scores.window, 'toAgent'),
    lossToCustomer: lossPercentIn(scores.window, 'toCustomer'),
    isSilent: microphone?.muted === true || interval?.isSilent,
  });
  return { scores, warnings, snapshot: snapshot ?? before.snapshot, wasHeld: held };
}

function toReport({ scores, warnings }: Progress): QualityReport {
  const { mos } = scores;
  const score = mos === undefined ? {} : { mos: rounded(mos), level: qualityLevel(mos) };
  return { now: { ...score, warnings: raisedWarnings(warnings) }, summary: summarize(scores) };
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
