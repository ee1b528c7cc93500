/**
 * Starts a watch, for what must not be sent too late: its milliseconds go on while the machine is suspended, when
 * `performance.now` stands still, and while the clock is put back.
 */
export function startWatch(): () => number {
  const [steady, clock] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - clock);
}
