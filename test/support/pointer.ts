/** A real pointer, through the browser itself, and the time in which the dialer measures its presses. */
import { nextFrame } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { passTime } from './clock.ts';

/** Longer than the dialer holds a press back after its view has changed. */
export const HESITATION_MS = 600;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function centerOf(element: Element): Place {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

/** Presses whatever is at this place now. */
export async function pressAt({ x, y }: Place): Promise<void> {
  await sendMouse({ type: 'click', position: [x, y] });
}

/**
 * Twice or more at one place, whatever lies there by then. Between two presses exactly so many milliseconds pass, however long
 * a busy machine takes.
 */
export async function pressTwiceAt(place: Place, apart: number, presses = 2): Promise<void> {
  setTime(performance.now(), 0);
  try {
    await pressAt(place);
    for (let press = 1; press < presses; press += 1) {
      if (apart > 0) await letPass(apart);
      await pressAt(place);
    }
  } finally {
    setTime(performance.now(), 1);
  }
}

/** Before each, exactly so many milliseconds pass, however long a busy machine takes. */
export async function pressKeys(keys: readonly string[], apart: number): Promise<void> {
  setTime(performance.now(), 0);
  try {
    for (const key of keys) {
      await letPass(apart);
      await sendKeys({ press: key });
    }
  } finally {
    setTime(performance.now(), 1);
  }
}

/** Looks first, as an agent does who knows what to press. */
export async function hesitate(): Promise<void> {
  await letPass(HESITATION_MS);
}

/** Advances presses, timers and animations by this time, without waiting for it. */
export async function letPass(ms: number): Promise<void> {
  await nextFrame();
  if (isStopped()) setTime(performance.now() + ms);
  const dialers = [...document.querySelectorAll('partner-dialer')];
  for (const animation of dialers.flatMap(({ shadowRoot }) => shadowRoot?.getAnimations() ?? [])) {
    if (animation.currentTime !== null) animation.currentTime = Number(animation.currentTime) + ms;
  }
  await passTime(ms);
  await nextFrame();
}

/** From this moment of the browser's own clock on it is that time for the page, which goes on at that pace. */
interface Stretch {
  readonly from: number;
  readonly time: number;
  readonly pace: 0 | 1;
}

const START: Stretch = { from: 0, time: 0, pace: 1 };
const stretches = [START];
const isStopped = () => stretches.at(-1)?.pace === 0;
const realNow = performance.now.bind(performance);
const realTimeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')?.get;

function setTime(time: number, pace = stretches.at(-1)?.pace ?? 1): void {
  stretches.push({ from: realNow(), time, pace });
}

function timeOf(moment: number): number {
  const { from, time, pace } = stretches.findLast((stretch) => stretch.from <= moment) ?? START;
  return time + (moment - from) * pace;
}

performance.now = () => timeOf(realNow());
Object.defineProperty(Event.prototype, 'timeStamp', {
  configurable: true,
  get(this: Event) {
    return timeOf(Number(realTimeStamp?.call(this)));
  },
});
