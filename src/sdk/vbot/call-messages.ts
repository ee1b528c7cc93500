/** What the vendor's events tell of a call, parsed once the code of calls is there. */
import * as z from '../../schema.ts';
import { textIn, type CallEvent } from './messages.ts';

const optionalText = z.lenient(z.string());

/** The live JsSIP session behind a call: the only way to hold, and to a SIP status. */
export interface VbotSession {
  readonly connection?: RTCPeerConnection | null;
  on(event: string, listener: (data: unknown) => void): unknown;
  mute(options: { audio: boolean }): void;
  unmute(options: { audio: boolean }): void;
  /** `done` is called once the exchange has agreed. */
  hold(options: object, done: () => void): boolean;
  unhold(options: object, done: () => void): boolean;
  isOnHold?(): { readonly local: boolean };
  terminate(options?: { readonly status_code?: number; readonly reason_phrase?: string }): void;
}

const SESSION_METHODS = ['on', 'mute', 'unmute', 'hold', 'unhold', 'terminate'] as const;

/** A session that lacks one of them is none: the call goes on without what only a session can do. */
const sessionSchema = z.custom<VbotSession>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    SESSION_METHODS.every((name) => typeof Reflect.get(value, name) === 'function'),
);

const callDataSchema = z.object({
  id: optionalText,
  phoneNumber: optionalText,
  displayName: optionalText,
  direction: z.lenient(z.oneOf('incoming', 'outgoing')),
  externalCallId: optionalText,
  session: z.lenient(sessionSchema),
});

export interface VbotCallData {
  readonly id: string;
  readonly phoneNumber: string;
  readonly displayName: string | undefined;
  readonly direction: 'incoming' | 'outgoing';
  readonly externalCallId: string | undefined;
  readonly session: VbotSession | undefined;
}

/** `undefined`: it is none. */
export function parseCallData(value: unknown): VbotCallData | undefined {
  const { data } = z.safeParse(callDataSchema, value);
  if (!data) return undefined;
  const { id = crypto.randomUUID(), phoneNumber = '', direction = 'outgoing', ...rest } = data;
  return { ...rest, id, phoneNumber, direction };
}

export type CallMessage =
  | { readonly type: 'duration' }
  | { readonly type: 'call-failed'; readonly text: string }
  | { readonly type: 'trouble'; readonly text: string }
  | { readonly type: 'state'; readonly state: string }
  | { readonly type: 'incoming' | 'progress' | 'accepted'; readonly call: VbotCallData }
  | { readonly type: 'ended'; readonly id: string | undefined };

const withState = z.object({ state: z.string() });
const withCall = z.object({ callData: z.custom<unknown>() });

/** An event is read again as one of those that follow: it stays the same call, also where the SDK gives it no id. */
const parsed = new WeakMap<CallEvent, CallMessage | undefined>();

/** `undefined`: it cannot be read. */
export function parseCallEvent(event: CallEvent): CallMessage | undefined {
  if (!parsed.has(event)) parsed.set(event, parse(event));
  return parsed.get(event);
}

function parse({ is, detail }: CallEvent): CallMessage | undefined {
  switch (is) {
    case 'state': {
      const { data } = z.safeParse(withState, detail);
      return data && { type: is, state: data.state };
    }
    case 'duration':
      return { type: is };
    case 'call-failed':
      return { type: is, text: textIn(detail) };
    case 'trouble':
      return { type: is, text: textIn(detail) };
    case 'ended':
      return { type: is, id: z.safeParse(callDataSchema, callOf(detail)).data?.id };
    default: {
      const call = parseCallData(callOf(detail));
      return call && { type: is, call };
    }
  }
}

function callOf(detail: unknown): unknown {
  return z.safeParse(withCall, detail).data?.callData;
}

const failedSchema = z.object({ message: z.object({ status_code: z.number() }) });

/** The SIP status inside a session's `failed` event, if it holds one. */
export function parseSipStatus(data: unknown): number | undefined {
  const result = z.safeParse(failedSchema, data);
  return result.success ? result.data.message.status_code : undefined;
}
