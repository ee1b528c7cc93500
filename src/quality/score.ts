/** The scores of a call: of the last seconds, and of all of it. Pure. */
import { toMos, rateTransmission } from './e-model.ts';
import type { CallQuality, QualityLevel } from './quality.ts';
import type { Flow, Interval } from './stats.ts';

/** Six seconds: loss is seen within them, and a single lost word is not yet a bad call. */
const WINDOW = 3;
/** The usual length of a packet. */
const PACKET_MS = 20;
/** G.109: below R = 80 some, below R = 60 nearly all are dissatisfied. */
const GOOD_MOS = 4;
const FAIR_MOS = 3.1;

type Direction = 'toAgent' | 'toCustomer';
const DIRECTIONS: readonly Direction[] = ['toAgent', 'toCustomer'];

type Loss = Pick<Flow, 'packets' | 'lost'>;

interface Sums {
  readonly count: number;
  readonly mos: number;
  readonly worstMos: number;
  readonly toAgent: Loss;
  readonly toCustomer: Loss;
  readonly jitterMs: number;
  readonly roundTripMs: number;
  readonly roundTrips: number;
}

export interface Scores {
  /** The latest one last. */
  readonly window: readonly Interval[];
  readonly sums: Sums;
  /** Of the window; absent: nothing came from the far end in it. */
  readonly mos: number | undefined;
}

const NOTHING = { packets: 0, lost: 0 };
export const NO_SCORES: Scores = {
  window: [],
  sums: {
    count: 0,
    mos: 0,
    worstMos: 5,
    toAgent: NOTHING,
    toCustomer: NOTHING,
    jitterMs: 0,
    roundTripMs: 0,
    roundTrips: 0,
  },
  mos: undefined,
};

export function addInterval({ window: earlier, sums }: Scores, interval: Interval): Scores {
  const window = [...earlier, interval].slice(-WINDOW);
  const toAgent = mosIn(window, 'toAgent');
  // An agent who hears nothing is in no good call, whatever the far end reports.
  const mos = toAgent && Math.min(toAgent, mosIn(window, 'toCustomer') ?? toAgent);
  return { window, sums: mos === undefined ? sums : added(sums, mos, interval), mos };
}

/** In percent; absent: nothing was measured. */
export function lossPercentIn(window: readonly Interval[], direction: Direction): number | undefined {
  const { packets, lost } = total(window.map((one) => one[direction]));
  return packets > 0 ? (100 * lost) / packets : undefined;
}

export function qualityLevel(mos: number): QualityLevel {
  if (mos >= GOOD_MOS) return 'good';
  return mos >= FAIR_MOS ? 'fair' : 'poor';
}

export function summarize({ sums }: Scores): CallQuality | undefined {
  const { count, mos, worstMos, jitterMs, roundTripMs, roundTrips } = sums;
  if (count === 0) return undefined;
  const losses = DIRECTIONS.map((one) => (100 * sums[one].lost) / Math.max(1, sums[one].packets));
  return {
    mos: rounded(mos / count),
    worstMos: rounded(worstMos),
    lossPercent: rounded(Math.max(...losses)),
    jitterMs: Math.round(jitterMs / count),
    roundTripMs: roundTrips > 0 ? Math.round(roundTripMs / roundTrips) : undefined,
  };
}

/** To one decimal: nobody hears a smaller difference. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function mosIn(window: readonly Interval[], direction: Direction): number | undefined {
  const flows = window.map((one) => one[direction]).filter((one) => one !== undefined);
  const last = flows.at(-1);
  const lossPercent = lossPercentIn(window, direction);
  if (!last || lossPercent === undefined) return undefined;
  const roundTripMs = window.at(-1)?.roundTripMs ?? 0;
  // A jitter buffer delays packets by about twice the jitter. Its own value is not used: the far end does not report it, and in
  // this browser a slow processor makes it longer.
  const delayMs = roundTripMs / 2 + PACKET_MS + 2 * last.jitterMs;
  return toMos(rateTransmission({ codec: last.codec, delayMs, lossPercent, burstRatio: last.burstRatio }));
}

function added(sums: Sums, mos: number, { toAgent, toCustomer, roundTripMs }: Interval): Sums {
  return {
    count: sums.count + 1,
    mos: sums.mos + mos,
    worstMos: Math.min(sums.worstMos, mos),
    toAgent: total([sums.toAgent, toAgent]),
    toCustomer: total([sums.toCustomer, toCustomer]),
    jitterMs: sums.jitterMs + Math.max(toAgent?.jitterMs ?? 0, toCustomer?.jitterMs ?? 0),
    roundTripMs: sums.roundTripMs + (roundTripMs ?? 0),
    roundTrips: sums.roundTrips + (roundTripMs === undefined ? 0 : 1),
  };
}

function total(flows: readonly (Loss | undefined)[]): Loss {
  let packets = 0;
  let lost = 0;
  for (const flow of flows) {
    packets += flow?.packets ?? 0;
    lost += flow?.lost ?? 0;
  }
  return { packets, lost };
}
