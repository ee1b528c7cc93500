/** The vendor's events as they come, parsed at the door. Facts measured with the public build of 2026-06-30. */
import * as z from 'zod/mini';

const optionalText = z.catch(z.optional(z.string()), undefined);

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

export const callDataSchema = z.object({
  id: z.catch(z.string(), () => crypto.randomUUID()),
  phoneNumber: z.catch(z.string(), ''),
  displayName: optionalText,
  direction: z.catch(z.enum(['incoming', 'outgoing']), 'outgoing'),
  externalCallId: optionalText,
  session: z.catch(z.optional(sessionSchema), undefined),
});
export type VbotCallData = z.infer<typeof callDataSchema>;

const withCall = z.object({ callData: callDataSchema });
const withText = z.object({ error: optionalText, message: optionalText });

/** The SDK's event names are its own; the values are what we make of them. */
export const MESSAGES = {
  'vbot:onConnecting': z.transform(() => ({ type: 'connecting' as const })),
  'vbot:onHotlinesUpdated': z.pipe(
    z.object({ hotlines: z.unknown() }),
    z.transform(({ hotlines }) => ({ type: 'hotlines' as const, hotlines: parseHotlines(hotlines) })),
  ),
  'vbot:onUserConnected': z.transform(() => ({ type: 'registered' as const })),
  'vbot:onUserDisconnected': z.transform(() => ({ type: 'lost' as const })),
  'vbot:onUserConnectionFailed': textMessage('failed'),
  'vbot:onCallStateChange': z.pipe(
    z.object({ state: z.string() }),
    z.transform(({ state }) => ({ type: 'state' as const, state })),
  ),
  'vbot:onCallIncoming': callMessage('incoming'),
  'vbot:onCallProgress': callMessage('progress'),
  'vbot:onCallAccepted': callMessage('accepted'),
  'vbot:onCallDuration': z.transform(() => ({ type: 'duration' as const })),
  'vbot:onCallEnded': z.pipe(
    z.catch(z.object({ callData: z.object({ id: optionalText }) }), { callData: {} }),
    z.transform(({ callData: { id } }) => ({ type: 'ended' as const, id })),
  ),
  'vbot:onCallFailed': textMessage('call-failed'),
  'vbot:onError': textMessage('trouble'),
} as const;

export type VbotMessage = z.infer<(typeof MESSAGES)[keyof typeof MESSAGES]>;

function callMessage<T extends string>(type: T) {
  return z.pipe(
    withCall,
    z.transform(({ callData }) => ({ type, call: callData })),
  );
}

function textMessage<T extends string>(type: T) {
  return z.pipe(
    z.catch(withText, {}),
    z.transform(({ error, message }) => ({ type, text: error ?? message ?? '' })),
  );
}

const hotlineSchema = z.pipe(
  z.object({
    name: optionalText,
    number: optionalText,
    phoneNumber: optionalText,
    hotline_name: optionalText,
    hotline_number: optionalText,
  }),
  z.transform((raw) => {
    const number = raw.number ?? raw.phoneNumber ?? raw.hotline_number ?? '';
    return { name: raw.name ?? raw.hotline_name ?? number, number };
  }),
);

/** Elements are named differently from version to version; what has no number is not a hotline. */
export function parseHotlines(value: unknown): { name: string; number: string }[] {
  const list = z.array(z.catch(hotlineSchema, { name: '', number: '' })).safeParse(value);
  return list.success ? list.data.filter(({ number }) => number !== '') : [];
}

const failedSchema = z.object({ message: z.object({ status_code: z.number() }) });

/** The SIP status inside a session's `failed` event, if it holds one. */
export function parseSipStatus(data: unknown): number | undefined {
  const result = failedSchema.safeParse(data);
  return result.success ? result.data.message.status_code : undefined;
}
