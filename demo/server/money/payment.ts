/** One payment of a movement that was claimed: read the balances, pass the fence, send the money once, see what came of it. */
import type { MemberNo, MemberRow } from '../vendor/data.ts';
import { memberNoSchema } from '../vendor/data.ts';
import { VendorError } from '../vendor/response.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movement.ts';
import type { Timing } from './timing.ts';
import { ADMIN_SHORT, enough, failed, REFUSALS, type TopUpResult } from './top-up-result.ts';

/** What of the vendor it takes to move money. Each method throws a VendorError and nothing else. */
export interface MoneyApi {
  readMember(memberNo: MemberNo): Promise<MemberRow>;
  /** VND on the partner's own account. */
  adminBalance(): Promise<number>;
  addMoney(memberNo: MemberNo, vnd: number): Promise<void>;
}

export interface PaymentDependencies {
  readonly vendor: MoneyApi;
  readonly ledger: Ledger;
  readonly timing: Timing;
  /** Told what a person should look at; holds no secret. */
  readonly alert: (text: string) => void;
}

export async function pay(claimed: Movement, dependencies: PaymentDependencies): Promise<TopUpResult> {
  const { ledger, timing } = dependencies;
  const { before, admin } = await readBalances(claimed, dependencies);
  if (before > 0) {
    await ledger.advance(claimed, 'void', { before, note: 'not needed any more' });
    return enough(before);
  }
  if (admin < claimed.amount) {
    const note = `the partner account has ${admin} VND`;
    await ledger.advance(claimed, 'void', { before, note });
    return { ...ADMIN_SHORT, balance: before };
  }
  const fencedAt = performance.now();
  const sent = await ledger.send(claimed, before);
  if (!sent) return failed('pending', 'another run has taken over');
  // Held up since, e.g. stopped or asleep: by now the others may count this one among the dead.
  if (performance.now() - fencedAt > timing.leaseMs / 2) {
    await ledger.advance(sent, 'void', { note: 'too late to send' });
    return failed('pending', 'this run was held up for too long');
  }
  return send(sent, before, dependencies);
}

/** Read after the claim: from here on nobody else pays this member, so what is read stays true. */
async function readBalances(
  claimed: Movement,
  { vendor, ledger }: PaymentDependencies,
): Promise<{ before: number; admin: number }> {
  try {
    const [member, admin] = await Promise.all([
      vendor.readMember(memberNoSchema.parse(claimed.memberNo)),
      vendor.adminBalance(),
    ]);
    return { before: member.balance, admin };
  } catch (error) {
    await ledger.advance(claimed, 'void', { note: 'a balance could not be read' });
    throw error;
  }
}

/** The one POST. */
async function send(sent: Movement, before: number, dependencies: PaymentDependencies): Promise<TopUpResult> {
  const { vendor, ledger } = dependencies;
  const memberNo = memberNoSchema.parse(sent.memberNo);
  const error = await vendor.addMoney(memberNo, sent.amount).then(() => undefined, asVendorError);
  if (error && !error.sent) {
    await ledger.advance(sent, 'void', { note: error.message });
    throw error;
  }
  const after = await balanceOf(vendor, memberNo);
  const isSeen = after !== undefined && after > before;
  const note = error?.message;
  if (!error || isSeen) {
    const proved = note && `${note} Proved by the balance.`;
    await ledger.advance(sent, 'settled', { after, note: proved, isSeen });
    checkRise(sent, before, after, dependencies.alert);
    const detail = `${sent.amount} VND added: ${before} → ${after ?? 'not read'}`;
    return { status: 'done', why: 'paid', detail, balance: after };
  }
  const vendorCode = error.code === 'refused' ? error.vendorCode : undefined;
  const refusal = vendorCode === undefined ? undefined : REFUSALS.get(vendorCode);
  if (refusal !== undefined && after !== undefined) {
    await ledger.advance(sent, 'failed', { after, note });
    return { ...failed('refused', refusal), balance: after, vendorCode };
  }
  await ledger.advance(sent, 'unknown', { after, note });
  return { ...failed('unconfirmed', 'sent, but the vendor has not confirmed it'), balance: after };
}

/** A balance that is not what this payment alone makes of it was moved by somebody else, or is an old one. */
export function checkRise(
  { id, memberNo, amount }: Movement,
  before: number,
  after: number | undefined,
  alert: (text: string) => void,
): void {
  const expected = before + amount;
  if (after === undefined || Math.abs(after - expected) < 0.01) return;
  alert(
    `Top-up ${id}: the balance of ${memberNo} went from ${before} to ${after} VND, not to ${expected}. ` +
      'Either the vendor shows it late, or somebody else moves money too: is there a second ledger for this account?',
  );
}

/** VND; undefined when it cannot be read: then nothing is proved, which every caller takes into account. */
export async function balanceOf(vendor: MoneyApi, memberNo: string): Promise<number | undefined> {
  try {
    return (await vendor.readMember(memberNoSchema.parse(memberNo))).balance;
  } catch {
    return undefined;
  }
}

function asVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  throw error;
}
