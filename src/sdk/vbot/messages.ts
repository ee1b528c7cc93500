/**
 * What the vendor's events say, parsed once, inside the event: the SDK changes its data afterwards. Facts measured with
 * the public build of 2026-06-30.
 */
import * as z from 'zod/mini';
import type { Hotline } from '../../broker/contract.ts';
import { normalize } from '../../numbers/read.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { nextTask } from '../../wait.ts';

/** The JsSIP session behind a call: only through it can a call be held, and a SIP status be read. */
export interface JsSipSession {
  readonly connection?: RTCPeerConnection | null;
  on(event: string, listener: (data: unknown) => void): unknown;
  removeListener?(event: string, listener: (data: unknown) => void): unknown;
  /** `done` is called once the exchange has agreed. */
  hold(options: object, done: () => void): boolean;
  unhold(options: object, done: () => void): boolean;
  /** Offers what it believes once more. */
  renegotiate(options: object, done: () => void): boolean;
  isOnHold(): { readonly local: boolean };
  /** True from the SDK's answer on: the exchange may not have it yet. */
  isEstablished?(): boolean;
  terminate(options?: { readonly status_code?: number; readonly reason_phrase?: string }): void;
  /** Within the call, from the exchange. */
  receiveRequest?(request: { readonly method: 'ACK' }): void;
}

/** Until the call is over: the SDK keeps its sessions, and would keep the listener with them. */
export function onSession(
  session: JsSipSession,
  event: string,
  over: AbortSignal,
  listener: (data: unknown) => void,
): void {
  session.on(event, listener);
  over.addEventListener('abort', () => session.removeListener?.(event, listener));
}

export type VbotMessage =
  | { readonly type: 'connecting' | 'registered' | 'lost' }
  | { readonly type: 'hotlines'; readonly hotlines: readonly Hotline[] }
  /** `failed`: the connection to the exchange; `trouble`: anything. */
  | { readonly type: 'failed' | 'trouble'; readonly text: string }
  | { readonly type: 'call-failed'; readonly text: string }
  | { readonly type: 'state'; readonly state: string }
  | { readonly type: 'incoming' | 'progress' | 'accepted'; readonly call: VbotCallData }
  | { readonly type: 'ended'; readonly id: string | undefined };

export interface InboxReader {
  /** Called inside the event, for what cannot wait; must not call the SDK. */
  arrived(message: VbotMessage): void;
  /** In a later task. `following`: what the SDK has sent after it in the same task. */
  read(message: VbotMessage, following: readonly VbotMessage[]): void;
}

/**
 * Receives the SDK's events. If code calls the SDK inside one of its events, the SDK repeats the event with old data. So an
 * event is only parsed at once, and read in a later task. The SDK sends related events in one task (a failed call is "ended"
 * first, then "failed"), so the reader also gets the messages that follow.
 *
 * @param signal ends it. The SDK keeps removed elements; their listeners would keep this adapter in memory
 */
export function openInbox(element: HTMLElement, reader: InboxReader, signal: AbortSignal): void {
  const messages: VbotMessage[] = [];

  const readAll = () => {
    const batch = messages.splice(0);
    for (const [index, message] of batch.entries()) {
      if (signal.aborted) return;
      try {
        reader.read(message, batch.slice(index + 1));
      } catch (error) {
        // Read the rest of the batch: the end of a call may be in it.
        reportError(error);
      }
    }
  };

  for (const [name, parse] of Object.entries(PARSERS)) {
    const receive = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      const message = parse(z.safeParse(detailSchema, event.detail).data ?? {});
      if (!message) return;
      reader.arrived(message);
      messages.push(message);
      if (messages.length === 1) nextTask(readAll);
    };
    element.addEventListener(name, receive, { signal });
  }
}

/** A value of the wrong type counts as absent. */
const lenient = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined);
const optionalText = lenient(z.string());

const SESSION_METHODS = ['on', 'hold', 'unhold', 'terminate'];

/** An object without one of the methods is ignored: the call goes on without what only a session can do. */
const sessionSchema = z.custom<JsSipSession>((value) =>
  SESSION_METHODS.every((name) => typeof Reflect.get(Object(value), name) === 'function'),
);

export const callDataSchema = z.pipe(
  z.object({
    id: z.string(),
    phoneNumber: z.catch(z.string(), ''),
    displayName: z.catch(z.string(), ''),
    direction: z.catch(z.enum(['incoming', 'outgoing']), 'outgoing'),
    externalCallId: optionalText,
    session: lenient(sessionSchema),
  }),
  z.transform(({ phoneNumber: number, displayName, ...data }) => {
    // Exchanges also send the number itself, or the word for a withheld one.
    const isNone = isWithheld(displayName) || normalize(displayName) === normalize(number);
    return { ...data, number, name: isNone ? undefined : displayName };
  }),
);
export type VbotCallData = Readonly<z.infer<typeof callDataSchema>>;

/** What the SDK's events carry: each has some of it. */
const detailSchema = z.object({
  hotlines: z.optional(z.unknown()),
  error: optionalText,
  message: optionalText,
  state: optionalText,
  callData: lenient(callDataSchema),
});
type Detail = z.infer<typeof detailSchema>;

/** By the SDK's own names of its events. `undefined`: the event cannot be read. */
const PARSERS: Readonly<Record<string, (detail: Detail) => VbotMessage | undefined>> = {
  'vbot:onConnecting': () => ({ type: 'connecting' }),
  'vbot:onHotlinesUpdated': ({ hotlines }) =>
    hotlines === undefined ? undefined : { type: 'hotlines', hotlines: parseHotlines(hotlines) },
  'vbot:onUserConnected': () => ({ type: 'registered' }),
  'vbot:onUserDisconnected': () => ({ type: 'lost' }),
  'vbot:onUserConnectionFailed': (detail) => ({ type: 'failed', text: textOf(detail) }),
  'vbot:onCallStateChange': ({ state }) => (state === undefined ? undefined : { type: 'state', state }),
  'vbot:onCallIncoming': ({ callData: call }) => call && { type: 'incoming', call },
  'vbot:onCallProgress': ({ callData: call }) => call && { type: 'progress', call },
  'vbot:onCallAccepted': ({ callData: call }) => call && { type: 'accepted', call },
  'vbot:onCallDuration': () => ({ type: 'state', state: 'in-call' }),
  'vbot:onCallEnded': ({ callData }) => ({ type: 'ended', id: callData?.id }),
  'vbot:onCallFailed': (detail) => ({ type: 'call-failed', text: textOf(detail) }),
  'vbot:onError': (detail) => ({ type: 'trouble', text: textOf(detail) }),
};

function textOf({ error, message = '' }: Detail): string {
  return error ?? message;
}

const hotlineSchema = z.object({
  name: optionalText,
  number: optionalText,
  phoneNumber: optionalText,
  hotline_name: optionalText,
  hotline_number: optionalText,
});
const hotlinesSchema = z.array(lenient(hotlineSchema));

/** A 200 whose sound the browser cannot use refuses nothing. */
const refusal = z.number().check(z.refine((status) => status >= 300));
const refusalSchema = z.object({ message: z.object({ status_code: refusal }) });

/** The fields are named differently from version to version. An element without a number is left out. */
function parseHotlines(value: unknown): readonly Hotline[] {
  const list = z.safeParse(hotlinesSchema, value).data ?? [];
  return list.flatMap((raw) => {
    const number = raw?.number ?? raw?.phoneNumber ?? raw?.hotline_number;
    return number ? { name: raw?.name ?? raw?.hotline_name ?? number, number } : [];
  });
}

/** The SIP status inside a session's `failed` event, if the call was refused with one. */
export function parseSipStatus(data: unknown): number | undefined {
  return z.safeParse(refusalSchema, data).data?.message.status_code;
}
