/** How a call sounds, from the exchange's measurements: the E-model of ITU-T G.107, for G.711 with concealed losses. */
import type { CallQuality } from '../world/records.ts';
import type { Measured, Network } from './network.ts';

const LOSS_ROBUSTNESS_OF_G711 = 25.1;
const PACKET_MS = 20;

export function measureQuality({ toAgent, fromAgent }: Network): CallQuality {
  const directions = [toAgent.measured, fromAgent.measured];
  const most = (read: (one: Measured) => number) => Math.max(...directions.map(read));
  return {
    mos: Math.min(...directions.map(estimateMos)),
    lossPercent: most(lossPercent),
    jitterMs: most(({ jitterMs }) => jitterMs),
    roundTripMs: toAgent.measured.delayMs + fromAgent.measured.delayMs,
  };
}

function lossPercent({ packets, lost }: Measured): number {
  return (100 * lost) / Math.max(1, packets);
}

function estimateMos(measured: Measured): number {
  const loss = lossPercent(measured);
  // A receiver keeps packets back for about twice the jitter.
  const delay = measured.delayMs + PACKET_MS + 2 * measured.jitterMs;
  const x = Math.max(0, Math.log2(delay / 100));
  const byDelay = 25 * (Math.pow(1 + x ** 6, 1 / 6) - 3 * Math.pow(1 + (x / 3) ** 6, 1 / 6) + 2);
  const r = Math.max(0, 93.2 - byDelay - (95 * loss) / (loss + LOSS_ROBUSTNESS_OF_G711));
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}
