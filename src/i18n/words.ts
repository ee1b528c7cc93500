/** Sentences that depend on more than their language. */
import type { Words } from './en.ts';

export type { Words };

/** What is told of a `DialerError`: the page's own content security policy is named where it is the cause. */
export function errorText(
  words: Words,
  { code, directive }: { code: keyof Words['error']; directive?: string | undefined },
): string {
  return directive === undefined ? words.error[code] : words.blockedByPolicy(directive);
}

/** One sentence for how a call ended: what the SIP status says is the cause, else the outcome in general. */
export function outcomeText(
  words: Words,
  {
    outcome = 'failed',
    status,
  }: { outcome?: keyof Words['outcome'] | undefined; status?: number | undefined },
): string {
  const isFailure = !NOT_FAILED.has(outcome);
  return (isFailure && status !== undefined ? words.sip[status] : undefined) ?? words.outcome[outcome];
}

const NOT_FAILED: ReadonlySet<string> = new Set<keyof Words['outcome']>([
  'answered',
  'missed',
  'declined',
  'cancelled',
  'answered-elsewhere',
]);
