/**
 * Callers that the SDK turns away while it is in a call. It raises no event for them (they get 486), so they are read off
 * the SIP socket: who is in the INVITE, and that they were turned away in the answer that the SDK sends.
 */
import { headerOf } from './sip-headers.ts';

export interface Caller {
  /** The SIP Call-ID. */
  readonly id: string;
  readonly number: string;
  readonly name: string | undefined;
}

export class BusyCallers {
  /** Invited and not answered yet, by Call-ID. */
  readonly #waiting = new Map<string, Caller>();

  /** A message from the exchange. */
  received(message: string): void {
    if (!message.startsWith('INVITE ')) return;
    const caller = callerOf(message);
    if (caller) this.#waiting.set(caller.id, caller);
  }

  /**
   * A message to the exchange.
   *
   * @returns the caller that it turns away because the member is busy
   */
  sent(message: string): Caller | undefined {
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(message)?.[1] ?? 0);
    if (status < 200 || !/\binvite\s*$/i.test(headerOf(message, 'cseq'))) return undefined;
    const id = headerOf(message, 'call-id', 'i');
    const caller = this.#waiting.get(id);
    this.#waiting.delete(id);
    return status === BUSY_HERE ? caller : undefined;
  }
}

const BUSY_HERE = 486;

/** With a tag in `To`, the INVITE belongs to a call that there is already. */
function callerOf(message: string): Caller | undefined {
  const id = headerOf(message, 'call-id', 'i');
  const from = headerOf(message, 'from', 'f');
  const user = /\bsips?:([^@;>\s]*)@/i.exec(from)?.[1];
  if (id === '' || user === undefined || /;\s*tag\s*=/i.test(headerOf(message, 'to', 't'))) return undefined;
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"/.exec(from)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const name = (quoted ?? /^([^<:]*)</.exec(from)?.[1] ?? '').trim();
  return { id, number: decoded(user), name: name === '' ? undefined : name };
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
