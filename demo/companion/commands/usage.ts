/** What `--help` prints. */
export const USAGE = `Usage: partner-dialer-companion [serve]
       partner-dialer-companion provision MEMBER_NO [--hotline CODE] [--top-up VND] [--beyond-limits] [--trace] [--json]
       partner-dialer-companion provision --file members.csv [--hotline CODE] [--json]
       partner-dialer-companion reconcile [--settled]

serve answers the dialer, on HOST and PORT.

provision makes one member able to call, and prints each step.
  MEMBER_NO        the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE   the hotline to assign, instead of HOTLINE_CODE
  --top-up VND     how much to add if the balance is not above 0, instead of TOP_UP_AMOUNT
  --beyond-limits  lets --top-up be more than the limits allow; it is on record, and uses up no limit
  --trace          prints of each response of the vendor its status, its keys and the types of its values
  --json           one JSON object instead of lines
  --file FILE      all members of this file instead, a MEMBER_NO[,HOTLINE_CODE] in each line, with one line of result for
                   each, within the limits; stopped in the middle, it is started again with the same file
  Each payment is also a line of JSON on the standard error output.
  Exit: 0 the member (all of them) can call; 2 bad input; 3 provisioned, but cannot call; 4 the vendor refused or is unreachable.

reconcile compares what the ledger settled with what has left the partner account.
  --settled        compares nothing: somebody knows where the missing money is, and the page and the alert may forget it
  Exit: 0 it agrees; 1 money is missing; 3 the account was filled up, so that nothing can be told;
  4 the vendor or the store is unreachable.

All: 78 the configuration is wrong.`;
