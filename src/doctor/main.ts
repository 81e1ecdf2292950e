/**
 * `npm run doctor`: checks configuration, Slack, the marketplace, the data folder or the database, and the
 * machine. Exits with code 1 if a check fails. `--ask` sends a marketplace request even while Gigdesk runs.
 */
import { keepProcessAlive, machineClock, machineRandom } from '../clock.ts';
import { type Config, readConfigFromEnvironment, type SingleWorkspace } from '../config.ts';
import { asError } from '../errors.ts';
import { askMarketplaceOnce } from '../installations/check-token.ts';
import { silentLog } from '../log.ts';
import { createProxyPorts } from '../proxy.ts';
import { checkDatabase } from './check-database.ts';
import {
  checkData,
  checkDataFolder,
  checkDataFolderLock,
  checkEnvFile,
  isGigdeskPossiblyRunning,
} from './check-machine.ts';
import { checkMarketplace, checkSlack, marketplaceCheckSkippedFinding } from './check-services.ts';
import { type DoctorFinding, failed, formatDoctorFindings, passed } from './finding.ts';

async function examineWorkspace(
  config: Config,
  { botToken, marketplaceToken }: SingleWorkspace,
  folder: string | undefined,
): Promise<readonly DoctorFinding[]> {
  const proxied = config.proxy && createProxyPorts(config.proxy);
  const { fetch } = proxied ?? globalThis;
  const ports = { ...proxied, clock: machineClock, random: machineRandom, log: silentLog };
  const mayRun = folder === undefined || (await isGigdeskPossiblyRunning(folder));
  const slack = await checkSlack({ ...config.slack, botToken }, fetch, machineClock);
  return [
    ...slack.findings,
    process.argv.includes('--ask') || !mayRun
      ? await askMarketplaceOnce(config, ports, marketplaceToken, checkMarketplace)
      : marketplaceCheckSkippedFinding,
    ...(folder === undefined ? [] : await checkData(folder, slack.team)),
  ];
}

/** A check that breaks is a finding, too, and the others go on. */
async function survive(check: string, run: () => Promise<readonly DoctorFinding[]>) {
  try {
    return await run();
  } catch (thrown) {
    const detail = `the check failed: ${asError(thrown).message}`;
    return [failed(check, detail, 'this is a fault in Gigdesk: please report it')];
  }
}

async function examine(config: Config): Promise<readonly DoctorFinding[]> {
  const { storage, workspaces } = config;
  const folder = storage.engine === 'folder' ? storage.folder : undefined;
  return [
    passed('configuration', config.proxy ? 'complete; uses the proxy in HTTPS_PROXY' : 'complete'),
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

// While a check waits to retry, only an unreferenced timer is left, which wouldn't keep the process alive.
keepProcessAlive();
const read = readConfigFromEnvironment();
const findings = [
  ...(read.kind === 'config'
    ? await examine(read.config)
    : read.problems.map((detail) =>
        failed('configuration', detail, 'correct it in the environment or in .env (see .env.example)'),
      )),
  ...(await survive('.env', () => checkEnvFile('.env'))),
  passed('Node.js', process.versions.node),
];
console.log(formatDoctorFindings(findings));
process.exit(findings.every((finding) => finding.ok) ? 0 : 1);
