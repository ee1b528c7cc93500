/** Tries every scenario on a bench of its own, a few at a time, and says how each went. */
import { performance } from 'node:perf_hooks';
import type { Browser } from 'playwright-core';
import { BenchPage } from './bench-page.ts';
import { launchBrowser } from './browser.ts';
import { FAMILIES } from './families.ts';
import { openBench } from './open-bench.ts';
import type { Microphone } from './observer.ts';
import type { Scenario } from './scenario.ts';
import type { SdkScript } from './sdk-script.ts';

/** Most of a scenario is waiting for a bell or a voice, so several fit beside each other, unless other tests do. */
const AT_ONCE = 3;
const AT_ONCE_BESIDE_OTHERS = 1;
const LIMIT_MS = 60_000;
/** Of each family, where not all are played: the first ones are what the others vary. */
const FIRST_ONES = 3;

export interface Outcome {
  readonly family: string;
  readonly scenario: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** Why it failed. */
  readonly reason: string | undefined;
}

export interface SuiteOptions {
  /** Only scenarios whose family and name contain this. */
  readonly only?: string | undefined;
  /** Those too that take longer than three seconds or vary others of their family; they are on by default. */
  readonly isSlowToo?: boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Runs the scenarios in no particular order; the outcomes come in theirs. */
export async function runSuite(
  sdk: SdkScript,
  { only = '', isSlowToo = true, onOutcome = () => undefined }: SuiteOptions = {},
): Promise<Outcome[]> {
  const isPlayed = ({ isSlow, isVariation }: Scenario) => isSlowToo || !(isSlow || isVariation);
  const most = isSlowToo || only !== '' ? Infinity : FIRST_ONES;
  const wanted = FAMILIES.flatMap(({ name: family, scenarios }) =>
    scenarios
      .filter(isPlayed)
      .slice(0, most)
      .map((scenario) => ({ family, scenario })),
  ).filter(({ family, scenario }) =>
    `${family}: ${scenario.name}`.toLowerCase().includes(only.toLowerCase()),
  );
  const outcomes: Outcome[] = [];
  const waiting = [...wanted.entries()];
  const browser = await launchBrowser();
  try {
    const work = async () => {
      const pages = new Map<Microphone, BenchPage>();
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, { family, scenario }] = next;
        // oxlint-disable-next-line no-await-in-loop -- one bench after the other
        const outcome = {
          family,
          scenario: scenario.name,
          ...(await tryScenario(browser, pages, sdk, scenario)),
        };
        outcomes[index] = outcome;
        onOutcome(outcome);
      }
    };
    await Promise.all(Array.from({ length: isSlowToo ? AT_ONCE : AT_ONCE_BESIDE_OTHERS }, work));
  } finally {
    await browser.close();
  }
  return outcomes;
}

async function tryScenario(
  browser: Browser,
  pages: Map<Microphone, BenchPage>,
  sdk: SdkScript,
  scenario: Scenario,
): Promise<Pick<Outcome, 'passed' | 'durationMs' | 'reason'>> {
  const { microphone = 'granted' } = scenario;
  const began = performance.now();
  let reason: string | undefined;
  try {
    const page = pages.get(microphone) ?? (await BenchPage.open(browser, microphone));
    pages.set(microphone, page);
    await runOnBench(page, sdk, scenario);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
    // Whatever is wrong with it is not the next scenario's.
    await pages.get(microphone)?.close();
    pages.delete(microphone);
  }
  return { passed: reason === undefined, durationMs: performance.now() - began, reason };
}

async function runOnBench(page: BenchPage, sdk: SdkScript, scenario: Scenario): Promise<void> {
  const { bench, close } = await openBench(page, sdk);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not over after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  try {
    await Promise.race([scenario.run(bench), tooLong]);
  } finally {
    clearTimeout(timer);
    await close();
  }
}
