/**
 * The longest task of our own in a trace of Chromium's: by processor time, so that a busy machine does not count, and without
 * what the SDK does in it when we put its element into the page. A task
 * that the SDK has begun is its own, but for what it calls of ours.
 */

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, as are the durations. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string; readonly type?: string } };
}

export const TRACE_CATEGORIES = ['-*', 'toplevel', 'devtools.timeline'];

/** @returns milliseconds */
export function longestOwnTask(trace: Buffer, ownPath: string, sdkPath: string): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const whole = traceEvents.filter(({ ph }) => ph === 'X').toSorted((a, b) => a.ts - b.ts);
  const calls = whole.filter(({ name }) => name === 'FunctionCall' || name === 'EvaluateScript');
  const isOf = (path: string) => (event: TraceEvent) => event.args?.data?.url?.includes(path) === true;
  const events = whole.filter(({ args }) => args?.data?.type?.startsWith('vbot:') === true);
  const isOwn = (call: TraceEvent) => isOf(ownPath)(call) && !events.some((event) => isWithin(call, event));
  const foreign = outermost(calls.filter(isOf(sdkPath)));
  const lengths = outermost(whole.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')).map(
    (task) => {
      const [first, ...others] = calls.filter((call) => isWithin(call, task));
      if (!first) return 0;
      if (isOwn(first)) return timeOf(task) - sum(foreign.filter((call) => isWithin(call, task)));
      return Math.max(...outermost([first, ...others].filter(isOf(ownPath))).map(timeOf));
    },
  );
  return Math.max(0, ...lengths) / 1000;
}

function timeOf({ tdur = 0 }: TraceEvent): number {
  return tdur;
}

function sum(events: readonly TraceEvent[]): number {
  return events.reduce((total, event) => total + timeOf(event), 0);
}

function isWithin(inner: TraceEvent, outer: TraceEvent): boolean {
  const isSameThread = inner.pid === outer.pid && inner.tid === outer.tid;
  return isSameThread && inner.ts >= outer.ts && end(inner) <= end(outer);
}

/** Those that are in no other one. */
function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events.filter((event) => !events.some((other) => other !== event && isWithin(event, other)));
}

function end({ ts, dur = 0 }: TraceEvent): number {
  return ts + dur;
}
