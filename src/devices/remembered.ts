/** The agent's choice, in the storage of the browser. A page without storage remembers it until it is closed. */
import * as z from 'zod/mini';
import { SYSTEM_CHOICE, type DeviceChoice } from './state.ts';

const KEY = 'partner-dialer devices';

const deviceSchema = z.object({ id: z.string(), label: z.string(), isTwin: z.optional(z.boolean()) });
const choiceSchema = z.object({
  microphone: deviceSchema,
  speaker: deviceSchema,
  ringers: z.array(deviceSchema).check(z.minLength(1)),
});

/** All dialers of this page hear of it: a second one may take over. */
const page = new EventTarget();
/** What the storage did not take. */
let unstored: DeviceChoice | undefined;

export function readChoice(): DeviceChoice {
  if (unstored) return unstored;
  try {
    const stored = localStorage.getItem(KEY);
    return stored === null ? SYSTEM_CHOICE : choiceSchema.parse(JSON.parse(stored));
  } catch {
    return SYSTEM_CHOICE;
  }
}

/** The agent has chosen in another tab, or in another dialer of this page. */
export function watchChoice(signal: AbortSignal, chosen: (choice: DeviceChoice) => void): void {
  page.addEventListener('chosen', () => chosen(readChoice()), { signal });
  addEventListener('storage', ({ key }) => key === KEY && chosen(readChoice()), { signal });
}

export function writeChoice(choice: DeviceChoice): void {
  unstored = undefined;
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // Forbidden, or full.
    unstored = choice;
  }
  page.dispatchEvent(new Event('chosen'));
}
