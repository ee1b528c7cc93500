/** Does the agent speak while muted? A muted track delivers silence, so a clone of it is listened to, and goes nowhere else. */

const POLL_MS = 100;
/** Root mean square of the samples: well above a call centre behind noise suppression. */
const LOUDNESS = 0.02;
/** 0.8 s of sound: more than a cough. */
const LOUD_POLLS = 8;

export interface Speech {
  /** Since the last time that this was asked. */
  wasHeard(): boolean;
}

/** @param signal ends it, and leaves nothing behind */
export function listenForSpeech(track: MediaStreamTrack, signal: AbortSignal): Speech {
  const clone = track.clone();
  clone.enabled = true;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  const source = context.createMediaStreamSource(new MediaStream([clone]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loudPolls = 0;
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
    if (power > LOUDNESS ** 2) loudPolls += 1;
  }, POLL_MS);
  const end = () => {
    clearInterval(timer);
    clone.stop();
    source.disconnect();
    context.close().catch(() => undefined);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    wasHeard: () => {
      const wasHeard = loudPolls >= LOUD_POLLS;
      loudPolls = 0;
      return wasHeard;
    },
  };
}
