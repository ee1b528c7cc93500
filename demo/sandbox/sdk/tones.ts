/** The default sounds, generated so that nothing is fetched: short telephone tones as WAV data URLs. */

interface Tone {
  readonly hertz: readonly number[];
  /** Seconds of sound and of silence after it, one after the other. */
  readonly pattern: readonly number[];
}

const TONES = {
  ringtone: { hertz: [440, 554], pattern: [0.4, 0.2, 0.4, 2] },
  ringback: { hertz: [425], pattern: [1, 4] },
  disconnect: { hertz: [425], pattern: [0.2, 0.2, 0.2, 0.2] },
} satisfies Record<string, Tone>;

const SAMPLE_RATE = 4000;
const HEADER_BYTES = 44;
const SILENCE = 128;
const LOUDNESS = 40;

const urls = new Map<string, string>();

export function toneUrl(name: keyof typeof TONES): string {
  const url = urls.get(name) ?? `data:audio/wav;base64,${btoa(wave(TONES[name]))}`;
  urls.set(name, url);
  return url;
}

/** One period of the tone as an 8-bit mono WAV file, one character a byte. */
function wave({ hertz, pattern }: Tone): string {
  const samples = pattern.flatMap((seconds, index) =>
    Array.from({ length: seconds * SAMPLE_RATE }, (_, sample) =>
      index % 2 ? SILENCE : level(hertz, sample),
    ),
  );
  const bytes = new Uint8Array(HEADER_BYTES + samples.length);
  const view = new DataView(bytes.buffer);
  const text = (offset: number, value: string) => bytes.set(new TextEncoder().encode(value), offset);
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, samples.length, true);
  bytes.set(samples, HEADER_BYTES);
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function level(hertz: readonly number[], sample: number): number {
  const sum = hertz.reduce((total, f) => total + Math.sin((2 * Math.PI * f * sample) / SAMPLE_RATE), 0);
  return Math.round(SILENCE + (LOUDNESS * sum) / hertz.length);
}
