/** What only a call, a guide or a press needs: fetched before it can be missed, but not while the phone is on its way. */
import { chunks as brokerCode } from '../broker/client.ts';
import { chunks as callCode } from '../dialer/late-calls.ts';
import { numberCode } from '../dialer/number-code.ts';
import type { Language } from '../i18n/language.ts';
import { wordsFor } from '../i18n/words-for.ts';
import { chunks as companionCode } from '../ui/late-companions.ts';
import { chunks as panelCode } from '../ui/panels.ts';

/** A page that is never idle. */
const LONGEST_WAIT_MS = 1000;

/** Resolves when all has come. @throws {DialerError} `sdk-load-failed`: what is missing is asked for again when it is needed */
export async function fetchTheRest(...languages: readonly Language[]): Promise<void> {
  const { calls } = callCode;
  const { calls: callViews, guide } = panelCode;
  const { answers } = brokerCode;
  const chunks = [numberCode, calls, callViews, guide, companionCode.companions, answers];
  await Promise.all(
    [...chunks, ...languages.map((language) => wordsFor(language))].map((chunk) => chunk.load()),
  );
}

/** As soon as the browser has nothing better to do. */
export function whenIdle(work: () => void): void {
  // Safari has none.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: LONGEST_WAIT_MS });
  else setTimeout(work);
}
