/** A real pointer, through the browser itself. */
import { nextFrame } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';

/** Longer than the dialer holds a press back after its view has changed. */
const HESITATION_MS = 600;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function centerOf(element: Element): Place {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

/** Without a word about what is there by now. */
export async function pressAt({ x, y }: Place): Promise<void> {
  await sendMouse({ type: 'click', position: [x, y] });
}

/** Looks first, as an agent does who knows what to press. */
export async function hesitate(): Promise<void> {
  await nextFrame();
  await realTime(HESITATION_MS);
}

/** The dialer measures presses in the browser's own time, which does not run ahead. */
export async function realTime(ms: number): Promise<void> {
  const end = performance.now() + ms;
  // oxlint-disable-next-line no-await-in-loop -- frame by frame
  while (performance.now() < end) await nextFrame();
}
