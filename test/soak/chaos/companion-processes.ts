/** The companions of a campaign, each in a process of its own that is killed, stopped, and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { REST_PATH, type CompanionPlan } from './plan.ts';

/** Milliseconds; longer than anything takes that they do. */
const REST_MS = 20_000;

export class CompanionProcesses {
  kills = 0;
  stops = 0;
  /** How often the store has failed a companion. */
  failures = 0;
  readonly #script: string;
  readonly #plan: Omit<CompanionPlan, 'clockJumps'>;
  readonly #processes: { child: ChildProcess; origin: string | undefined; stopped: boolean }[] = [];
  #closed = false;
  #broken = false;

  constructor(script: string, plan: Omit<CompanionPlan, 'clockJumps'>, size: number) {
    this.#script = script;
    this.#plan = plan;
    for (let place = 0; place < size; place += 1) this.#start(place);
    // One that is stopped would not notice that it is alone.
    process.once('exit', this.#killAll);
  }

  readonly #killAll = (): void => {
    for (const { child } of this.#processes) child.kill('SIGKILL');
  };

  get size(): number {
    return this.#processes.length;
  }

  /** The places of those that are neither starting nor stopped. */
  running(): readonly number[] {
    return this.#processes.flatMap(({ origin, stopped }, place) => (origin && !stopped ? [place] : []));
  }

  /** Resolves when every companion has answered from its port. */
  async ready(): Promise<void> {
    while (
      !this.#broken &&
      !this.#processes.every(({ origin, stopped }) => origin !== undefined && !stopped)
    ) {
      await delay(20);
    }
    if (this.#broken) throw new Error('A companion has ended by itself.');
  }

  /** Asks the companion at this place for a session; whatever becomes of that. */
  ask(place: number, memberNo: string): Promise<void> {
    return this.#get(place, `/${memberNo}`, 3000);
  }

  async #get(place: number, path: string, ms: number): Promise<void> {
    const origin = this.#processes[place]?.origin;
    if (origin === undefined) return;
    const signal = AbortSignal.timeout(ms);
    await fetch(`${origin}${path}`, { signal }).then(
      (answer) => answer.text(),
      () => undefined,
    );
  }

  /** Resolves when none of them is busy with what it was asked before. */
  async rest(): Promise<void> {
    const places = this.#processes.keys();
    await Promise.all([...places].map((place) => this.#get(place, REST_PATH, REST_MS)));
  }

  kill(place: number): void {
    const one = this.#processes[place];
    if (!one) return;
    this.kills += 1;
    one.origin = undefined;
    one.child.kill('SIGKILL');
  }

  stop(place: number, ms: number): void {
    const one = this.#processes[place];
    if (!one) return;
    this.stops += 1;
    one.stopped = true;
    one.child.kill('SIGSTOP');
    setTimeout(() => {
      one.stopped = false;
      one.child.kill('SIGCONT');
    }, ms);
  }

  async close(): Promise<void> {
    this.#closed = true;
    process.off('exit', this.#killAll);
    const alive = this.#processes
      .map(({ child }) => child)
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(
      alive.map((child) => {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        return exit;
      }),
    );
  }

  #start(place: number): void {
    // One of them is on a host whose clock is not to be trusted.
    const plan: CompanionPlan = { ...this.#plan, clockJumps: place === 0 };
    const args = [this.#script, JSON.stringify(plan)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const one = { child, origin: undefined as string | undefined, stopped: false };
    this.#processes[place] = one;
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'failed') this.failures += 1;
      else one.origin = `http://127.0.0.1:${line}`;
    });
    child.once('exit', (code) => {
      one.origin = undefined;
      this.#broken ||= code !== null;
      if (!this.#closed && !this.#broken) this.#start(place);
    });
  }
}
