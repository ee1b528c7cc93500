/** Makes texts comparable: no diacritics, no capitals. */

/** Combining marks, once a text is decomposed; `đ` has none to lose. */
const MARKS = /\p{M}/gu;

export function plain(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').replaceAll('đ', 'd').replaceAll('Đ', 'D').toLowerCase();
}
