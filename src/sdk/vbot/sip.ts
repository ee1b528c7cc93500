/**
 * What the messages on the SIP socket tell more than the SDK does: the status of a refusal, of which the SDK tells only a text, a
 * call that was answered on another device, and callers whom the SDK turns away.
 */
import { attempt } from '../../errors.ts';
import { nextTask, pause } from '../../wait.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import type { SdkCall } from '../calling-sdk.ts';

/** What a message says of a call, or the socket's end of all. `id` is the Call-ID. */
export type SipEvent =
  | { readonly type: 'lost' }
  /** The SDK places a call, or cancels it because somebody pressed so. */
  | { readonly type: 'invited' | 'cancelled'; readonly id: string }
  | { readonly type: 'refused'; readonly id: string; readonly status: number }
  /** JsSIP does not send these requests; the exchange waits for them. */
  | { readonly type: 'owed'; readonly requests: readonly string[] }
  /** Somebody calls, and this side turns them away: by a press, or because it is busy, for which the SDK raises no event. */
  | { readonly type: 'declined' }
  | { readonly type: 'busy'; readonly call: SdkCall }
  /** Another device of the member has answered. */
  | { readonly type: 'answered-elsewhere' }
  /** The exchange knows of an answer or a refusal of this side. */
  | { readonly type: 'acknowledged' };

export const BUSY_HERE = 486;
/** Statuses with which the SDK rejects a call when somebody presses so. */
const DECLINED: ReadonlySet<number> = new Set([480, 603]);

/** So long the SDK is kept for an exchange that cannot be told of an end, or does not reply. */
export const TELLING_TIMEOUT_MS = 60_000;

interface OpenCall {
  /** Of its INVITE. */
  readonly head: string;
  readonly isSent: boolean;
  /** The latest INVITE that was sent within it, such as a hold. */
  change?: string;
  /** The same, if the socket was lost since: its reply may be lost, too. */
  lostChange?: string | undefined;
  /** `sent`: by this side, and its ACK may still come. */
  answer?: 'sent' | 'known';
  /** This side is out of it. */
  isLeft?: boolean | undefined;
  /** Its latest provisional response that names the other end. */
  ringing?: string;
  /** What ends it, and may not have reached the exchange. */
  endings?: readonly string[];
}

/** The calls that the exchange has open with this SDK, by Call-ID: it has not been told, or has not replied, that they end. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();
  #none = new AbortController();

  /** Present while there is one: resolves when there is none, or the exchange does not reply. */
  get replying(): Promise<void> | undefined {
    if (this.#calls.size === 0) return undefined;
    // Not the calls that have come meanwhile.
    const ids = [...this.#calls.keys()];
    return pause(TELLING_TIMEOUT_MS, this.#none.signal).then(() => this.forget(ids));
  }

  /** This side has answered a call, and the exchange has not replied. */
  get isAwaitingAck(): boolean {
    return [...this.#calls.values()].some(({ answer }) => answer === 'sent');
  }

  /** @param isSent to the exchange; else it comes from there */
  note(message: string, isSent: boolean): SipEvent | undefined {
    // Without its body.
    const head = message.split('\r\n\r\n', 1)[0] ?? '';
    const id = headerOf(head, 'call-id|i');
    const call = this.#calls.get(id);
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(head)?.[1] ?? 0);
    if (status >= 200) return this.#noteReply(head, id, status, isSent);
    if (status > 100 && call) {
      if (headerOf(head, 'contact|m')) call.ringing = head;
      // After 32 s without a reply, JsSIP sends no CANCEL any more. The exchange takes a second one for the same.
      if (call.isLeft) return { type: 'owed', requests: [requestOf('CANCEL', call.head)] };
    }
    switch (/^\S+/.exec(head)?.[0]) {
      case 'INVITE':
        // An INVITE within a call has a tag.
        if (/;\s*tag\s*=/i.test(headerOf(head, 'to|t'))) {
          if (!call || !isSent) return undefined;
          const { lostChange } = call;
          call.change = head;
          call.lostChange = undefined;
          // Until it has the ACK of that reply, the exchange refuses every other change.
          return lostChange ? { type: 'owed', requests: [requestOf('ACK', lostChange)] } : undefined;
        }
        // Even after its CANCEL, JsSIP answers a challenge with a second INVITE. It ignores the replies to that one.
        this.#calls.set(id, { head, isSent, isLeft: call?.isLeft });
        return isSent && !call?.isLeft ? { type: 'invited', id } : undefined;
      case 'CANCEL':
        if (isSent) {
          this.leave(id);
          // If the sound is lost before the answer, JsSIP itself cancels the call, with a reason. A press has none.
          return headerOf(head, 'reason') ? undefined : { type: 'cancelled', id };
        }
        // It has crossed the answer, or the refusal of a caller who was turned away.
        if (call?.answer || !this.#end(id)) return undefined;
        // RFC 3326: the reason of the CANCEL is the final response that another branch of the call got.
        return /^reason\s*:.*\bsip\s*;.*\bcause\s*=\s*200\b/im.test(head)
          ? { type: 'answered-elsewhere' }
          : undefined;
      case 'ACK':
        if (call?.answer) call.answer = 'known';
        return isSent ? undefined : { type: 'acknowledged' };
      case 'BYE':
        if (!isSent) this.#end(id);
        else if (call) call.endings = [message];
    }
    return undefined;
  }

  /**
   * JsSIP gives an ACK the number of the latest request, such as a key that followed the hold. The exchange ignores that ACK, and
   * refuses every later hold and resume.
   */
  correctAck(message: string): string {
    const { change } = this.#calls.get(headerOf(message, 'call-id|i')) ?? {};
    return change ? message.replace(/(?<=^ACK[^]*\ncseq: )\d+/i, `${numberOf(change)}`) : message;
  }

  /** The exchange has not replied to them. It takes a repeated one for the same (RFC 3261, section 17.2). */
  get endings(): string[] {
    return [...this.#calls.values()].flatMap(({ endings }) => endings ?? []);
  }

  /**
   * The SDK ends a call that was not answered with the socket of its INVITE, and tells the exchange nothing: the other phone
   * rings on.
   */
  noteLost(): void {
    for (const [id, call] of this.#calls) {
      if (call.answer) {
        call.answer = 'known';
        call.lostChange = call.change;
      }
      // If the answer was lost, too, the CANCEL comes too late: the answer has the tag of the ringing.
      else if (call.isSent)
        call.endings ??= [requestOf('CANCEL', call.head), ...(call.ringing ? endingsOf(call.ringing) : [])];
      else this.#end(id);
    }
  }

  /** @param id `undefined`: this side has sent no INVITE. The reply to one may still come */
  leave(id = ''): void {
    const call = this.#calls.get(id);
    if (call) call.isLeft = true;
  }

  forget(ids: Iterable<string> = this.#calls.keys()): void {
    for (const id of ids) this.#end(id);
  }

  /** A final one. */
  #noteReply(head: string, id: string, status: number, isSent: boolean): SipEvent | undefined {
    const method = /\S+$/.exec(headerOf(head, 'cseq'))?.[0];
    const call = this.#calls.get(id);
    if (method === 'BYE' || (method === 'CANCEL' && call?.endings !== undefined)) this.#end(id);
    // A refused change of an answered call, such as a hold, does not end it.
    if (method !== 'INVITE' || !call || call.answer) return undefined;
    if (status < 300) {
      call.answer = isSent ? 'sent' : 'known';
      if (!call.isLeft) return undefined;
      // JsSIP ignores an answer that comes after that. The other party would stay in the call.
      call.endings = endingsOf(head);
      return { type: 'owed', requests: call.endings };
    }
    // The SDK answers a challenge in this task, with another INVITE. VBot's own 407 challenges nobody.
    if (!isSent && /^(www|proxy)-authenticate\s*:/im.test(head)) {
      nextTask(() => this.#calls.get(id) === call && this.#end(id));
      return undefined;
    }
    this.#end(id);
    if (!isSent) return { type: 'refused', id, status };
    const missed = status === BUSY_HERE ? incomingCall(call.head, id) : undefined;
    if (missed) return { type: 'busy', call: missed };
    return DECLINED.has(status) ? { type: 'declined' } : undefined;
  }

  /** @returns false: it was not open */
  #end(id: string): boolean {
    const wasOpen = this.#calls.delete(id);
    if (wasOpen && this.#calls.size === 0) {
      this.#none.abort();
      this.#none = new AbortController();
    }
    return wasOpen;
  }
}

/** The value of the first header with one of the names, the long and the short one as in `to|t`; empty: there is none. */
function headerOf(head: string, names: string): string {
  const pattern = new RegExp(`^(?:${names})[ \\t]*:[ \\t]*(.*)$`, 'im');
  return pattern.exec(head)?.[1]?.trim() ?? '';
}

function numberOf(head: string): number {
  return Number.parseInt(headerOf(head, 'cseq'), 10);
}

/**
 * RFC 3261, sections 9.1 and 13.2.2.4.
 *
 * @param head an INVITE of this side, or what follows its answer: the headers that name the call, and its way
 * @param after how many requests after that one
 */
function requestOf(method: string, head: string, target = head.split(' ')[1], after = 0): string {
  // A CANCEL has that of its INVITE.
  const branch = method === 'CANCEL' ? '$&' : `z9hG4bK${crypto.randomUUID()}`;
  const kept = head
    .split('\r\n')
    .filter((line) => /^(?:via|v|from|f|to|t|call-id|i|route)\s*:/i.test(line))
    .map((line) => line.replace(/(?<=;branch=)[^;]*/i, branch));
  return [
    `${method} ${target} SIP/2.0`,
    ...kept,
    `CSeq: ${numberOf(head) + after} ${method}`,
    'Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n',
  ].join('\r\n');
}

/** ACK and BYE for an answer that nobody wants any more. */
export function endingsOf(answer: string): string[] {
  const target = /\bsips?:[^>\s]*/i.exec(headerOf(answer, 'contact|m'))?.[0];
  const head = answer
    .replaceAll(/(?<=^record-route\s*:.*),(?=\s*<)/gim, '\r\nRecord-Route:')
    .replaceAll(/^record-route\s*:/gim, 'Route:')
    .split('\r\n')
    .toReversed()
    .join('\r\n');
  return [requestOf('ACK', head, target), requestOf('BYE', head, target, 1)];
}

function incomingCall(head: string, id: string): SdkCall | undefined {
  const from = headerOf(head, 'from|f');
  const user = /\bsips?:([^@;>\s]*)@/i.exec(from)?.[1];
  if (id === '' || user === undefined) return undefined;
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"/.exec(from)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const name = (quoted ?? /^([^<:]*)</.exec(from)?.[1] ?? '').trim();
  return {
    id,
    direction: 'incoming',
    number: attempt(() => decodeURIComponent(user)) ?? user,
    name: isWithheld(name) ? undefined : name,
  };
}
