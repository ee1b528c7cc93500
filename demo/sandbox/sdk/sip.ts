/**
 * How the SDK gets its telephone: two HTTP requests with the token, then one registration at the exchange. No request is sent
 * twice, so a refused token and an outage look the same to the page. JsSIP opens a lost socket again after 2 s, then later and later.
 */
import { UA, WebSocketInterface } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { CallOptions, IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA';
import * as z from 'zod/mini';
import { TEXTS, type VbotState, type WireHotline } from './state.ts';

const accountSchema = z.object({
  isActive: z.optional(z.boolean()),
  domain: z.string(),
  port: z.union([z.number(), z.string()]),
  username: z.string(),
  password: z.string(),
  realm: z.optional(z.string()),
  /** Only the sandbox sends it, to spare the development server a certificate. */
  socketUrl: z.optional(z.string()),
});

const infoSchema = z.object({
  pid: z.optional(z.union([z.number(), z.string()])),
  accounts: z.array(accountSchema),
});

const hotlinesSchema = z.array(
  z.object({ name: z.optional(z.string()), phoneNumber: z.optional(z.string()) }),
);

export interface Account {
  /** First part of every number dialled. */
  readonly pid: string;
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly socketUrl: string;
}

/** Rejects on an HTTP status, an envelope code or data that it does not expect. */
export async function fetchInfo(base: string, token: string): Promise<z.infer<typeof infoSchema>> {
  const response = await fetch(`${base}/api/sdk/info`, {
    method: 'POST',
    headers: { Authorization: token, 'Content-Type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ source: 'Website-SDK' }),
  });
  return infoSchema.parse(await openEnvelope(response));
}

/** An invalid response counts as an empty list, not as an error. */
export async function fetchHotlines(base: string, token: string): Promise<readonly WireHotline[]> {
  try {
    const response = await fetch(`${base}/api/sdk/getHotline`, { headers: { Authorization: token } });
    return hotlinesSchema.parse(await openEnvelope(response));
  } catch {
    return [];
  }
}

/** The account to register with: the active one, else the first. */
export function chooseAccount({ pid, accounts }: z.infer<typeof infoSchema>): Account | undefined {
  const account = accounts.find(({ isActive }) => isActive) ?? accounts[0];
  if (!account) return undefined;
  const { domain, port, username, password, realm, socketUrl } = account;
  return {
    pid: String(pid ?? username),
    username,
    password,
    realm: realm ?? domain,
    socketUrl: socketUrl ?? `wss://${domain}:${port}/ws`,
  };
}

const envelopeSchema = z.object({ error: z.literal(0), data: z.unknown() });

async function openEnvelope(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`The SDK API answered ${response.status}`);
  return envelopeSchema.parse(await response.json()).data;
}

const REGISTER_EXPIRES_S = 10_000;

/** Extensions are dialled without a hotline. */
const EXTENSION = /^\d{3,5}$/;

export class SipClient {
  readonly #account: Account;
  readonly #ua: UA;

  constructor(account: Account, state: VbotState, onIncoming: (session: RTCSession) => void) {
    this.#account = account;
    this.#ua = new UA({
      sockets: new WebSocketInterface(account.socketUrl),
      uri: `sip:${account.username}@${account.realm}`,
      authorization_user: account.username,
      password: account.password,
      register: false,
      register_expires: REGISTER_EXPIRES_S,
      session_timers: false,
    });
    this.#observe(state, onIncoming);
    this.#ua.start();
  }

  call(number: string, hotline: string | undefined, options: CallOptions): RTCSession {
    const { pid, realm } = this.#account;
    const caller = hotline && !EXTENSION.test(number) ? `${hotline}*${pid}` : pid;
    return this.#ua.call(`sip:${caller}*${number}@${realm}`, options);
  }

  /** Ends calls, unregisters, and closes the socket 2 s later, without an event. */
  close(): void {
    this.#ua.removeAllListeners();
    this.#ua.stop();
  }

  #observe(state: VbotState, onIncoming: (session: RTCSession) => void): void {
    const ua = this.#ua;
    ua.on('connecting', () => {
      state.transport.value = 'connecting';
    });
    ua.on('connected', () => {
      state.transport.value = 'connected';
      ua.register();
    });
    ua.on('disconnected', () => {
      state.transport.value = 'disconnected';
    });
    ua.on('registered', () => {
      state.user.value = { status: 'registered' };
    });
    ua.on('unregistered', () => {
      state.user.value = { status: 'none' };
    });
    ua.on('registrationFailed', () => state.failBoot(TEXTS.registrationFailed, TEXTS.connectionFailed));
    ua.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
      if (String(event.originator) === 'remote') onIncoming(event.session);
    });
  }
}
