/** The faults a test has asked for: where, which, and how often. */

/**
 * A fault at one place. Places: an API path such as `/api/sdk/info`, or `script`, `register`, `invite`, `socket`.
 * `status` answers with that HTTP (or SIP) status; `error` with HTTP 200 and that envelope code.
 */
export interface Fault {
  readonly kind: 'status' | 'error' | 'slow' | 'cut' | 'garbage' | 'drop' | 'drop-after' | 'silent';
  /** Status, envelope code, or milliseconds, as the kind needs. */
  readonly value?: number;
  /** How often it occurs; absent: until it is cleared. */
  readonly times?: number;
}

/** The faults set, by place. */
export class FaultPlan extends Map<string, Fault> {
  /** The fault that occurs at this place now, if one is set; counts it. */
  take(place: string): Fault | undefined {
    const fault = this.get(place);
    if (fault?.times !== undefined) {
      if (fault.times <= 1) this.delete(place);
      else this.set(place, { ...fault, times: fault.times - 1 });
    }
    return fault;
  }
}
