/**
 * Starts a stopwatch, for requests that must not be sent too late. It counts milliseconds also while the machine is suspended
 * (`performance.now` stands still) and after the clock is put back (`Date.now` goes back).
 */
export function startWatch(): () => number {
  const [steady, clock] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - clock);
}
