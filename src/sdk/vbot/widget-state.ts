/** What the vendor's element says of its own state. */
import { parseCallData, type VbotCallData } from './call-messages.ts';
import type { VbotElement } from './widget.ts';

/** `undefined`: it does not say. */
export function readState(element: VbotElement): unknown {
  try {
    return element.getCallState?.();
  } catch {
    return undefined;
  }
}

/** Has the SDK no call? */
export function isIdle(element: VbotElement): boolean {
  const state = readState(element);
  return state === undefined ? readCall(element) === undefined : state === 'idle';
}

/** The call that the SDK is in, as it says itself. */
export function readCall(element: VbotElement): VbotCallData | undefined {
  try {
    return parseCallData(element.getCallData());
  } catch {
    return undefined;
  }
}
