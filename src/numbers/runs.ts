/** Cuts a text into runs of digits in one pass. Each character has exactly one kind, so the time grows only with the length. */

/** What people group digits with: blanks, invisible signs, dashes, dots, slashes, brackets. A line break is not one of them. */
const MARKS = String.raw`\t\p{Zs}\p{Cf}\p{Pd}\ufe00-\ufe0f\u2212\u00b7\u2022.\/()`;
const PIECE = new RegExp(String.raw`(\d+)|(\+)|([${MARKS}]+)|[^\d+${MARKS}]+`, 'gu');
const BETWEEN_WORDS = new RegExp(String.raw`[${MARKS}\s:=]+`, 'u');
/** `+84 (0) 912…`: after the calling code, a zero in brackets is for callers inside the country. */
const CALLING_CODE = /^(?:\+|00)(?:84|(?!84)\d{1,3})$/;
/** `0 0 3 5 8 (0) …`: 5 digits, marks behind each of them, and the zero. */
const MOST_PIECES_OF_CODE = 11;

type Kind = 'digits' | 'plus' | 'marks' | 'other';

interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

export interface Runs {
  /** The groups of digits of each run; the first group of an international number is a plus. */
  readonly runs: readonly (readonly string[])[];
  /** If there is no run, the whole text. */
  readonly before: string;
  /** What stands between the first two runs. */
  readonly between: string;
  readonly after: string;
}

export function findRuns(text: string): Runs {
  const pieces = [...text.matchAll(PIECE)].map(([piece, digits, plus, marks]): Piece => ({
    kind: digits ? 'digits' : plus ? 'plus' : marks ? 'marks' : 'other',
    text: piece,
  }));
  const ranges: { readonly from: number; readonly to: number }[] = [];
  for (let from = 0; from < pieces.length;) {
    const to = endOfRun(pieces, from);
    if (to !== undefined) ranges.push({ from, to });
    from = to ?? from + 1;
  }
  const [first, second] = ranges;
  return {
    runs: ranges.map(({ from, to }) => collectGroups(pieces.slice(from, to))),
    before: joinText(pieces.slice(0, first?.from)),
    between: joinText(pieces.slice(first?.to, second?.from)),
    after: joinText(first ? pieces.slice(ranges.at(-1)?.to) : []),
  };
}

/** A text in words, without the marks around them. */
export function normalizeWords(text: string): string {
  return text.toLowerCase().split(BETWEEN_WORDS).join(' ').trim();
}

/** A run is digits with marks between them, after a plus if the number is international. */
function endOfRun(pieces: readonly Piece[], from: number): number | undefined {
  const kindAt = (index: number) => pieces[index]?.kind;
  let at = from;
  if (kindAt(at) === 'plus') at += kindAt(at + 1) === 'marks' ? 2 : 1;
  if (kindAt(at) !== 'digits') return undefined;
  while (kindAt(at + 1) === 'marks' && kindAt(at + 2) === 'digits') at += 2;
  return at + 1;
}

function collectGroups(run: readonly Piece[]): readonly string[] {
  const zero = run.slice(0, MOST_PIECES_OF_CODE).findIndex((_, index) => isTrunkZero(run, index));
  return run.filter(({ kind }, index) => kind !== 'marks' && index !== zero).map(({ text }) => text);
}

function isTrunkZero(run: readonly Piece[], index: number): boolean {
  const isInBrackets =
    run[index]?.text === '0' && run[index - 1]?.text.includes('(') && run[index + 1]?.text.includes(')');
  const before = run.slice(0, index).filter(({ kind }) => kind !== 'marks');
  return isInBrackets === true && CALLING_CODE.test(joinText(before));
}

function joinText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
