/** How long the steps of a movement may take. Milliseconds. */
export interface Timing {
  /** How long a movement may take to be sent, and then to be answered; after that, others take its owner for dead. */
  readonly leaseMs: number;
  /** How long after a doubtful answer the money may still arrive; then the member may be topped up anew. */
  readonly quarantineMs: number;
  /** How long a paid member whose balance has not been seen to rise gets no more: what is read may be old. */
  readonly coolDownMs: number;
  /**
   * How long a member waits after a refusal, and everybody while the partner account is short of money. After each further
   * refusal twice as long, up to the quarantine.
   */
  readonly retryMs: number;
  /** How long whoever asks waits for the money before they are told that it is under way; absent: to the end. */
  readonly timeoutMs?: number;
}

export const TIMING: Timing = {
  leaseMs: 30_000,
  quarantineMs: 10 * 60_000,
  coolDownMs: 10 * 60_000,
  retryMs: 60_000,
};
