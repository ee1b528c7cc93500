/**
 * The mean opinion score of one direction, by the E-model of ITU-T G.107 (06/2015): R = 93.2 − Idd − Ie,eff, with the default
 * values for all that a browser cannot measure, and without echo, which the browser cancels.
 *
 * - Idd, the impairment by absolute delay: formulas 7-27 and 7-28 with the default delay sensitivity.
 * - Ie,eff, by codec and loss: formula 7-29. G.711: Ie 0, Bpl 25.1 (G.113, Appendix I, with packet loss concealment). Opus:
 *   G.113 has no narrowband value, so Ie 0 and Bpl 20, as the open `rtcscore` takes for Opus with forward error correction.
 * - MOS from R: Annex B.
 */

/** R without delay or loss, from the default values. */
const BEST_RATING = 93.2;
const WORST_IMPAIRMENT = 95;
const UNNOTICED_DELAY_MS = 100;
const LOSS_ROBUSTNESS: Readonly<Record<string, number>> = { pcmu: 25.1, pcma: 25.1, opus: 20 };
const LOSS_ROBUSTNESS_OF_OTHERS = 10;

interface Transmission {
  /** `pcmu`, `opus`, …: a codec that is not known counts as less robust than these. */
  readonly codec: string;
  /** One way, from mouth to ear. */
  readonly delayMs: number;
  readonly lossPercent: number;
  /** Mean length of a loss, compared with that of random losses: 1 is random, more is bursty. */
  readonly burstRatio: number;
}

export function rateTransmission({ codec, delayMs, lossPercent, burstRatio }: Transmission): number {
  const robustness = LOSS_ROBUSTNESS[codec] ?? LOSS_ROBUSTNESS_OF_OTHERS;
  const byLoss = (WORST_IMPAIRMENT * lossPercent) / (lossPercent / burstRatio + robustness);
  return BEST_RATING - byDelay(delayMs) - byLoss;
}

export function toMos(rating: number): number {
  if (rating <= 0) return 1;
  if (rating >= 100) return 4.5;
  const mos = 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6;
  // If the rating is small, the curve dips below 1.
  return Math.max(1, mos);
}

function byDelay(delayMs: number): number {
  if (delayMs <= UNNOTICED_DELAY_MS) return 0;
  const x = Math.log2(delayMs / UNNOTICED_DELAY_MS);
  return 25 * ((1 + x ** 6) ** (1 / 6) - 3 * (1 + (x / 3) ** 6) ** (1 / 6) + 2);
}
