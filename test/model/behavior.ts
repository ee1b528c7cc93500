/** How the played SDK behaves from now on. The first of each list is what was measured with the vendor's build. */

export const BEHAVIORS = {
  /** What comes of the next starts. */
  boot: ['ok', 'slow', 'refused', 'not-registered', 'unanswered', 'silent', 'never', 'no-hotlines'],
  /** What comes of a call out, unless a step of the sequence is first. */
  far: [
    'answers',
    'rings',
    'silence',
    'refuses-402',
    'refuses-403',
    'refuses-404',
    'refuses-480',
    'refuses-486',
    'refuses-484',
    'refuses-500',
    'refuses-503',
    'refuses-603',
    'refuses-402-after-ringing',
    'answers-and-ends',
    'gets-it-late',
  ],
  hangUp: ['ok', 'late', 'ignored'],
  hold: ['agreed', 'late', 'refused', 'unanswered'],
  dial: ['ok', 'late', 'lost', 'never-resolves'],
  answer: ['ok', 'late', 'lost'],
  /** How events reach the page; from the second one on, a defect that no build was seen to have. */
  delivery: ['at-once', 'doubled', 'late', 'each-in-a-task', 'swapped', 'dropped'],
} as const;

export type Behavior = { -readonly [Name in keyof typeof BEHAVIORS]: (typeof BEHAVIORS)[Name][number] };

export function normalBehavior(): Behavior {
  const usual = Object.entries(BEHAVIORS).map(([name, [first]]) => [name, first]);
  return Object.fromEntries(usual) as Behavior;
}
