/**
 * What the messages on the SIP socket tell more than the SDK does: the status of a refusal, a call that was answered on
 * another device, and callers whom the SDK turns away.
 */
import { isWithheld } from '../../numbers/withheld.ts';

/** Everything before the body. */
function headOf(message: string): string {
  return message.split('\r\n\r\n', 1)[0] ?? '';
}

/** @returns the value of the first header of one of these names, in any case; empty: there is none */
function headerOf(message: string, ...names: readonly string[]): string {
  const pattern = new RegExp(`^(?:${names.join('|')})[ \\t]*:[ \\t]*(.*)$`, 'im');
  return pattern.exec(headOf(message))?.[1]?.trim() ?? '';
}

/** The status of a final response; 0: the message is not a final response. */
function finalStatusOf(message: string): number {
  const status = Number(/^SIP\/2\.0 (\d{3})/.exec(message)?.[1] ?? 0);
  return status < 200 ? 0 : status;
}

function isToInvite(message: string): boolean {
  return /^\d+\s+invite$/i.test(headerOf(message, 'cseq'));
}

/** Everything but the registration and the pings, which go on all the time. */
export function isOfCall(message: string): boolean {
  return message.trim() !== '' && !/^CSeq\s*:\s*\d+\s+(?:REGISTER|OPTIONS)\b/im.test(message);
}

/**
 * The status with which an INVITE was finally refused. The SDK tells only a text, and for a call that is refused at once
 * there is no session from which to read it.
 *
 * A challenge does not count as a refusal: the SDK answers it, and another response follows. The vendor's own 407 ("member of
 * another project") challenges nobody.
 */
export function readRefusal(message: string): number | undefined {
  const status = finalStatusOf(message);
  if (status < 300 || !isToInvite(message)) return undefined;
  return /^(www|proxy)-authenticate\s*:/im.test(headOf(message)) ? undefined : status;
}

/** RFC 3326: the reason of the CANCEL is the final response that another branch of the call got. */
export function isAnsweredElsewhere(message: string): boolean {
  if (!message.startsWith('CANCEL ')) return false;
  return /^reason\s*:.*\bsip\s*;.*\bcause\s*=\s*200\b/im.test(headOf(message));
}

/** A key leaves in a SIP INFO of its own. */
export function isKey(message: string): boolean {
  return /^INFO\b/.test(message) && /^Signal\s*=/im.test(message);
}

const BUSY_HERE = 486;

export interface Caller {
  /** The SIP Call-ID. */
  readonly id: string;
  readonly number: string;
  readonly name: string | undefined;
}

/**
 * Callers whom the SDK turns away while it is in a call. It raises no event for them: the INVITE tells who calls, and the
 * SDK's 486 that they were turned away.
 */
export class BusyCallers {
  /** Invited and not answered yet, by Call-ID. */
  readonly #waiting = new Map<string, Caller>();

  /** A message from the exchange. */
  noteReceived(message: string): void {
    const caller = message.startsWith('INVITE ') ? callerOf(message) : undefined;
    if (caller) this.#waiting.set(caller.id, caller);
  }

  /**
   * A message to the exchange.
   *
   * @returns the caller whom it turns away because the member is busy
   */
  noteSent(message: string): Caller | undefined {
    const status = finalStatusOf(message);
    if (status === 0 || !isToInvite(message)) return undefined;
    const id = headerOf(message, 'call-id', 'i');
    const caller = this.#waiting.get(id);
    this.#waiting.delete(id);
    return status === BUSY_HERE ? caller : undefined;
  }
}

/** @returns `undefined` for an INVITE within a call that there is already: its `To` has a tag */
function callerOf(message: string): Caller | undefined {
  const id = headerOf(message, 'call-id', 'i');
  const from = headerOf(message, 'from', 'f');
  const user = /\bsips?:([^@;>\s]*)@/i.exec(from)?.[1];
  if (id === '' || user === undefined || /;\s*tag\s*=/i.test(headerOf(message, 'to', 't'))) return undefined;
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"/.exec(from)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const name = (quoted ?? /^([^<:]*)</.exec(from)?.[1] ?? '').trim();
  return { id, number: decoded(user), name: isWithheld(name) ? undefined : name };
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
