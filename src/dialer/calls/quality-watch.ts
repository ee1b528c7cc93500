/** From the answer of a call to its end, tells the state how the call sounds. */
import { monitorQuality, type QualityReport } from '../../quality/monitor.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DialerState } from '../state/state.ts';

export class QualityWatch {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  /** Of the present call, while it is answered. */
  #call: AbortController | undefined;

  constructor({ store, connection }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
  }

  stateChanged({ call }: DialerState): void {
    const isActive = call.is === 'active';
    if (isActive === (this.#call !== undefined)) return;
    this.#call?.abort();
    this.#call = isActive ? new AbortController() : undefined;
    if (this.#call) this.#watch(this.#call.signal);
  }

  #watch(signal: AbortSignal): void {
    const active = () => {
      const { call } = this.#store.state;
      return call.is === 'active' ? call : undefined;
    };
    const call = {
      media: () => this.#connection.sdk?.call?.media,
      isMuted: () => active()?.muted === true,
      isHeld: () => active()?.held === true,
      onReport: (report: QualityReport) => this.#store.apply({ type: 'quality', ...report }),
    };
    void monitorQuality(call, signal);
  }
}
