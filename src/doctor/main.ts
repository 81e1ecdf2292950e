/**
 * `npm run doctor`: checks configuration, Slack, the marketplace, the data folder or the database, and the
 * machine. Exits with code 1 if a check fails. `--ask` sends a marketplace request even while Gigdesk runs.
 */
import { keepProcessAlive, machineClock, machineRandom } from '../clock.ts';
import { type Config, readConfigFromEnvironment, type SingleWorkspace } from '../config.ts';
import { asError } from '../errors.ts';
import { silentLog } from '../log.ts';
import type { GateJournal } from '../marketplace/gate/gate.ts';
import { createRequestGate } from '../marketplace/gate/request-gate.ts';
import { createMarketplaceClient } from '../marketplace/http-client.ts';
import { createProxyPorts, type ProxyPorts } from '../proxy.ts';
import type { Secret } from '../secret.ts';
import { checkDatabase } from './check-database.ts';
import {
  checkDataFolder,
  checkDataFolderLock,
  checkEnvFile,
  isGigdeskPossiblyRunning,
} from './check-machine.ts';
import { checkMarketplace, checkSlack, marketplaceCheckSkippedFinding } from './check-services.ts';
import { type DoctorFinding, formatDoctorFindings } from './finding.ts';

/** A single request needs no stored request history. */
const forgetful: GateJournal = { load: async () => undefined, save: async () => {} };

async function examineMarketplace(
  config: Config,
  token: Secret,
  proxied: ProxyPorts | undefined,
): Promise<DoctorFinding> {
  const parts = { clock: machineClock, random: machineRandom, log: silentLog };
  const gate = await createRequestGate({
    limit: config.marketplace.requestsPerMinute,
    journal: forgetful,
    ...parts,
  });
  const dispatcher = proxied && { dispatcher: proxied.dispatcher };
  const marketplace = createMarketplaceClient({
    ...config.marketplace,
    token,
    gate,
    ...parts,
    ...dispatcher,
  });
  try {
    return await checkMarketplace(marketplace);
  } finally {
    await marketplace.close();
  }
}

async function examineWorkspace(
  config: Config,
  { botToken, marketplaceToken }: SingleWorkspace,
  folder: string | undefined,
): Promise<readonly DoctorFinding[]> {
  const proxied = config.proxy && createProxyPorts(config.proxy);
  const { fetch } = proxied ?? globalThis;
  const mayRun = folder === undefined || (await isGigdeskPossiblyRunning(folder));
  return [
    ...(await checkSlack({ ...config.slack, botToken }, fetch, machineClock)),
    process.argv.includes('--ask') || !mayRun
      ? await examineMarketplace(config, marketplaceToken, proxied)
      : marketplaceCheckSkippedFinding,
  ];
}

/** What a check found. A check that breaks is a finding, too, and the others go on. */
async function survive(
  check: string,
  run: () => Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  try {
    return await run();
  } catch (thrown) {
    const detail = `the check failed: ${asError(thrown).message}`;
    return [{ check, ok: false, detail, remedy: 'this is a fault in Gigdesk: please report it' }];
  }
}

async function examine(config: Config): Promise<readonly DoctorFinding[]> {
  const { storage, workspaces } = config;
  const folder = storage.engine === 'folder' ? storage.folder : undefined;
  return [
    {
      check: 'configuration',
      ok: true,
      detail: config.proxy ? 'complete; uses the proxy in HTTPS_PROXY' : 'complete',
    },
    ...(workspaces.mode === 'single'
      ? await survive('services', () => examineWorkspace(config, workspaces, folder))
      : []),
    ...(storage.engine === 'postgres'
      ? await survive('database', () => checkDatabase(storage.url, config, machineClock))
      : []),
    ...(folder === undefined
      ? []
      : await survive('data folder', async () => [
          ...(await checkDataFolder(folder)),
          await checkDataFolderLock(folder),
        ])),
  ];
}

function describeProblems(problems: readonly string[]): readonly DoctorFinding[] {
  const remedy = 'correct it in the environment or in .env (see .env.example)';
  return problems.map((detail) => ({ check: 'configuration', ok: false, detail, remedy }));
}

// While a check waits to retry, only an unreferenced timer is left, which wouldn't keep the process alive.
keepProcessAlive();
const read = readConfigFromEnvironment();
const findings = [
  ...(read.kind === 'config' ? await examine(read.config) : describeProblems(read.problems)),
  ...(await survive('.env', () => checkEnvFile('.env'))),
  { check: 'Node.js', ok: true, detail: process.versions.node },
];
console.log(formatDoctorFindings(findings));
process.exit(findings.every((finding) => finding.ok) ? 0 : 1);
