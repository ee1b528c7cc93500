/** What the vendor's Vietnamese error texts mean. Diacritics and case do not count. */
import { plain } from './plain-text.ts';
import { DialerError, type DialerErrorCode } from '../../errors.ts';

const TROUBLES: readonly (readonly [RegExp, DialerErrorCode, string])[] = [
  [
    /khong tim thay thiet bi|khong the truy cap microphone|no device|not ?found/,
    'microphone-missing',
    'No microphone was found.',
  ],
  [
    /quyen (microphone|truy cap)|not ?allowed|permission/,
    'microphone-denied',
    'The browser blocks the microphone.',
  ],
  [/cuoc goi khac/, 'busy', 'The SDK is in another call.'],
  [/chua (duoc khoi tao|dang ky)/, 'not-ready', 'The SDK is not registered.'],
];

/** Why the SDK did not start or answer a call; the first text that is understood decides. */
export function troubleError(texts: readonly string[]): DialerError {
  for (const text of texts.map(plain)) {
    const known = TROUBLES.find(([pattern]) => pattern.test(text));
    if (known) return new DialerError(known[1], known[2]);
  }
  return new DialerError('call-rejected', 'The SDK did not place the call.');
}
