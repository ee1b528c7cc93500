/**
 * Reads why the exchange refused a call. The SDK tells a text only, and its session, which knows the status, does not
 * exist for a call that is refused at once; the SIP socket itself is the one place where the status always passes.
 */
import { headOf } from './sip-headers.ts';

/**
 * The status of a final refusal of an INVITE. A challenge is none: the SDK meets it, and another answer follows. The
 * vendor's own 407 ("member of another project") challenges nobody.
 */
export function refusalOf(message: string): number | undefined {
  const status = Number(/^SIP\/2\.0 ([3-6]\d\d)/.exec(message)?.[1] ?? 0);
  if (status === 0) return undefined;
  const head = headOf(message);
  if (/^(www|proxy)-authenticate\s*:/im.test(head)) return undefined;
  return /^cseq\s*:\s*\d+\s+invite\s*$/im.test(head) ? status : undefined;
}

/** RFC 3326: the reason of the CANCEL is the final answer that another branch of the call got. */
export function isAnsweredElsewhere(message: string): boolean {
  if (!message.startsWith('CANCEL ')) return false;
  return /^reason\s*:.*\bsip\s*;.*\bcause\s*=\s*200\b/im.test(headOf(message));
}
