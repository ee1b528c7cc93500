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

export function callIdOf(message: string): string {
  return headerOf(message, 'call-id', 'i');
}

/** An INVITE within a call that there is already has a tag in its `To`. */
export function isFirstInvite(message: string): boolean {
  return message.startsWith('INVITE ') && !/;\s*tag\s*=/i.test(headerOf(message, 'to', 't'));
}

/** The calls that the exchange has open with this SDK, by Call-ID: it has not been told, or has not replied, that they end. */
export class OpenCalls {
  readonly #calls = new Map<string, 'invited' | 'answered'>();
  #none = new AbortController();

  /** Present while there is one; aborts when there is none. */
  get signal(): AbortSignal | undefined {
    return this.#calls.size > 0 ? this.#none.signal : undefined;
  }

  noteReceived(message: string): void {
    if (/^(?:BYE|CANCEL) /.test(message)) this.#end(callIdOf(message));
    else this.noteSent(message);
  }

  /** Or received: an INVITE and the replies to it mean the same in both directions. */
  noteSent(message: string): void {
    const id = callIdOf(message);
    const status = finalStatusOf(message);
    if (isFirstInvite(message)) this.#calls.set(id, 'invited');
    else if (status > 0 && /^\d+\s+bye$/i.test(headerOf(message, 'cseq'))) this.#end(id);
    else if (status > 0 && isToInvite(message) && this.#calls.get(id) === 'invited') {
      if (status < 300) this.#calls.set(id, 'answered');
      else this.#end(id);
    }
  }

  /** Without the socket of its INVITE, a call that was not answered cannot be. */
  noteLost(): void {
    for (const [id, state] of this.#calls) if (state === 'invited') this.#end(id);
  }

  forget(): void {
    for (const id of this.#calls.keys()) this.#end(id);
  }

  #end(id: string): void {
    if (!this.#calls.delete(id) || this.#calls.size > 0) return;
    this.#none.abort();
    this.#none = new AbortController();
  }
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
    const caller = isFirstInvite(message) ? callerOf(message) : undefined;
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
    const id = callIdOf(message);
    const caller = this.#waiting.get(id);
    this.#waiting.delete(id);
    return status === BUSY_HERE ? caller : undefined;
  }
}

function callerOf(message: string): Caller | undefined {
  const id = callIdOf(message);
  const from = headerOf(message, 'from', 'f');
  const user = /\bsips?:([^@;>\s]*)@/i.exec(from)?.[1];
  if (id === '' || user === undefined) return undefined;
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
