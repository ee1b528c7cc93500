/** Silences the console of the whole page, as the vendor's build does; a wrapper has to restore it. */

const SILENCED = ['log', 'warn', 'info', 'error', 'exception', 'table', 'trace'];

export function silenceConsole(): void {
  for (const method of SILENCED) Reflect.set(console, method, () => undefined);
}
