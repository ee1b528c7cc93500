/** What an agent is told when a top-up that they asked for was not made. */
import { problem, type ProblemCode } from '../http/problem.ts';
import type { TopUpResult } from './top-up-result.ts';

const ON_A_CALL = -1;
const PROBLEMS: Partial<Record<TopUpResult['why'], ProblemCode>> = {
  limit: 'top-up-limit',
  off: 'top-up-off',
  later: 'top-up-later',
  refused: 'top-up-refused',
  'admin-short': 'top-up-admin-short',
  vendor: 'vendor-unreachable',
  ledger: 'internal',
};

/** Undefined: it was made, or is under way, which shows in the status. */
export function topUpProblem({ why, detail, vendorCode }: TopUpResult): Response | undefined {
  const code = why === 'refused' && vendorCode === ON_A_CALL ? 'top-up-later' : PROBLEMS[why];
  return code && problem(code, detail);
}
