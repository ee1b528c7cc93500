/** The member's caller numbers, and which of them a call goes out with. */
import type { Hotline } from '../../broker/contract.ts';
import { normalize } from '../../numbers/read.ts';

/**
 * The first preferred number that is one of the member's, else the member's first. A call with any other number would fail.
 *
 * @param preferred the most preferred first; empty strings are ignored
 */
export function chooseCallerNumber(
  hotlines: readonly Hotline[],
  preferred: readonly (string | undefined)[],
): string | undefined {
  const own = preferred.map((each) => (each ? findHotline(hotlines, each) : undefined));
  return (own.find((hotline) => hotline !== undefined) ?? hotlines[0])?.number;
}

/**
 * The broker and the SDK each name the member's numbers, perhaps in different spellings. If the SDK names
 * numbers, its list is used, and the broker's data are added to each number.
 */
export function mergeHotlines(ofBroker: readonly Hotline[], ofSdk: readonly Hotline[]): readonly Hotline[] {
  if (ofSdk.length === 0) return ofBroker;
  return ofSdk.map((hotline) => ({ ...findHotline(ofBroker, hotline.number), ...hotline }));
}

function findHotline(hotlines: readonly Hotline[], wanted: string): Hotline | undefined {
  return hotlines.find(({ number }) => normalize(number) === normalize(wanted));
}

/** The same for the same numbers, in whatever order and spelling. */
export function numbersKey(hotlines: readonly Hotline[]): string {
  return hotlines
    .map(({ number }) => normalize(number))
    .toSorted()
    .join(' ');
}
