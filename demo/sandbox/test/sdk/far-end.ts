/** The exchange and whoever is behind it: what it saw, and what it can be made to do to the member. */
import { expect } from '@playwright/test';
import type { Sandbox } from '../../sandbox.ts';
import type { CallRecord, RegistrationRecord } from '../../world/world.ts';

const CALLER = '0912345678';
/** Any address: the sandbox is asked in-process. */
const CONTROLS = 'http://127.0.0.1/sandbox';

export class FarEnd {
  readonly #sandbox: Sandbox;
  readonly #memberNo: string;

  constructor(sandbox: Sandbox, memberNo: string) {
    this.#sandbox = sandbox;
    this.#memberNo = memberNo;
  }

  /** Every call the exchange saw, the last one last. */
  get calls(): readonly CallRecord[] {
    return this.#sandbox.world.calls;
  }

  /** The last call the exchange saw; rejects when it sees none. */
  async call(): Promise<CallRecord> {
    await expect.poll(() => this.calls, { intervals: [10] }).not.toHaveLength(0);
    return this.calls.at(-1)!;
  }

  /** Somebody calls the member. */
  async ring(name?: string, externalCallId?: string): Promise<CallRecord> {
    await this.#control('calls', { memberNo: this.#memberNo, from: CALLER, name, externalCallId });
    return this.call();
  }

  /** The other party hangs up, or gives up. */
  async hangUp(call: CallRecord): Promise<void> {
    await this.#control(`calls/${call.id}/hang-up`);
  }

  /** Another device of the member answers. */
  async answerElsewhere(call: CallRecord): Promise<void> {
    await this.#control(`calls/${call.id}/answer-elsewhere`);
  }

  /** Cuts the member's connection, as a failing network does. */
  async dropSockets(): Promise<void> {
    await this.#control('sockets/drop');
  }

  async registrations(): Promise<RegistrationRecord[]> {
    const answer = await this.#sandbox.fetch(new Request(`${CONTROLS}/registrations`));
    return (await answer.json()) as RegistrationRecord[];
  }

  async #control(path: string, body: object = {}): Promise<void> {
    const answer = await this.#sandbox.fetch(
      new Request(`${CONTROLS}/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    expect(answer.ok, `POST /sandbox/${path} answered ${answer.status}`).toBe(true);
  }
}
