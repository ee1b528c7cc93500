/** Which of the member's caller numbers a call goes out with. */
import type { Hotline } from '../broker/contract.ts';
import { national } from '../numbers/read.ts';

/**
 * The first wish that is one of the member's own numbers, else the first of those. A number that is not the member's
 * does not count: every call with it would fail.
 *
 * @param preferred in the order in which they count; empty ones are none
 */
export function chooseCallerNumber(
  hotlines: readonly Hotline[],
  preferred: readonly (string | undefined)[],
): string | undefined {
  const own = preferred
    .filter((wish): wish is string => wish !== undefined && wish !== '')
    .map((wish) => hotlines.find(({ number }) => national(number) === national(wish)))
    .find((hotline) => hotline !== undefined);
  return (own ?? hotlines[0])?.number;
}
