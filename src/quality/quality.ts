/** How a call sounds, as the page and the views know it. */

/** The most important first: if several are raised, the views show the first. */
export const QUALITY_WARNINGS = [
  /** The agent speaks while muted. */
  'muted-speech',
  /** The microphone delivers nothing, though nobody has muted it here. */
  'microphone-silent',
  /** The way to the customer loses sound. */
  'loss-to-customer',
  /** The way to the agent loses sound. */
  'loss-to-agent',
] as const;
export type QualityWarning = (typeof QUALITY_WARNINGS)[number];

export type QualityLevel = 'good' | 'fair' | 'poor';

/** How the call sounded in the last six seconds. `mos` and `level` are absent if the agent received no sound in them. */
export interface Quality {
  /** Mean opinion score of the worse direction: 1 (bad) to 4.5 (excellent), one decimal. */
  readonly mos?: number | undefined;
  readonly level?: QualityLevel | undefined;
  readonly warnings: readonly QualityWarning[];
}

/** Of the time in the call in which the agent received sound. What could not be measured is absent. */
export interface CallQuality {
  readonly mos: number;
  readonly worstMos: number;
  /** Of the worse direction. */
  readonly lossPercent: number;
  readonly jitterMs?: number | undefined;
  readonly roundTripMs?: number | undefined;
}

/** Mute and hold end some warnings at once. */
export function possibleWarnings(
  warnings: readonly QualityWarning[],
  { muted, held }: { readonly muted: boolean; readonly held: boolean },
): readonly QualityWarning[] {
  if (held) return [];
  return warnings.filter((one) => one !== (muted ? 'microphone-silent' : 'muted-speech'));
}
