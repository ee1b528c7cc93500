/** What a report of the browser says of the call's audio, and what has happened between two of them. */
import * as z from 'zod/mini';

const SECOND_MS = 1000;
/** From fewer packets no loss is computed: the other side is held, or sends comfort noise. */
const FEW_PACKETS = 10;

const number = z.catch(z.optional(z.number()), undefined);
const text = z.catch(z.optional(z.string()), undefined);

/** The fields that are used here, for all types of entries. */
const entrySchema = z.object({
  type: z.string(),
  kind: text,
  timestamp: number,
  codecId: text,
  mimeType: text,
  state: text,
  nominated: z.catch(z.optional(z.boolean()), undefined),
  packetsSent: number,
  packetsReceived: number,
  packetsLost: number,
  jitter: number,
  totalSamplesReceived: number,
  concealedSamples: number,
  silentConcealedSamples: number,
  concealmentEvents: number,
  roundTripTime: number,
  currentRoundTripTime: number,
  totalAudioEnergy: number,
});
type Entry = z.infer<typeof entrySchema>;

/** The far end's latest report of what it receives. */
interface Receipt {
  readonly timestamp: number | undefined;
  readonly packetsLost: number;
  /** By this side until then. */
  readonly packetsSent: number;
  readonly jitterMs: number;
}

export interface Snapshot {
  readonly inbound: Entry | undefined;
  readonly outbound: Entry | undefined;
  readonly source: Entry | undefined;
  readonly receipt: Receipt | undefined;
  readonly roundTripMs: number | undefined;
  readonly codecIn: string;
  readonly codecOut: string;
}

/** One direction, between two reports. */
export interface Flow {
  readonly codec: string;
  readonly packets: number;
  readonly lost: number;
  readonly jitterMs: number;
  readonly burstRatio: number;
}

export interface Interval {
  /** What the agent hears; absent: too little came to tell. */
  readonly toAgent: Flow | undefined;
  /** What the customer hears; absent: the far end has reported nothing since. */
  readonly toCustomer: Flow | undefined;
  readonly roundTripMs: number | undefined;
  /** Did the microphone deliver digital silence only, or nothing at all? Absent: this browser does not tell. */
  readonly isSilent: boolean | undefined;
}

/** @param previous the snapshot before: a report of the far end counts once */
export function parseStats(report: RTCStatsReport, previous?: Snapshot): Snapshot {
  const entries: Entry[] = [];
  const codecs = new Map<string, string>();
  // oxlint-disable-next-line unicorn/no-array-for-each -- not every browser's report can be iterated
  report.forEach((value: unknown, id: string) => {
    const { data } = z.safeParse(entrySchema, value);
    if (!data) return;
    entries.push(data);
    if (data.type === 'codec') codecs.set(id, data.mimeType?.split('/')[1]?.toLowerCase() ?? '');
  });
  const audio = (type: string) => entries.find((one) => one.type === type && one.kind === 'audio');
  const inbound = audio('inbound-rtp');
  const outbound = audio('outbound-rtp');
  const remote = audio('remote-inbound-rtp');
  const pair = entries.find(
    (one) => one.type === 'candidate-pair' && one.nominated && one.state === 'succeeded',
  );
  const roundTrip = remote?.roundTripTime ?? pair?.currentRoundTripTime;
  const codecName = (entry: Entry | undefined) => codecs.get(entry?.codecId ?? '') ?? '';
  return {
    inbound,
    outbound,
    source: audio('media-source'),
    receipt: readReceipt(remote, outbound, previous?.receipt),
    roundTripMs: roundTrip === undefined ? undefined : roundTrip * SECOND_MS,
    codecIn: codecName(inbound),
    codecOut: codecName(outbound),
  };
}

export function compareSnapshots(before: Snapshot, now: Snapshot): Interval {
  return {
    toAgent: toAgent(before, now),
    toCustomer: toCustomer(before, now),
    roundTripMs: now.roundTripMs,
    isSilent: isSilent(before.source, now.source),
  };
}

function readReceipt(
  remote: Entry | undefined,
  outbound: Entry | undefined,
  previous: Receipt | undefined,
): Receipt | undefined {
  if (!remote || remote.timestamp === previous?.timestamp) return previous;
  return {
    timestamp: remote.timestamp,
    packetsLost: remote.packetsLost ?? 0,
    packetsSent: outbound?.packetsSent ?? 0,
    jitterMs: (remote.jitter ?? 0) * SECOND_MS,
  };
}

/** Packets that came too late to be played were lost, too: concealed audio is used if it is more than what the network lost. */
function toAgent({ inbound: before }: Snapshot, { inbound: now, codecIn }: Snapshot): Flow | undefined {
  if (!before || !now) return undefined;
  const grown = (field: keyof Entry) => difference(before[field], now[field]);
  const received = grown('packetsReceived');
  const lost = grown('packetsLost');
  const packets = received + lost;
  if (received < FEW_PACKETS) return undefined;
  const samples = grown('totalSamplesReceived');
  // Silent concealment is comfort noise, or a far end that sends nothing.
  const concealed = Math.max(0, grown('concealedSamples') - grown('silentConcealedSamples'));
  const share = Math.max(lost / packets, samples > 0 ? concealed / samples : 0);
  return {
    codec: codecIn,
    packets,
    lost: share * packets,
    jitterMs: (now.jitter ?? 0) * SECOND_MS,
    burstRatio: burstRatio(share, grown('concealmentEvents'), packets),
  };
}

function toCustomer({ receipt: before }: Snapshot, { receipt: now, codecOut }: Snapshot): Flow | undefined {
  if (!before || !now || before === now) return undefined;
  const packets = difference(before.packetsSent, now.packetsSent);
  if (packets < FEW_PACKETS) return undefined;
  const lost = Math.min(packets, difference(before.packetsLost, now.packetsLost));
  return { codec: codecOut, packets, lost, jitterMs: now.jitterMs, burstRatio: 1 };
}

/** Random losses of a share p have a mean length of 1 / (1 − p). */
function burstRatio(share: number, events: number, packets: number): number {
  if (events === 0 || share >= 1) return 1;
  return Math.max(1, ((share * packets) / events) * (1 - share));
}

function isSilent(before: Entry | undefined, now: Entry | undefined): boolean | undefined {
  if (before?.totalAudioEnergy === undefined || now?.totalAudioEnergy === undefined) return undefined;
  return now.totalAudioEnergy === before.totalAudioEnergy;
}

/** Counters begin at 0 again if the stream does. */
function difference(before: unknown, now: unknown): number {
  return Math.max(0, Number(now ?? 0) - Number(before ?? 0));
}
