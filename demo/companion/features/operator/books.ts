/** What the operator's page shows of the ledger. */
import type { Ledger } from '../../money/ledger.ts';
import { dayOf } from '../../money/movement.ts';
import { GIVEN_UP, givenUpSince } from '../../money/standing.ts';
import type { Outlook } from '../../money/top-up.ts';
import { memberKey } from '../../vbot/api.ts';

export type Books = NonNullable<Awaited<ReturnType<typeof readBooks>>>;

/** Rows of a table. */
export const PAGE_SIZE = 100;

/** Undefined: the ledger cannot be read. */
export async function readBooks(
  ledger: Ledger,
  { troubles, standing }: Outlook,
  page: number,
  member: string | undefined,
) {
  if (!standing) return undefined;
  const { now, today } = standing;
  const [where, value] =
    member === undefined ? ['day = ?', dayOf(now)] : ['lower(member) = ?', memberKey(member)];
  const [open, movements, givenUp] = await Promise.all([
    ledger.open(),
    ledger.history(
      `where ${where} order by claimed_at desc, id limit ? offset ?`,
      value,
      PAGE_SIZE,
      member === undefined ? PAGE_SIZE * page : 0,
    ),
    ledger.history(`where ${GIVEN_UP} order by claimed_at desc limit ?`, givenUpSince(now), PAGE_SIZE),
  ]);
  return {
    troubles,
    standing,
    /** At most as many as a page has, like `givenUp`; the sums are of all. */
    open: open.slice(0, PAGE_SIZE),
    /** Of the last days: nobody could prove whether the money arrived. */
    givenUp,
    /** One page, newest first: of today, or of one member over all days. */
    movements,
    member,
    /** From 0. */
    page,
    pages: Math.ceil(today.movements / PAGE_SIZE),
  };
}
