#!/usr/bin/env node
/**
 * The companion's command line:
 *
 *     partner-dialer-companion                       serves the dialer, on PORT
 *     partner-dialer-companion provision MEMBER_NO   makes one member able to call, and prints each step
 *     partner-dialer-companion reconcile             holds the ledger against the partner account
 */
import { runCommand } from './commands/run.ts';

process.exitCode = await runCommand(process.argv.slice(2));
