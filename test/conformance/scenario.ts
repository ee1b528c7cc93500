/** What a scenario is: one habit of the calling SDK, by name, and how to see whether this script has it. */
import type { Bench } from './bench.ts';
import type { Microphone } from './observer.ts';

export interface Scenario {
  /** The behaviour, as a sentence. */
  readonly name: string;
  /** What the page gets when it asks for the microphone; granted unless said otherwise. */
  readonly microphone?: Microphone;
  /** It takes longer than three seconds, so only CI and `npm run test:sdk` play it. */
  readonly isSlow?: true;
  /** It differs from another one in a number or a phrase: only those play it, too. */
  readonly isVariation?: true;
  /** Throws when the behaviour does not hold. */
  run(bench: Bench): Promise<void>;
}

/** Of each family, where not all are played: the first ones are what the others vary. */
const FIRST_ONES = 3;

/** Is it played by `npm test`, too? */
export function isForAll(scenario: Scenario, family: readonly Scenario[]): boolean {
  const quick = family.filter(({ isSlow, isVariation }) => !isSlow && !isVariation);
  return quick.slice(0, FIRST_ONES).includes(scenario);
}

/** Of scenarios that are alike the first ones are in `npm test`. */
export function varying(scenarios: readonly Scenario[], count: number): Scenario[] {
  return scenarios.map((scenario, index) => (index < count ? scenario : { ...scenario, isVariation: true }));
}

/** Scenarios about one subject. */
export interface Family {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}
