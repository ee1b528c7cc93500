/** The members of the project, and the hotlines they call with. */
import { randomBytes } from 'node:crypto';

export interface Hotline {
  readonly name: string;
  /** International form, digits only. */
  readonly number: string;
  readonly code: string;
  readonly type: 'HOTLINE' | 'ALIAS';
  /** An inactive hotline stays listed but carries no call. */
  readonly active: boolean;
}

export interface Assignment {
  readonly number: string;
  readonly allowCall: boolean;
  /** `HH:mm`, or empty for no limit. */
  readonly startTime: string;
  readonly endTime: string;
}

export interface Member {
  readonly memberNo: string;
  name: string;
  readonly extension: number;
  readonly status: number;
  /** VND; falls with calls and may go below 0. */
  balance: number;
  readonly expirationDate: string;
  assignments: Assignment[];
  /** The SIP account the SDK registers with. */
  readonly sipUser: string;
  readonly sipPassword: string;
}

export const FIRST_HOTLINES: readonly Hotline[] = [
  { name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE', active: true },
  { name: 'Support', number: '842899990002', code: 'HL_SUPPORT', type: 'HOTLINE', active: true },
  { name: 'Chăm sóc khách hàng', number: '842899990003', code: 'HL_CARE', type: 'ALIAS', active: true },
];

const YEAR_MS = 365 * 86_400_000;

export function newMember(memberNo: string, extension: number, hotlines: readonly Hotline[]): Member {
  return {
    memberNo,
    name: memberNo,
    extension,
    status: 1,
    balance: 0,
    expirationDate: new Date(Date.now() + YEAR_MS).toISOString(),
    assignments: hotlines.map(({ number }) => allDay(number)),
    sipUser: `p${extension}`,
    sipPassword: randomBytes(9).toString('base64url'),
  };
}

/** A hotline to call with at any time. */
export function allDay(number: string): Assignment {
  return { number, allowCall: true, startTime: '', endTime: '' };
}

/** The hotlines that the assignments let somebody call out with right now. */
export function callable(hotlines: readonly Hotline[], assignments: readonly Assignment[]): Hotline[] {
  const allowed = new Set(assignments.filter((one) => one.allowCall).map(({ number }) => number));
  return hotlines.filter(({ active, number }) => active && allowed.has(number));
}
