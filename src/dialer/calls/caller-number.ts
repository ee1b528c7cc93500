/** Which of the member's caller numbers a call goes out with. */
import type { Hotline } from '../../broker/contract.ts';
import { national } from '../../numbers/read.ts';

/**
 * The first preferred number that is one of the member's, else the member's first. A call with any other number would fail.
 *
 * @param preferred in the order in which they count; empty ones are none
 */
export function chooseCallerNumber(
  hotlines: readonly Hotline[],
  preferred: readonly (string | undefined)[],
): string | undefined {
  const own = preferred
    .filter((each): each is string => each !== undefined && each !== '')
    .map((each) => hotlines.find(({ number }) => national(number) === national(each)))
    .find((hotline) => hotline !== undefined);
  return (own ?? hotlines[0])?.number;
}
