/** Runs test files of `node:test` in a few worker processes, many files in each. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TEST_TIMEOUT, type RunFile, type WorkerMessage } from './message.ts';
import type { OnFile, TestResult } from './result.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** What compiles TypeScript; a runner within a worker has its reporter there, too. */
const LOADER = process.execArgv.filter(
  (argument, index, all) => ![argument, all[index - 1]].includes('--test-reporter'),
);
const REPORTER = new URL('reporter.ts', import.meta.url).href;

export interface NodePart {
  readonly part: string;
  readonly files: readonly string[];
  /** How many files at once, each in a process of its own. */
  readonly workers: number;
  /** Resolves when that worker may begin; absent: at once. */
  readonly turn?: (worker: number) => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  /** For a test or a hook that names no limit of its own; the file goes on after one that takes longer. */
  readonly testTimeoutMs: number;
  /** A worker that tells of nothing for so long is stopped: the test it is in blocks the whole process. */
  readonly silenceMs: number;
}

export async function runInNode(plan: NodePart, onFile: OnFile): Promise<TestResult[]> {
  const waiting = [...plan.files];
  const all: TestResult[] = [];
  const work = async (_: unknown, place: number) => {
    await plan.turn?.(place);
    let worker: Worker | undefined;
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      worker = worker?.isUsable ? worker : new Worker(plan);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const { results, output } = await worker.run(file);
      onFile(file, results, output);
      all.push(...results);
    }
    await worker?.close();
  };
  await Promise.all(Array.from({ length: plan.workers }, work));
  return all;
}

interface FileOutcome {
  readonly results: TestResult[];
  readonly output: string;
}

class Worker {
  readonly #part: string;
  readonly #silenceMs: number;
  readonly #process: ChildProcess;
  #output = '';
  isUsable = true;

  constructor({ part, env, testTimeoutMs, silenceMs }: NodePart) {
    this.#part = part;
    this.#silenceMs = silenceMs;
    this.#process = fork(WORKER, {
      execArgv: [...LOADER, '--test-reporter', REPORTER],
      env: { ...process.env, ...env, [TEST_TIMEOUT]: String(testTimeoutMs) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const keep = (text: string) => (this.#output += text);
    this.#process.stdout?.setEncoding('utf8').on('data', keep);
    this.#process.stderr?.setEncoding('utf8').on('data', keep);
  }

  /** Resolves when the file is over, or the process is. */
  run(file: string): Promise<FileOutcome> {
    this.#output = '';
    const results: TestResult[] = [];
    const path: string[] = [];
    const running: string[] = [];
    const began = performance.now();
    return new Promise((resolve) => {
      let silence: NodeJS.Timeout | undefined;
      const fail = (name: string, reason: string) =>
        results.push({
          part: this.#part,
          file,
          name,
          outcome: 'failed',
          ms: performance.now() - began,
          reason,
        });
      const end = () => {
        clearTimeout(silence);
        this.#process.off('message', read).off('exit', die);
        resolve({ results, output: this.#output });
      };
      const die = (code: number | null, signal: string | null) => {
        this.isUsable = false;
        fail(running.at(-1) ?? 'the file', `The process ended (${signal ?? code}) in the middle of it.`);
        end();
      };
      const hang = () => {
        this.isUsable = false;
        this.#process.off('exit', die).kill('SIGKILL');
        fail(running.at(-1) ?? 'the file', `Nothing has happened in it for ${this.#silenceMs / 1000} s.`);
        end();
      };
      const read = (message: WorkerMessage) => {
        clearTimeout(silence);
        silence = setTimeout(hang, this.#silenceMs);
        if (message.type === 'note') return void (this.#output += `${message.text}\n`);
        const { nesting, name } = message;
        if (message.type === 'started') return nesting > 0 ? void running.push(name) : undefined;
        if (message.type === 'path') return void path.splice(nesting, Infinity, name);
        if (nesting > 0) running.splice(running.lastIndexOf(name), 1);
        const { isSuite, isOnlyParent, outcome, ms, reason } = message;
        if (!isSuite || (outcome === 'failed' && !isOnlyParent)) {
          const whole = [...path.slice(1, nesting), nesting === 0 ? 'the file' : name].join(' › ');
          results.push({ part: this.#part, file, name: whole, outcome, ms, reason });
        }
        if (nesting > 0) return;
        if (results.length === 0) fail('the file', 'It holds no test.');
        end();
      };
      silence = setTimeout(hang, this.#silenceMs);
      this.#process.on('message', read).on('exit', die);
      this.#process.send({ file } satisfies RunFile);
    });
  }

  async close(): Promise<void> {
    if (!this.isUsable) return;
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }
}
