/** `npm run ledger -- verify`: checks the ledgers of decisions, also while Gigdesk runs. 1: broken. */
import { keepProcessAlive } from '../clock.ts';
import { readConfigFromEnvironment } from '../config.ts';
import { runLedgerCommand } from './verify.ts';

keepProcessAlive();
const { code, words } = await runLedgerCommand(process.argv.slice(2), readConfigFromEnvironment());
(code === 0 ? console.log : console.error)(words);
process.exit(code);
