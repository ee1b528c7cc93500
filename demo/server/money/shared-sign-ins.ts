/**
 * Two tabs of one member that open at once need one run of provisioning, also if their requests reach two companions: the
 * second one waits for the first one's result, and never longer than that takes. It passes through PostgreSQL, sealed by a
 * key that only companions of this vendor account have: a token is never there in clear.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SpareStore } from './spare-store.ts';

/** A companion that died over a run keeps others waiting no longer than they would anyhow. */
const WAIT_MS = 2000;
const LOOK_MS = 40;
/** By then whoever waited has looked. */
const CLEAR_MS = 2000;
const [IV_BYTES, TAG_BYTES] = [12, 16];

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;
/** Whose run it is: this one's if none is under way. */
const CLAIM = `insert into sign_in as earlier (member, run, until, waiting) values ($1, $2, ${NOW} + ${WAIT_MS}, 0)
  on conflict (member) do update set
    run = case when earlier.until < ${NOW} then excluded.run else earlier.run end,
    until = case when earlier.until < ${NOW} then excluded.until else earlier.until end,
    waiting = case when earlier.until < ${NOW} then 0 else earlier.waiting + 1 end,
    result = null
  returning run`;
const FINISH = `update sign_in set until = 0, result = case when waiting > 0 then $3 end
  where member = $1 and run = $2 returning waiting`;
const LOOK = `select until < ${NOW} as "isOver", result from sign_in where member = $1 and run = $2`;
const CLEAR = `update sign_in set result = null where member = $1 and run = $2`;

export class SharedSignIns {
  readonly #store: SpareStore;
  readonly #key: Buffer;

  /** @param secret what all companions of a vendor account have in common */
  constructor(store: SpareStore, secret: string) {
    this.#store = store;
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'sign-ins shared among companions', 32));
  }

  /** The result of the work, or of another companion's that is under way; it has to survive JSON. */
  async run<T>(memberNo: string, work: () => Promise<T>): Promise<T> {
    const run = randomBytes(12).toString('base64url');
    const current = await this.#ask('claim', CLAIM, memberNo, run);
    if (current && current['run'] !== run) {
      return (await this.#waitFor<T>(memberNo, String(current['run']))) ?? work();
    }
    try {
      const result = await work();
      void this.#finish(memberNo, run, this.#seal(memberNo, JSON.stringify(result)));
      return result;
    } catch (error) {
      void this.#finish(memberNo, run);
      throw error;
    }
  }

  /** Undefined: it came to nothing. */
  async #waitFor<T>(memberNo: string, run: string): Promise<T | undefined> {
    const giveUp = performance.now() + WAIT_MS;
    while (performance.now() < giveUp) {
      await delay(LOOK_MS);
      const row = await this.#ask('look', LOOK, memberNo, run);
      const text = typeof row?.['result'] === 'string' && this.#open(memberNo, row['result']);
      // What a companion has sealed is what it was.
      if (text) return JSON.parse(text) as T;
      if (!row || row['isOver']) return undefined;
    }
    return undefined;
  }

  async #finish(memberNo: string, run: string, sealed?: string): Promise<void> {
    const row = await this.#ask('finish', FINISH, memberNo, run, sealed);
    if (!row?.['waiting']) return;
    setTimeout(() => void this.#ask('clear', CLEAR, memberNo, run), CLEAR_MS).unref();
  }

  /** The one row; undefined: there is none, or the store is away. */
  #ask(
    name: string,
    text: string,
    ...values: (string | undefined)[]
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    return this.#store.attempt(
      async (pool) => (await pool.query({ name: `sign-in ${name}`, text, values })).rows[0],
    );
  }

  #seal(memberNo: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(memberNo));
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Undefined: it was sealed by another key, or for another member. */
  #open(memberNo: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(memberNo))
        .setAuthTag(rest.subarray(0, TAG_BYTES));
      return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
