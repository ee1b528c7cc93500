/** The vendor's events as they come, parsed at the door. Facts measured with the public build of 2026-06-30. */
import * as z from '../../schema.ts';

const optionalText = z.lenient(z.string());

/** Of a call: parsed by its code, which comes later. Here is a copy of what the event held, because the SDK changes its own. */
export interface CallEvent {
  readonly type: 'call';
  readonly is: (typeof CALL_EVENTS)[keyof typeof CALL_EVENTS];
  readonly detail: unknown;
}

export type VbotMessage =
  | { readonly type: 'connecting' | 'registered' | 'lost' }
  | { readonly type: 'hotlines'; readonly hotlines: readonly VbotHotline[] }
  | { readonly type: 'failed'; readonly text: string }
  | CallEvent;

/** What we make of an event's detail; `undefined`: it cannot be read. */
type Reader = (detail: unknown) => VbotMessage | undefined;

const withHotlines = z.object({ hotlines: z.optional(z.custom<unknown>()) });
const withText = z.object({ error: optionalText, message: optionalText });

/** By the SDK's own names of its events, which all begin alike. */
const CALL_EVENTS = {
  CallStateChange: 'state',
  CallIncoming: 'incoming',
  CallProgress: 'progress',
  CallAccepted: 'accepted',
  CallDuration: 'duration',
  CallEnded: 'ended',
  CallFailed: 'call-failed',
  Error: 'trouble',
} as const;

export const READERS: Readonly<Record<string, Reader>> = {
  'vbot:onConnecting': () => ({ type: 'connecting' }),
  'vbot:onHotlinesUpdated': (detail) => {
    const { data } = z.safeParse(withHotlines, detail);
    return data && { type: 'hotlines', hotlines: parseHotlines(data.hotlines) };
  },
  'vbot:onUserConnected': () => ({ type: 'registered' }),
  'vbot:onUserDisconnected': () => ({ type: 'lost' }),
  'vbot:onUserConnectionFailed': (detail) => ({ type: 'failed', text: textIn(detail) }),
  ...Object.fromEntries(
    Object.entries(CALL_EVENTS).map(([name, is]) => [
      `vbot:on${name}`,
      (detail: unknown) => ({ type: 'call', is, detail: copied(detail) }),
    ]),
  ),
};

export function textIn(detail: unknown): string {
  const { error, message = '' } = z.safeParse(withText, detail).data ?? {};
  return error ?? message;
}

/** As deep as it is read. */
function copied(detail: unknown): unknown {
  if (typeof detail !== 'object' || detail === null) return undefined;
  const { callData } = detail as { readonly callData?: unknown };
  const isCall = typeof callData === 'object' && callData !== null;
  return { ...detail, callData: isCall ? { ...callData } : undefined };
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
