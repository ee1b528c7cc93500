/** The vendor's events as they come, parsed at the door. Facts measured with the public build of 2026-06-30. */
import * as z from '../../schema.ts';

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

export type VbotMessage =
  | { readonly type: 'connecting' | 'registered' | 'lost' | 'duration' }
  | { readonly type: 'hotlines'; readonly hotlines: readonly VbotHotline[] }
  | { readonly type: 'failed'; readonly text: string }
  | { readonly type: 'call-failed'; readonly text: string }
  | { readonly type: 'trouble'; readonly text: string }
  | { readonly type: 'state'; readonly state: string }
  | { readonly type: 'incoming' | 'progress' | 'accepted'; readonly call: VbotCallData }
  | { readonly type: 'ended'; readonly id: string | undefined };

/** What we make of an event's detail; `undefined`: it cannot be read. */
type Reader = (detail: unknown) => VbotMessage | undefined;

const withHotlines = z.object({ hotlines: z.optional(z.custom<unknown>()) });
const withState = z.object({ state: z.string() });
const withCall = z.object({ callData: z.custom<unknown>() });
const withText = z.object({ error: optionalText, message: optionalText });

/** By the SDK's own names of its events. */
export const READERS: Readonly<Record<string, Reader>> = {
  'vbot:onConnecting': () => ({ type: 'connecting' }),
  'vbot:onHotlinesUpdated': (detail) => {
    const { data } = z.safeParse(withHotlines, detail);
    return data && { type: 'hotlines', hotlines: parseHotlines(data.hotlines) };
  },
  'vbot:onUserConnected': () => ({ type: 'registered' }),
  'vbot:onUserDisconnected': () => ({ type: 'lost' }),
  'vbot:onUserConnectionFailed': textReader('failed'),
  'vbot:onCallStateChange': (detail) => {
    const { data } = z.safeParse(withState, detail);
    return data && { type: 'state', state: data.state };
  },
  'vbot:onCallIncoming': callReader('incoming'),
  'vbot:onCallProgress': callReader('progress'),
  'vbot:onCallAccepted': callReader('accepted'),
  'vbot:onCallDuration': () => ({ type: 'duration' }),
  'vbot:onCallEnded': (detail) => ({
    type: 'ended',
    id: z.safeParse(callDataSchema, callOf(detail)).data?.id,
  }),
  'vbot:onCallFailed': textReader('call-failed'),
  'vbot:onError': textReader('trouble'),
};

function callOf(detail: unknown): unknown {
  return z.safeParse(withCall, detail).data?.callData;
}

function callReader(type: 'incoming' | 'progress' | 'accepted'): Reader {
  return (detail) => {
    const call = parseCallData(callOf(detail));
    return call && { type, call };
  };
}

function textReader(type: 'failed' | 'call-failed' | 'trouble'): Reader {
  return (detail) => {
    const { error, message = '' } = z.safeParse(withText, detail).data ?? {};
    return { type, text: error ?? message };
  };
}

interface VbotHotline {
  readonly name: string;
  readonly number: string;
}

const hotlineSchema = z.object({
  name: optionalText,
  number: optionalText,
  phoneNumber: optionalText,
  hotline_name: optionalText,
  hotline_number: optionalText,
});
const hotlinesSchema = z.array(z.lenient(hotlineSchema));

/** Elements are named differently from version to version; what has no number is not a hotline. */
export function parseHotlines(value: unknown): readonly VbotHotline[] {
  const list = z.safeParse(hotlinesSchema, value).data ?? [];
  return list
    .map((raw) => {
      const number = raw?.number ?? raw?.phoneNumber ?? raw?.hotline_number ?? '';
      return { name: raw?.name ?? raw?.hotline_name ?? number, number };
    })
    .filter(({ number }) => number !== '');
}

const failedSchema = z.object({ message: z.object({ status_code: z.number() }) });

/** The SIP status inside a session's `failed` event, if it holds one. */
export function parseSipStatus(data: unknown): number | undefined {
  const result = z.safeParse(failedSchema, data);
  return result.success ? result.data.message.status_code : undefined;
}
