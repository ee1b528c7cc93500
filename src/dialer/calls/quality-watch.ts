/** From the answer of a call to its end, tells the state how the call sounds. */
import { monitorQuality, type QualityReport } from '../../quality/monitor.ts';
import type { Dependencies } from '../dependencies.ts';

export function watchQuality({ store, connection }: Dependencies): void {
  const active = () => (store.state.call.is === 'active' ? store.state.call : undefined);
  const call = {
    audio: () => connection.sdk?.call?.audio,
    isMuted: () => active()?.muted === true,
    isHeld: () => active()?.held === true,
    onReport: (report: QualityReport) => store.apply({ type: 'quality', ...report }),
  };
  let monitoring: AbortController | undefined;
  store.subscribe(() => {
    const isActive = active() !== undefined;
    if (isActive === (monitoring !== undefined)) return;
    monitoring?.abort();
    monitoring = isActive ? new AbortController() : undefined;
    if (monitoring) void monitorQuality(call, monitoring.signal);
  });
}
