/** Sending: reads the balances, sends the one POST of a claimed movement, and writes down the result. */
import { hasEnded, type MemberRow } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import { startWatch } from '../watch.ts';
import type { PartnerAccount } from './account.ts';
import { LedgerError, type Facts, type Ledger } from './ledger.ts';
import type { Movement, MovementState } from './movement.ts';
import {
  ADMIN_SHORT,
  enough,
  failed,
  skipped,
  toRefusal,
  vendorFailure,
  type MoneyApi,
  type MoneyLog,
  type TopUpResult,
} from './result.ts';
import type { Settlement } from './settle.ts';

interface Means {
  readonly vendor: MoneyApi;
  readonly account: PartnerAccount;
  readonly ledger: Ledger;
  readonly settlement: Settlement;
  readonly log: MoneyLog;
}

/**
 * After the claim nobody else pays this member, so the balances read here stay true.
 *
 * @throws {LedgerError} or {VendorError}: no money was sent
 */
export async function pay(means: Means, claimed: Movement): Promise<TopUpResult> {
  const { ledger } = means;
  const { member, admin } = await readBalances(means, claimed);
  const before = member.balance;
  const why = before > 0 ? enough(member) : useless(member, claimed.amount);
  if (why) {
    const note = before > 0 ? 'not needed any more' : why.detail;
    await ledger.advance(claimed, 'void', { before, note });
    return why;
  }
  if (admin !== undefined && admin < claimed.amount) {
    await ledger.advance(claimed, 'void', { before, note: `the partner account has ${admin} VND` });
    return { ...ADMIN_SHORT, member };
  }
  const sinceFence = startWatch();
  const sent = await ledger.send(claimed, before);
  if (!sent) return failed('pending', 'another process handles this top-up now');
  // The process or its machine was paused: others may soon count it as dead.
  if (sinceFence() > ledger.timing.leaseMs / 2) {
    await ledger.advance(sent, 'void', { note: 'too late to send' });
    return failed('pending', 'this process was paused for too long');
  }
  return send(means, sent, before);
}

/** `admin` is undefined where the vendor refuses to tell it: then `addMoney` says whether the account is short. */
async function readBalances({ vendor, account, ledger }: Means, claimed: Movement) {
  try {
    const [member, admin] = await Promise.all([vendor.readMember(claimed.memberNo), account.read()]);
    return { member, admin };
  } catch (error) {
    await ledger.advance(claimed, 'void', { note: 'a balance could not be read' });
    throw error;
  }
}

async function send(means: Means, sent: Movement, before: number): Promise<TopUpResult> {
  const { vendor, ledger, settlement } = means;
  const { memberNo, amount } = sent;
  const error = await vendor.addMoney(memberNo, amount).then(() => undefined, asVendorError);
  const note = error?.message;
  if (error && !error.sent) {
    await ledger.advance(sent, error.code === 'not-connected' ? 'failed' : 'void', { note });
    throw error;
  }
  const member = await vendor.readMember(memberNo).catch(() => undefined);
  const after = member?.balance;
  const isSeen = after !== undefined && after > before;
  if (!error || isSeen) {
    const proof = note && `${note} Proved by the balance.`;
    const detail = `${amount} VND added: ${before} → ${after ?? 'not read'}`;
    const paid = { status: 'done', why: 'paid', detail, amount, member } as const;
    const facts = { after, note: proof, isSeen, isConfirmed: !error };
    const result = await write(means, sent, 'settled', facts, paid);
    if (result === paid) settlement.notePaid(sent, before, after);
    return result;
  }
  const refusal = toRefusal(error);
  if (refusal && after !== undefined) {
    return write(means, sent, 'failed', { after, note }, { ...refusal, amount, member });
  }
  const detail = `IN DOUBT: ${amount} VND may have been paid. The member gets no more until this is known, or ten minutes have passed. ${error.message}`;
  const doubt = { ...vendorFailure('unconfirmed', error), detail, amount, member };
  return write(means, sent, 'unknown', { after, note }, doubt);
}

/**
 * Writes down the result of a request that was sent. If that fails, the result is `unconfirmed`, never `paid`: a sweep settles
 * the movement later, and reports the payment then.
 */
async function write(
  { ledger, log }: Means,
  sent: Movement,
  next: MovementState,
  facts: Facts,
  result: TopUpResult,
): Promise<TopUpResult> {
  try {
    const isOurs = (await ledger.advance(sent, next, facts)) !== undefined;
    // Another companion has seen this payment and reported it, or given it up, while this one was paused.
    return isOurs || result.why !== 'paid'
      ? result
      : failed('pending', 'another process has ended this top-up');
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const fact = `${sent.amount} VND sent; not written to the ledger yet.`;
    log.ledgerFailed(new LedgerError(fact, { cause: error.cause }));
    return { ...result, status: 'failed', why: 'unconfirmed', detail: `${fact} ${result.detail}` };
  }
}

/** Why a payment would not make the member able to call; undefined: it would. */
export function useless(member: MemberRow, amount: number): TopUpResult | undefined {
  if (hasEnded(member)) return { ...skipped('ended', "the member's account has expired"), member };
  if (member.balance + amount > 0) return undefined;
  const detail = `the balance is ${member.balance} VND: ${amount} VND would not bring it above 0`;
  return { ...failed('too-small', detail), member };
}

function asVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  throw error;
}
