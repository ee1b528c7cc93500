/** One telephone number in its several spellings. */

/** What people group digits with. */
const MARKS = /[\s\p{Cf}\p{Pd}./()\u2212\u00b7]/gu;
const DIGITS = /^\+?\d{3,17}$/;
/** Behind Vietnam's calling code: a subscriber's number, with or without its zero, or a service number such as 1900… */
const VIETNAMESE = /^84(?:0?(?<subscriber>[2-9]\d{8,9})|(?<service>1[89]00\d{4,6}))$/;
const NATIONAL = /^(?:0\d{9,10}|1[89]00\d{4,6})$/;
/** Shorter ones are dialled as they are and have no calling code. */
const INTERNATIONAL_DIGITS = 8;

/** The one form to compare by: national in Vietnam, else all digits from the calling code on; undefined: no number. */
export function readPhone(written: string): string | undefined {
  const text = written.replaceAll(MARKS, '');
  if (!DIGITS.test(text)) return undefined;
  const digits = text.replace(/^(?:\+|00)/, '');
  const { subscriber, service } = VIETNAMESE.exec(digits)?.groups ?? {};
  return service ?? (subscriber === undefined ? digits : `0${subscriber}`);
}

/** The ways in which somebody may have written this number down, at most three. */
export function spellingsOf(phone: string): readonly string[] {
  if (NATIONAL.test(phone)) {
    const abroad = `84${phone.replace(/^0/, '')}`;
    return [phone, abroad, `+${abroad}`];
  }
  return phone.length < INTERNATIONAL_DIGITS ? [phone] : [phone, `+${phone}`, `00${phone}`];
}
