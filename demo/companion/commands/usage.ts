/** What `--help` prints. */
export const USAGE = `Usage: partner-dialer-companion [serve]
       partner-dialer-companion provision MEMBER_NO [--hotline CODE] [--top-up VND] [--beyond-limits] [--trace] [--json]
       partner-dialer-companion provision --file members.csv [--hotline CODE] [--json]
       partner-dialer-companion reconcile [--settled]

serve runs the HTTP server for the dialer, on HOST and PORT.

provision prepares one member for calls, and prints each step.
  MEMBER_NO        the agent's number at the vendor: letters a-z, A-Z and digits only
  --hotline CODE   the hotline to assign, also to a member who has another one (HOTLINE_CODE is for members without one)
  --top-up VND     how much to add if the balance is 0 VND or less, instead of TOP_UP_AMOUNT
  --beyond-limits  allows a --top-up above the limits; the payment is recorded but does not count against them
  --trace          prints the status, keys and value types of each vendor response
  --json           prints one JSON object instead of lines
  --file FILE      prepares all members in FILE (a line MEMBER_NO, then one MEMBER_NO[,HOTLINE_CODE] per line) within the
                   limits, and prints one result line for each; if interrupted, run it again with the same file
  Each payment is also written to standard error as a line of JSON.
  Exit: 0 the member (with --file: every member) can call; 2 bad input; 3 prepared, but cannot call; 4 the vendor refused or is unreachable.

reconcile compares settled top-ups with the money that left the partner account.
  --settled        compares nothing; marks the missing money as explained, so that the page and the alert no longer show it
  Exit: 0 the amounts match, or there is no earlier balance; 1 money is missing, or the ledger's tables do not match; 3 money
  was added to the account, so no conclusion is possible; 4 the vendor or the database is unreachable.

All commands: 78 the environment variables are not valid.`;
