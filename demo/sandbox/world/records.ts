/** What the sandbox remembers of what was asked of it: tests read these, and audits compare them with a ledger. */

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
  readonly startedAt: number;
  answeredAt: number | undefined;
  endedAt: number | undefined;
  /** Keys the agent pressed during the call. */
  dtmf: string;
  /** Audio packets and bytes (payload) received from the agent. */
  audioPackets: number;
  audioBytes: number;
  /** VND taken from the member's balance. */
  cost: number;
}

/** One call of `addMoney` that was understood, refused ones included: what an audit compares a ledger with. */
export interface TopUp {
  readonly at: string;
  readonly memberNo: string;
  readonly money: number;
  /** Member balance in VND around it. */
  readonly before: number;
  readonly after: number;
  /** Envelope code; 0: the money moved. */
  readonly error: number;
}

/** One request at the REST side, whatever became of it. */
export interface RequestRecord {
  readonly at: string;
  readonly method: string;
  /** From the version on, e.g. `/api/member/addMoney`. */
  readonly path: string;
}

/** One automatic call: a script that rings a member's dialer or a telephone number. */
export interface AutoCall {
  readonly transId: string;
  readonly phone: string;
  /** Who is called, if it is a member; the interface has no field for it, so only `externalCallId` leaves the sandbox. */
  readonly memberNo: string | undefined;
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

/** Where webhooks are sent, and which delivery faults they suffer. */
export interface WebhookSettings {
  readonly url: string;
  /** Sent as the `Authorization` header, as it is. */
  readonly auth?: string | undefined;
  /** How often each is sent. */
  readonly copies: number;
  /** Milliseconds before each one. */
  readonly delayMs: number;
  readonly reversed: boolean;
}

/** One webhook that was sent. */
export interface Delivery {
  readonly at: string;
  readonly kind: string;
  readonly transId: string;
  /** HTTP status of the response; 0: there was none. */
  readonly status: number;
}
