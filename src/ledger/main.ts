/** `gigdesk ledger verify`: checks the ledgers of decisions, also while Gigdesk runs. 1: broken. */
import { endWithReport } from '../base/command-report.ts';
import { readConfigFromEnvironment } from '../config.ts';
import { runLedgerCommand } from './verify.ts';

await endWithReport(runLedgerCommand(process.argv.slice(2), readConfigFromEnvironment()));
