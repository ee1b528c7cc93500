/** The steps of provisioning, as people read them. */
import type { HotlineRow, MemberRow } from '../vendor/data.ts';

export interface Step {
  /** As the vendor counts them; the fourth has two parts. */
  readonly step: 1 | 2 | 3 | 4;
  readonly name: 'hotlines' | 'token' | 'member' | 'top-up' | 'hotline';
  readonly status: 'done' | 'skipped' | 'failed';
  /** For people; holds no secret. */
  readonly detail: string;
}

export type Report = (step: Step) => void;

export function describeChoice(
  listed: readonly HotlineRow[],
  wanted: HotlineRow | undefined,
  code: string | undefined,
): Pick<Step, 'status' | 'detail'> {
  if (wanted) return { status: 'done', detail: `${listed.length} listed, ${wanted.name} is used` };
  const missing = code === undefined ? 'none is listed' : `${code} is not among the ${listed.length} listed`;
  return { status: 'failed', detail: missing };
}

export function describeBalance({ balance }: MemberRow): Pick<Step, 'status' | 'detail'> {
  const detail = balance > 0 ? 'the balance is above 0' : 'there is no money, and topping up is switched off';
  return { status: 'skipped', detail };
}

export function describeMember({ extension, balance }: MemberRow): string {
  return `extension ${extension ?? 'unknown'}, balance ${balance} VND`;
}
