/**
 * `npm run doctor`: checks configuration, Slack, the marketplace, the data folder and the machine. Exits with
 * code 1 if a check fails. `--ask` sends a marketplace request even while Gigdesk runs.
 */
import { keepProcessAlive, machineClock, machineRandom } from '../clock.ts';
import { type Config, readEnvironment } from '../config.ts';
import { silentLog } from '../log.ts';
import type { GateJournal } from '../marketplace/gate.ts';
import { createMarketplaceClient } from '../marketplace/http-client.ts';
import { createRequestGate } from '../marketplace/request-gate.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { checkEnvFile } from './check-env-file.ts';
import { checkLock, isPossiblyRunning } from './check-lock.ts';
import { checkCharts, checkNode } from './check-machine.ts';
import { checkMarketplace, marketplaceNotChecked } from './check-marketplace.ts';
import { checkSlack } from './check-slack.ts';
import { type Finding, formatFindings } from './finding.ts';

/** A single request needs no stored request history. */
const forgetful: GateJournal = { load: async () => undefined, save: async () => {} };

async function examineMarketplace(config: Config): Promise<Finding> {
  const parts = { clock: machineClock, random: machineRandom, log: silentLog };
  const gate = await createRequestGate({
    limit: config.marketplace.requestsPerMinute,
    journal: forgetful,
    ...parts,
  });
  const marketplace = createMarketplaceClient({ ...config.marketplace, gate, ...parts });
  try {
    return await checkMarketplace(marketplace);
  } finally {
    await marketplace.close();
  }
}

async function examine(config: Config): Promise<readonly Finding[]> {
  const asks = process.argv.includes('--ask') || !(await isPossiblyRunning(config.dataDir));
  return [
    { check: 'configuration', ok: true, detail: 'complete' },
    ...(await checkEnvFile('.env')),
    checkNode(process.versions.node),
    ...(await checkSlack(config.slack, globalThis.fetch, machineClock)),
    asks ? await examineMarketplace(config) : marketplaceNotChecked,
    ...(await checkDataFolder(config.dataDir)),
    await checkLock(config.dataDir),
    await checkCharts(machineClock),
  ];
}

// While a check waits to retry, only an unreferenced timer is left, which wouldn't keep the process alive.
keepProcessAlive();
const read = readEnvironment();
const findings =
  read.kind === 'config'
    ? await examine(read.config)
    : read.problems.map((detail) => ({
        check: 'configuration',
        ok: false,
        detail,
        remedy: 'set it in the environment or in .env (see .env.example)',
      }));
console.log(formatFindings(findings));
process.exit(findings.every((finding) => finding.ok) ? 0 : 1);
