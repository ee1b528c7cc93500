/** The members of the project, and the hotlines they call with. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AGENTS } from './agents.ts';

export const hotlineSchema = z.object({
  name: z.string(),
  /** International form, digits only. */
  number: z.string().check(z.regex(/^\d+$/)),
  code: z.string().check(z.minLength(1)),
  type: z._default(z.enum(['HOTLINE', 'ALIAS']), 'HOTLINE'),
  /** An inactive hotline stays listed but carries no call. */
  active: z._default(z.boolean(), true),
});
export type Hotline = Readonly<z.infer<typeof hotlineSchema>>;

const assignmentSchema = z.object({
  number: z.string(),
  allowCall: z.boolean(),
  /** `HH:mm`, or empty for no limit. */
  startTime: z.string(),
  endTime: z.string(),
});
export type Assignment = Readonly<z.infer<typeof assignmentSchema>>;

export const memberSchema = z.object({
  memberNo: z.string(),
  name: z.string(),
  extension: z.number(),
  status: z.number(),
  /** VND; falls with calls and may go below 0. */
  balance: z.number(),
  expirationDate: z.string(),
  assignments: z.array(assignmentSchema),
  /** The SIP account the SDK registers with. */
  sipUser: z.string(),
  sipPassword: z.string(),
});
export type Member = z.infer<typeof memberSchema>;

export const FIRST_HOTLINES: readonly Hotline[] = [
  { name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE', active: true },
  { name: 'Support', number: '842899990002', code: 'HL_SUPPORT', type: 'HOTLINE', active: true },
  { name: 'Chăm sóc khách hàng', number: '842899990003', code: 'HL_CARE', type: 'ALIAS', active: true },
];

const YEAR_MS = 365 * 86_400_000;

export function newMember(memberNo: string, extension: number, hotlines: readonly Hotline[]): Member {
  return {
    memberNo,
    name: AGENTS.get(memberNo) ?? memberNo,
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
