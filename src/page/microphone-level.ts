/** How loud a microphone is. */
import { attempt } from '../errors.ts';
import { aborted, every } from '../wait.ts';

const POLL_MS = 100;
/** What counts as silence, in decibels below the loudest sound. */
const SILENCE_DB = -60;

/** An audio context that ends with the signal. */
export function openContext(signal: AbortSignal): AudioContext {
  const context = new AudioContext();
  void aborted(signal)
    .then(() => context.close())
    .catch(() => undefined);
  return context;
}

/**
 * Reports the level of a track, from 0 to 1: its root mean square in decibels. A muted track has the level 0.
 *
 * @param track the one to be listened to now; it may change, and there may be none
 * @param signal ends it, and leaves nothing behind
 */
export function watchLevel(
  track: () => MediaStreamTrack | undefined,
  signal: AbortSignal,
  onLevel: (level: number) => void,
): void {
  if (signal.aborted) return;
  const context = openContext(signal);
  const analyser = context.createAnalyser();
  const samples = new Float32Array(analyser.fftSize);
  let heard: MediaStreamTrack | undefined;
  let source: MediaStreamAudioSourceNode | undefined;
  every(POLL_MS, signal, () => {
    const now = track();
    if (now !== heard) {
      source?.disconnect();
      heard = now;
      // Some browsers cannot listen to one microphone at two sample rates.
      source = now && attempt(() => context.createMediaStreamSource(new MediaStream([now])));
      source?.connect(analyser);
    }
    analyser.getFloatTimeDomainData(samples);
    onLevel(source ? levelOf(samples) : 0);
  });
}

function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
  const decibels = 10 * Math.log10(power);
  return Math.min(1, Math.max(0, 1 - decibels / SILENCE_DB));
}
