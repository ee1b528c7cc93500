/** What a worker process and the runner tell each other. */

/** The variable that tells a worker how many milliseconds a test may take. */
export const TEST_TIMEOUT = 'TEST_TIMEOUT_MS';

/** Runner to worker: run the tests of this file. */
export interface RunFile {
  readonly file: string;
}

/** Worker to runner, as it comes from `node:test`. */
export type WorkerMessage =
  | { readonly type: 'started'; readonly nesting: number; readonly name: string }
  | { readonly type: 'path'; readonly nesting: number; readonly name: string }
  | {
      readonly type: 'ended';
      readonly nesting: number;
      readonly name: string;
      readonly isSuite: boolean;
      readonly ms: number;
      readonly outcome: 'passed' | 'failed' | 'skipped';
      /** A group that failed only because a test in it did. */
      readonly isOnlyParent: boolean;
      readonly reason: string | undefined;
    }
  | { readonly type: 'note'; readonly text: string };
