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

export interface Caller {
  /** The SIP Call-ID. */
  readonly id: string;
  readonly number: string;
  readonly name: string | undefined;
}

/** What a message says of a call, before its answer. `id` is the Call-ID. */
export type SipEvent =
  /** The SDK places or cancels a call. */
  | { readonly type: 'invited' | 'cancelled'; readonly id: string }
  | { readonly type: 'refused'; readonly id: string; readonly status: number }
  /** Somebody calls, and this side turns them away: by a press, or because it is busy, for which the SDK raises no event. */
  | { readonly type: 'declined' }
  | { readonly type: 'busy'; readonly caller: Caller }
  /** Another device of the member has answered. */
  | { readonly type: 'answered-elsewhere' };

const BUSY_HERE = 486;
/** Statuses with which the SDK rejects a call when somebody presses so. */
const DECLINED: ReadonlySet<number> = new Set([480, 603]);

interface OpenCall {
  isAnswered: boolean;
  readonly caller: Caller | undefined;
  /** What this side has sent to end it. */
  bye?: string;
}

/** The calls that the exchange has open with this SDK, by Call-ID: it has not been told, or has not replied, that they end. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();
  #none = new AbortController();

  /** Present while there is one; aborts when there is none. */
  get signal(): AbortSignal | undefined {
    return this.#calls.size > 0 ? this.#none.signal : undefined;
  }

  /** @param isSent to the exchange; else it comes from there */
  note(message: string, isSent: boolean): SipEvent | undefined {
    const id = headerOf(message, 'call-id', 'i');
    const status = finalStatusOf(message);
    const method = status > 0 ? /\S+$/.exec(headerOf(message, 'cseq'))?.[0] : /^\S+/.exec(message)?.[0];
    if (status > 0 && method === 'INVITE') return this.#noteReply(message, id, status, isSent);
    if (method === 'BYE' && (status > 0 || !isSent)) this.#end(id);
    const ending = method === 'BYE' && isSent ? this.#calls.get(id) : undefined;
    if (ending) ending.bye = message;
    // An INVITE within a call has a tag in its `To`.
    if (method === 'INVITE' && !/;\s*tag\s*=/i.test(headerOf(message, 'to', 't'))) {
      this.#calls.set(id, { isAnswered: false, caller: isSent ? undefined : callerOf(message, id) });
      return isSent ? { type: 'invited', id } : undefined;
    }
    if (status > 0 || method !== 'CANCEL') return undefined;
    if (isSent) return { type: 'cancelled', id };
    this.#end(id);
    return isAnsweredElsewhere(message) ? { type: 'answered-elsewhere' } : undefined;
  }

  /** The exchange has not replied to them. It takes a repeated one for the same (RFC 3261, section 17.2). */
  get byes(): string[] {
    return [...this.#calls.values()].flatMap(({ bye }) => bye ?? []);
  }

  /** Without the socket of its INVITE, a call that was not answered cannot be. */
  noteLost(): void {
    for (const [id, { isAnswered }] of this.#calls) if (!isAnswered) this.#end(id);
  }

  forget(): void {
    for (const id of this.#calls.keys()) this.#end(id);
  }

  #noteReply(message: string, id: string, status: number, isSent: boolean): SipEvent | undefined {
    const call = this.#calls.get(id);
    // A refused change of an answered call, such as a hold, does not end it.
    if (!call || call.isAnswered) return undefined;
    call.isAnswered = status < 300;
    if (call.isAnswered) return undefined;
    this.#end(id);
    if (!isSent) return readRefusal(message) === undefined ? undefined : { type: 'refused', id, status };
    if (status === BUSY_HERE && call.caller) return { type: 'busy', caller: call.caller };
    return DECLINED.has(status) ? { type: 'declined' } : undefined;
  }

  #end(id: string): void {
    if (!this.#calls.delete(id) || this.#calls.size > 0) return;
    this.#none.abort();
    this.#none = new AbortController();
  }
}

function callerOf(message: string, id: string): Caller | undefined {
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
