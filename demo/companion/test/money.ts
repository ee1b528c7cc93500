/** The money rules of companions on one ledger file, with a vendor in memory and agent001, who has no money. */
import type { TestContext } from 'node:test';
import { Ledger, type LedgerError } from '../money/ledger.ts';
import type { TopUpReason } from '../money/movement.ts';
import { TIMING } from '../money/reserve.ts';
import type { MoneyLog, TopUpPolicy, TopUpResult } from '../money/result.ts';
import { TopUp } from '../money/top-up.ts';
import type { Database } from '../store/database.ts';
import { memberNoSchema, OpenApi } from '../vbot/api.ts';
import { openTestDatabase, sqliteUrl } from './stores.ts';
import { startVendor, type StubVendor } from './vendor.ts';

export const agent = memberNoSchema.parse('agent001');
export const POLICY: TopUpPolicy = {
  mode: 'auto',
  amount: 1000,
  dailyLimitPerMember: 1000,
  dailyLimit: 100_000,
};
export const GENEROUS = { dailyLimitPerMember: 100_000 };

export interface Tools {
  readonly vendor: OpenApi;
  readonly topUp: TopUp;
}

export interface Setup {
  readonly stub: StubVendor;
  readonly url: string;
  readonly alerts: string[];
  /** Of the ledger, as the log is told. */
  readonly failures: LedgerError[];
  /** What the log says of top-ups. */
  readonly told: (Pick<TopUpResult, 'why' | 'amount' | 'detail'> & {
    readonly memberNo: string;
    readonly reason: TopUpReason;
  })[];
  /** A companion's tools on the same ledger file, as a restart or a second process has them. */
  open(
    policy?: Partial<TopUpPolicy>,
    options?: { retryMs?: number; leaseMs?: number; timeoutMs?: number; deadlineMs?: number },
  ): Tools;
  openStore(): Database;
  paid(): number;
  readonly log: MoneyLog;
  /** States of all movements, in order. */
  states(): Promise<string[]>;
}

export async function setUp(t: TestContext): Promise<Setup> {
  const stub = await startVendor(t);
  stub.add('agent001');
  const url = await sqliteUrl(t);
  const alerts: string[] = [];
  const failures: LedgerError[] = [];
  const told: Setup['told'] = [];
  const log: MoneyLog = {
    topUp: (memberNo, reason, { why, amount, detail }) =>
      void told.push({ memberNo, reason, why, amount, detail }),
    alert: (text) => alerts.push(text),
    ledgerFailed: (error: LedgerError) => void failures.push(error),
  };
  const openStore = () => openTestDatabase(t, url);
  return {
    stub,
    url,
    alerts,
    failures,
    told,
    log,
    openStore,
    open: (policy = {}, { timeoutMs, deadlineMs = 3000, ...timing } = {}) => {
      const vendor = new OpenApi(stub, { deadlineMs });
      t.after(() => vendor.close());
      const ledger = new Ledger(openStore(), { ...TIMING, ...timing });
      return { vendor, topUp: new TopUp(vendor, ledger, { ...POLICY, ...policy }, { log, timeoutMs }) };
    },
    paid: () => stub.paid.length,
    states: async () => (await new Ledger(openStore()).history()).map(({ state }) => state),
  };
}

export async function ensure(
  { topUp, vendor }: Tools,
  reason: TopUpReason = 'session',
): Promise<TopUpResult> {
  return topUp.ensure(agent, await vendor.readMember(agent), reason);
}
