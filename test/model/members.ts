/** Who is signed in at the page, one after the other. What each of them does has a mark, by which it is found again. */

/** In each member's own numbers, names and ids: nobody else's have it. */
const MARKS = { agent001: '911111111', agent002: '922222222' } as const;

export type MemberNo = keyof typeof MARKS;
export const MEMBERS = Object.keys(MARKS) as MemberNo[];

/** A text or the options of a call, as this member would have them; without a member, nobody can say whose they are. */
export function ownedBy<T>(member: string | undefined, value: T): T {
  const mark = MARKS[member as MemberNo];
  if (mark === undefined) return value;
  const text = JSON.stringify(value)
    .replaceAll('912345678', mark)
    .replaceAll('988777666', mark)
    .replaceAll('abc1', `abc${mark}`)
    .replaceAll('Bình', `Bình ${mark}`);
  return JSON.parse(text) as T;
}

/** Whose mark is in this text, however it is written? */
export function ownersIn(text: string): readonly MemberNo[] {
  const dense = text.replaceAll(/[\s.\-\u200B]/g, '');
  return MEMBERS.filter((member) => dense.includes(MARKS[member]));
}
