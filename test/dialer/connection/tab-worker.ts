/** One tab of `tab-lock-generated.test.ts`, played by a worker: its thread can hang while the other tabs go on. */
import { TabLock } from '../../../src/dialer/connection/tab-lock.ts';
import { aborted } from '../../../src/wait.ts';

export type Act = 'join' | 'take' | 'call' | 'end the call' | 'sign out' | 'hang';

export interface Order {
  readonly act: Act;
  /** Of the lock. */
  readonly name: string;
  /** For how long it hangs, or how long it takes to end its use. */
  readonly ms: number;
}

/** What the tab does with the phone, or has just been told. */
export interface Report {
  readonly is:
    | 'joins'
    | 'using'
    | 'in call'
    | 'call over'
    | 'use over'
    | 'asking'
    | 'got it'
    | 'refused'
    | 'woke'
    | 'hangs';
  /** The same for all tabs, in milliseconds. */
  readonly at: number;
}

const HEART_MS = 50;
const LATE_MS = 80;

const now = () => performance.timeOrigin + performance.now();
const report = (is: Report['is']) => postMessage({ is, at: now() } satisfies Report);
/** When this thread has run last. */
let awakeAt = now();
/** A busy machine lets a thread wait: it hangs as well. */
setInterval(() => {
  if (now() > awakeAt + LATE_MS) {
    postMessage({ is: 'hangs', at: awakeAt } satisfies Report);
    report('woke');
  }
  awakeAt = now();
}, HEART_MS);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let lock: TabLock | undefined;
let isUsing = false;
let isInCall = false;
let closingMs = 0;
/** Resolves when nothing is registered here any more. */
let unused: Promise<unknown> = Promise.resolve();

function setCall(on: boolean): void {
  if (isInCall === on) return;
  isInCall = on;
  report(on ? 'in call' : 'call over');
  lock?.setActivity({ is: on ? 'in-call' : 'idle' });
}

/** As the connection does: registered while the lease lasts, and for a moment longer. */
async function use(of: TabLock): Promise<void> {
  const lease = await of.lease(new AbortController().signal);
  await unused;
  if (!lease.aborted) {
    isUsing = true;
    report('using');
    lease.addEventListener('abort', () => {
      isUsing = false;
      unused = sleep(closingMs).then(() => report('use over'));
    });
    await aborted(lease);
  }
  return use(of);
}

const ACTS: Readonly<Record<Act, (order: Order) => unknown>> = {
  join({ name }) {
    report('joins');
    if (lock) return;
    lock = new TabLock(
      name,
      { is: 'idle' },
      { onElsewhere: () => undefined, released: async () => void (await unused) },
    );
    void lock.join();
    void use(lock);
  },
  async take() {
    report('asking');
    const isTaken = (await lock?.take(Date.now())) === true;
    report(isTaken ? 'got it' : 'refused');
  },
  call: () => isUsing && setCall(true),
  'end the call': () => setCall(false),
  async 'sign out'() {
    setCall(false);
    const signedOut = lock;
    lock = undefined;
    await signedOut?.end();
  },
  hang({ ms }) {
    report('hangs');
    for (const end = now() + ms; now() < end;);
    report('woke');
    awakeAt = now();
  },
};

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  closingMs = data.ms % 400;
  void ACTS[data.act](data);
});
