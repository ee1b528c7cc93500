/** Two stores that top up the same members: nobody can prevent it, so somebody has to be told, of each member paid twice. */
import { CompanionProcesses } from './companion-processes.ts';
import { diceOf, POLICY } from './plan.ts';
import { startBadVendor } from './vendor.ts';

const MEMBERS = 20;

interface TwoLedgers {
  readonly paidTwice: readonly string[];
  /** Those of them that no alert names. */
  readonly untold: readonly string[];
}

export async function runTwoLedgers(
  script: string,
  databaseUrls: readonly string[],
  seed: number,
): Promise<TwoLedgers> {
  const vendor = await startBadVendor(diceOf(seed));
  const ledgers = databaseUrls.map(
    (databaseUrl) =>
      new CompanionProcesses(
        script,
        { databaseUrl, vendor: vendor.vendor, policy: POLICY, mutant: undefined },
        1,
      ),
  );
  try {
    await Promise.all(ledgers.map((one) => one.ready()));
    const members = Array.from({ length: MEMBERS }, (_, n) => `agent${n}`);
    await Promise.all(members.flatMap((memberNo) => ledgers.map((one) => one.ask(0, memberNo))));
    await Promise.all(ledgers.map((one) => one.rest()));
    const alerts = ledgers.flatMap((one) => one.alerts).filter((text) => text.includes('second ledger'));
    const creditsOf = (memberNo: string) =>
      vendor.orders.filter((order) => order.applied && order.memberNo === memberNo).length;
    const paidTwice = members.filter((memberNo) => creditsOf(memberNo) > vendor.dues(memberNo));
    const untold = paidTwice.filter((one) => !alerts.some((text) => text.includes(`of ${one} went`)));
    return { paidTwice, untold };
  } finally {
    await Promise.all(ledgers.map((one) => one.close()));
    await vendor.close();
  }
}
