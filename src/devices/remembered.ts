/** The agent's choice in the storage of the browser. A page without storage forgets it when it is closed. */
import * as z from 'zod/mini';
import { SYSTEM_CHOICE, type DeviceChoice } from './state.ts';

const KEY = 'partner-dialer devices';

const deviceSchema = z.object({ id: z.string(), label: z.string() });
const choiceSchema = z.object({
  microphone: deviceSchema,
  speaker: deviceSchema,
  ringers: z.array(deviceSchema).check(z.minLength(1)),
});

export function readChoice(): DeviceChoice {
  try {
    return choiceSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? ''));
  } catch {
    return SYSTEM_CHOICE;
  }
}

/** The agent has chosen in another tab. */
export function watchChoice(signal: AbortSignal, chosen: (choice: DeviceChoice) => void): void {
  addEventListener('storage', ({ key }) => key === KEY && chosen(readChoice()), { signal });
}

export function writeChoice(choice: DeviceChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // Forbidden, or full.
  }
}
