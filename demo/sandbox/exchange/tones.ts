/** Audible tones as G.711 µ-law: the other party's ringback, 20 ms at a time. */

/** Samples (and bytes) in one 20 ms frame at 8 kHz. */
const FRAME_SAMPLES = 160;
export const FRAME_MS = 20;

const SAMPLE_RATE = 8000;
/** The ringback frequency of most of the world's networks, in Hz. */
const RINGBACK_HZ = 425;
const AMPLITUDE = 8000;

/** One frame of ringback; `frame` counts from 0 so that the sine goes on without a click. */
export function ringbackFrame(frame: number): Buffer {
  const payload = Buffer.allocUnsafe(FRAME_SAMPLES);
  for (let i = 0; i < FRAME_SAMPLES; i++) {
    const seconds = (frame * FRAME_SAMPLES + i) / SAMPLE_RATE;
    payload[i] = muLaw(Math.round(AMPLITUDE * Math.sin(2 * Math.PI * RINGBACK_HZ * seconds)));
  }
  return payload;
}

/** Well above the noise of a microphone in which nobody speaks. */
const LOUD = 0x30;

/** Can anything be heard in this audio? The bits of a sample are sent inverted, and the highest is its sign. */
export function isLoud(muLawAudio: Uint8Array): boolean {
  return muLawAudio.some((sample) => (~sample & 0x7f) >= LOUD);
}

/** A 16-bit linear sample as µ-law (ITU-T G.711). */
function muLaw(sample: number): number {
  const BIAS = 0x84;
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + BIAS;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}
