/** The faults that are set: where, which, and how often. README.md says what each kind does. */
import * as z from 'zod/mini';

/**
 * A fault at one place. Places: an API path such as `/api/sdk/info`, or `script`, `register`, `invite`, `socket`.
 * `status` answers with that HTTP (or SIP) status; `error` with HTTP 200 and that envelope code.
 */
export const faultSchema = z.strictObject({
  kind: z.enum(['status', 'error', 'slow', 'cut', 'garbage', 'drop', 'drop-after', 'silent']),
  /** Status, envelope code, or milliseconds, as the kind needs. */
  value: z.optional(z.number()),
  /** How often it occurs; absent: until it is cleared. */
  times: z.optional(z.int().check(z.positive())),
});
export type Fault = Readonly<z.infer<typeof faultSchema>>;

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
