/** What the sandbox records: tests read it, and audits compare it with a ledger. */
import * as z from 'zod/mini';

/** One call as the exchange saw it; tests read these through `GET /sandbox/calls`. */
export interface CallRecord {
  readonly id: string;
  readonly memberNo: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  readonly hotline: string | undefined;
  readonly externalCallId: string | undefined;
  state: 'trying' | 'ringing' | 'answered' | 'ended';
  /** SIP status of the final answer, e.g. 200, 402, 486. */
  finalStatus: number | undefined;
  endedBy: 'caller' | 'callee' | undefined;
  /** What ended it on the wire. */
  endedWith: CallEnd | undefined;
  readonly startedAt: number;
  answeredAt: number | undefined;
  endedAt: number | undefined;
  /** Keys the agent pressed during the call. */
  dtmf: string;
  /** Audio packets and bytes (payload) received from the agent. */
  audioPackets: number;
  audioBytes: number;
  /** Audio packets that are not silence; a muted microphone sends silence. */
  loudPackets: number;
  /** Measured by the exchange in both directions; undefined until audio has arrived. */
  quality: CallQuality | undefined;
  /** The agent has put it on hold: nobody is sent any audio. */
  isHeld: boolean;
  /** VND taken from the member's balance. */
  cost: number;
}

/** Of the worse direction. */
export interface CallQuality {
  /** By the E-model. */
  readonly mos: number;
  readonly lossPercent: number;
  readonly jitterMs: number;
  readonly roundTripMs: number;
}

/**
 * `BYE` and `CANCEL`: the SIP request, of the side in `endedBy`. `response`: refused. `answered-elsewhere`: another
 * device of the member took it. `socket-closed`: the dialer lost its socket before an answer. `no-audio`: no packet from
 * the agent for 15 s. `timeout`: rang for 60 s.
 */
export type CallEnd =
  | 'BYE'
  | 'CANCEL'
  | 'response'
  | 'answered-elsewhere'
  | 'socket-closed'
  | 'no-audio'
  | 'timeout';

/** One registration of a dialer, from its first REGISTER to its end; times in milliseconds since 1970. */
export interface RegistrationRecord {
  readonly memberNo: string;
  readonly contact: string;
  readonly since: number;
  /** How often it was refreshed. */
  refreshes: number;
  endedAt: number | undefined;
  /** `unregistered`: by a REGISTER with expiry 0. */
  endedWith: 'unregistered' | 'expired' | 'socket-closed' | undefined;
}

/** One valid request to `addMoney`, refused ones included: audits compare these with a ledger. */
export const topUpSchema = z.object({
  at: z.string(),
  memberNo: z.string(),
  money: z.number(),
  /** Member balance in VND around it. */
  before: z.number(),
  after: z.number(),
  /** Envelope code; 0: the money moved. */
  error: z.number(),
});
export type TopUp = Readonly<z.infer<typeof topUpSchema>>;

/** One request to the vendor's APIs, whatever its response. */
export interface RequestRecord {
  readonly at: string;
  readonly method: string;
  /** From the version on, e.g. `/api/member/addMoney`. */
  readonly path: string;
}

/** One automatic call: a script calls a member's dialer. */
export interface AutoCall {
  readonly transId: string;
  /** The number of the member who is called. */
  readonly phone: string;
  readonly name: string;
  readonly customerUid: string;
  readonly templateCode: string;
  readonly hotlineCode: string;
  readonly externalCallId: string;
  readonly createAt: number;
  answerAt: number;
  endCallAt: number;
  disposition: string;
  sipCode: number;
  postage: number;
}

/** Where webhooks are sent. */
export interface WebhookSettings {
  readonly url: string;
  /** Sent as the `Authorization` header, as it is. */
  readonly auth?: string | undefined;
}

/** One webhook that was sent. */
export interface Delivery {
  readonly at: string;
  readonly kind: string;
  readonly transId: string;
  /** HTTP status of the response; 0: there was none. */
  readonly status: number;
}
