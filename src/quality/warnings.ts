/**
 * Which warnings are raised, sample by sample. Pure.
 *
 * | warning           | bad                                   | raised after | good            | cleared after |
 * | ----------------- | ------------------------------------- | ------------ | --------------- | ------------- |
 * | muted-speech      | speaks in a sample while muted        | at once      | says nothing    | 6 s           |
 * | microphone-silent | digital silence, or a muted device    | 4 s; 20 s once it was heard | any sound | at once |
 * | loss-to-customer  | 8 % or more of the last 6 s are lost  | at once      | less than 5 %   | at once       |
 * | loss-to-agent     | as loss-to-customer                   |              |                 |               |
 *
 * Between bad and good, a warning stays as it is. It does not change within 5 s of its last change. Exception: mute and
 * hold immediately end a warning that they make impossible. Headsets with a noise gate send digital silence while the agent only listens:
 * therefore a microphone that was heard has more time.
 */
import { QUALITY_WARNINGS, possibleWarnings, type QualityWarning } from './quality.ts';

export interface WarningSample {
  /** Milliseconds of any clock that only goes forward. */
  readonly at: number;
  readonly muted: boolean;
  readonly held: boolean;
  /** Of the last 6 s, in percent; absent: not known. */
  readonly lossToCustomer: number | undefined;
  readonly lossToAgent: number | undefined;
  /** Digital silence; absent: not known. */
  readonly isSilent: boolean | undefined;
  /** While muted. */
  readonly speaks: boolean;
}

interface WarningState {
  readonly isRaised: boolean;
  readonly changedAt: number;
}

export interface Warnings {
  readonly states: Readonly<Record<QualityWarning, WarningState>>;
  readonly silentSince: number | undefined;
  readonly wasHeard: boolean;
  readonly spokeAt: number;
}

const LEAST_MS = 5000;
const MANY_LOST = 8;
const FEW_LOST = 5;
const SILENCE_MS = 4000;
const SILENCE_OF_HEARD_MS = 20_000;
const SPEECH_MS = 6000;

const NEVER: WarningState = { isRaised: false, changedAt: -Infinity };
export const NO_WARNINGS: Warnings = {
  states: {
    'muted-speech': NEVER,
    'microphone-silent': NEVER,
    'loss-to-customer': NEVER,
    'loss-to-agent': NEVER,
  },
  silentSince: undefined,
  wasHeard: false,
  spokeAt: -Infinity,
};

export function raisedWarnings({ states }: Warnings): readonly QualityWarning[] {
  return QUALITY_WARNINGS.filter((one) => states[one].isRaised);
}

export function moveWarnings(before: Warnings, sample: WarningSample): Warnings {
  const { at, muted, held, isSilent, speaks } = sample;
  const isListened = !muted && !held;
  const silentSince = isListened && isSilent ? (before.silentSince ?? at) : undefined;
  const wasHeard = before.wasHeard || (isListened && isSilent === false);
  const spokeAt = muted && !held && speaks ? at : before.spokeAt;
  const silence = silentSince === undefined ? 0 : at - silentSince;
  const isBad: Record<QualityWarning, boolean | undefined> = {
    'muted-speech': at - spokeAt < SPEECH_MS,
    'microphone-silent':
      silence >= (wasHeard ? SILENCE_OF_HEARD_MS : SILENCE_MS) || (silence > 0 ? undefined : false),
    'loss-to-customer': isLossBad(sample.lossToCustomer),
    'loss-to-agent': isLossBad(sample.lossToAgent),
  };
  const moved = (one: QualityWarning) => moveWarning(before.states[one], one, isBad[one], sample);
  return {
    states: {
      'muted-speech': moved('muted-speech'),
      'microphone-silent': moved('microphone-silent'),
      'loss-to-customer': moved('loss-to-customer'),
      'loss-to-agent': moved('loss-to-agent'),
    },
    silentSince,
    wasHeard,
    spokeAt,
  };
}

/** `undefined`: neither bad nor good, so the warning stays as it is. An unknown loss is good. */
function isLossBad(percent = 0): boolean | undefined {
  if (percent >= MANY_LOST) return true;
  return percent < FEW_LOST ? false : undefined;
}

function moveWarning(
  state: WarningState,
  warning: QualityWarning,
  isBad: boolean | undefined,
  { at, muted, held }: WarningSample,
): WarningState {
  const isPossible = possibleWarnings([warning], { muted, held }).length > 0;
  if (!isPossible) return state.isRaised ? { isRaised: false, changedAt: at } : state;
  if (isBad === undefined || isBad === state.isRaised || at - state.changedAt < LEAST_MS) return state;
  return { isRaised: isBad, changedAt: at };
}
