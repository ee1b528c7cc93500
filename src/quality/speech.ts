/** Does the agent speak while muted? A muted track delivers silence, so a clone of it is listened to, and goes nowhere else. */
import { watchLevel } from '../page/microphone-level.ts';

/** −34 dB: well above the background of a call centre after noise suppression. */
const LOUD = 0.43;
/** Reports of the level, 0.8 s of sound: more than a cough. */
const LOUD_REPORTS = 8;

export interface Speech {
  /** Since the last time that this was asked. */
  wasHeard(): boolean;
}

/** @param signal ends it, and leaves nothing behind */
export function listenForSpeech(track: MediaStreamTrack, signal: AbortSignal): Speech {
  const clone = track.clone();
  clone.enabled = true;
  // Before anything else can throw: the clone keeps the microphone open.
  if (signal.aborted) clone.stop();
  else signal.addEventListener('abort', () => clone.stop());
  let loudReports = 0;
  watchLevel(
    () => clone,
    signal,
    (level) => {
      if (level > LOUD) loudReports += 1;
    },
  );
  return {
    wasHeard: () => {
      const wasHeard = loudReports >= LOUD_REPORTS;
      loudReports = 0;
      return wasHeard;
    },
  };
}
