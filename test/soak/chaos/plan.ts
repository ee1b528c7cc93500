/** What one campaign of the chaos test is made of, as the companions it starts are told. */
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

/** The program that each companion is. */
export const COMPANION = fileURLToPath(new URL('companion.ts', import.meta.url));
/** Answered when nothing is under way any more. */
export const REST_PATH = '/-';
/** The header in which a payment names its movement, so that the audit never has to guess. */
export const MOVEMENT_HEADER = 'x-movement';
/** Members whose number begins so are shown an old balance for a fixed time, also by a vendor that works. */
export const LATE_MEMBER = 'late';
/** Payments of these members are always cut off, and made once somebody has checked whether they were. */
export const CUT_MEMBER = 'cut';
/** Sessions of these members always pause between the first read of the balance and the claim. */
export const HELD_MEMBER = 'held';

/** Ways to break the money rules, each of which the campaign has to notice; see mutants.ts. */
export const MUTANTS = [
  'no unique index',
  'no second read',
  'POST repeated',
  'budget not atomic',
  'no fence',
  'doubt taken for refusal',
  'own clock',
  'no cool-down',
  'limits of its own',
  'commit not awaited',
  'future never over',
  'put back forgotten',
] as const;
export type Mutant = (typeof MUTANTS)[number];

export const companionPlanSchema = z.object({
  databaseUrl: z.string(),
  vendor: z.object({ baseUrl: z.string(), apiKey: z.string() }),
  policy: z.object({
    mode: z.literal('auto'),
    amount: z.number(),
    dailyLimitPerMember: z.number(),
    dailyLimit: z.number(),
  }),
  mutant: z.optional(z.enum(MUTANTS)),
  /** Whether the clock of its host jumps by hours, back and forth. */
  clockJumps: z.boolean(),
});
export type CompanionPlan = z.infer<typeof companionPlanSchema>;

export const POLICY = {
  mode: 'auto',
  amount: 1000,
  dailyLimitPerMember: 3000,
  // Low enough to be reached in the middle of a campaign.
  dailyLimit: 30_000,
} as const;

/** Everything takes its time in real life, and here a fraction of it. Milliseconds. */
export const PACE = {
  leaseMs: 1200,
  quarantineMs: 2800,
  coolDownMs: 2000,
  retryMs: 300,
  timeoutMs: 500,
  sweepMs: 300,
  vendorDeadlineMs: 800,
  circuitOpenMs: 100,
  /** How late the vendor may apply what it did not confirm: always well within the quarantine. */
  latestEffectMs: 900,
  /** How long the vendor may show an old balance; no longer than a lease, less than the cool-down. */
  longestLagMs: 1200,
  /** How long a companion may be stopped; more than a lease, less than a lease and a quarantine. */
  longestStopMs: 2000,
  /** How long it may sit on a balance before it acts; more than a lease. */
  longestDawdleMs: 3200,
  longestHoldMs: 1600,
} as const;
