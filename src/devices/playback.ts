/** Plays to a chosen device: a ring, or what was just spoken. */
import { openContext } from '../page/microphone-level.ts';
import { within } from '../wait.ts';

/** The system may have to wake a wireless device up. */
const OUTPUT_TIMEOUT_MS = 3000;
const VOLUME = 0.8;

/** One period of the ring: seconds of sound and of silence in turn. */
const PATTERN = [0.4, 0.2, 0.4, 2];
const HERTZ = [440, 554];

/**
 * Rings on each of the devices until the signal aborts.
 *
 * @param outputs ids of devices; empty: the system's
 * @param address of the page's own ringtone; absent: a generated tone, because a page's policy may forbid files
 */
export function ring(outputs: readonly string[], address: string | undefined, signal: AbortSignal): void {
  const tone = address === undefined ? ringtone(signal) : undefined;
  for (const output of outputs) {
    const audio = new Audio();
    audio.volume = VOLUME;
    if (address !== undefined) {
      audio.loop = true;
      audio.src = address;
    }
    void play(audio, tone, output, signal);
  }
}

/** Plays until the signal aborts; on the system's device if the browser refuses the given device. */
export async function play(
  audio: HTMLAudioElement,
  stream: MediaStream | undefined,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  if (stream) audio.srcObject = stream;
  const end = () => {
    audio.pause();
    audio.srcObject = null;
    audio.removeAttribute('src');
  };
  signal.addEventListener('abort', end);
  try {
    if (output !== '') await within(audio.setSinkId(output), OUTPUT_TIMEOUT_MS);
  } catch {
    // It was pulled out a moment ago, or the page may not use it.
  }
  if (!signal.aborted) await audio.play().catch(() => undefined);
}

function ringtone(signal: AbortSignal): MediaStream {
  const context = openContext(signal);
  const { sampleRate } = context;
  const samples = PATTERN.flatMap((seconds, part) =>
    Array.from({ length: seconds * sampleRate }, (_, index) => (part % 2 ? 0 : sample(index / sampleRate))),
  );
  const buffer = context.createBuffer(1, samples.length, sampleRate);
  buffer.copyToChannel(new Float32Array(samples), 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.loop = true;
  const output = context.createMediaStreamDestination();
  source.connect(output);
  source.start();
  return output.stream;
}

function sample(seconds: number): number {
  return HERTZ.reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * seconds), 0) / HERTZ.length / 2;
}
