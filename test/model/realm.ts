/** What runs inside the page of the dialers, a document of its own: one that went wrong is thrown away. */
import '../../src/index.ts';
// In the file itself: a chunk would come in real time, and import this file once more, under another address.
import '../../src/broker/customers.ts';
import '../../src/broker/repeated-read.ts';
import '../../src/dialer/calls.ts';
import '../../src/element/click-to-call.ts';
import '../../src/element/phone.ts';
import '../../src/i18n/en.ts';
import '../../src/i18n/vi.ts';
import '../../src/ui/bubble.ts';
import '../../src/ui/call-panel.ts';
import '../../src/ui/companions.ts';
import '../../src/ui/guide.ts';
import '../../src/ui/recent-calls.ts';
import { chunks as brokerCode } from '../../src/broker/client.ts';
import { fetchTheRest } from '../../src/element/the-rest.ts';
import { partOf, play, sequenceOf } from './runner.ts';
import type { Sequence } from './steps.ts';
import type { Violation } from './world.ts';

export interface Played {
  readonly violations: readonly Violation[];
  /** What happened when. */
  readonly journal: readonly string[];
  readonly sequence: Sequence;
  /** How often what happened, to see that sequences get anywhere. */
  readonly coverage: Readonly<Record<string, number>>;
}

declare global {
  interface Window {
    playModel?: (seed: number, path?: readonly number[]) => Promise<Played>;
  }
}

/** What is fetched in the middle of a sequence comes in real time, sooner or later. */
async function fetchAllCode(): Promise<void> {
  await Promise.all([
    brokerCode.reader.load(),
    fetchTheRest('en', 'vi'),
    // What has no name outside its file is in the browser's own memory from here on.
    import('../../src/broker/customers.ts'),
    import('../../src/element/click-to-call.ts'),
    import('../../src/element/phone.ts'),
    import('../../src/ui/bubble.ts'),
    import('../../src/ui/recent-calls.ts'),
  ]);
}

/** Lets the page around this one play sequences here. */
export function offerToPlay(): void {
  // It answers in real time, and would give one sequence the recent calls of another.
  Object.defineProperty(window, 'indexedDB', { value: undefined });
  window.playModel = async (seed, path) => {
    await fetchAllCode();
    const whole = sequenceOf(seed);
    const sequence = path ? partOf(whole, path) : whole;
    return { sequence, ...(await play(sequence, seed)) };
  };
}
