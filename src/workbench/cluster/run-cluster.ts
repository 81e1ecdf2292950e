/** `npm run sandbox -- --replicas 3`: several replicas on PostgreSQL, to kill and pause them. */
import { machineClock, machineRandom, machineRandomBytes } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { SANDBOX_PORT } from '../http.ts';
import { startClusterPage } from './cluster-page.ts';
import { startCluster } from './start-cluster.ts';

const LEAST = 2;
const MOST = 5;

export interface RunningCluster {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * @param given as typed. @param print a line of the terminal
 * @returns a sentence if it can't run
 */
export async function runCluster(
  { replicas, port }: { readonly replicas: string; readonly port?: string },
  print: (line: string) => void,
): Promise<RunningCluster | string> {
  const count = Number(replicas);
  if (!Number.isInteger(count) || count < LEAST || count > MOST)
    return `--replicas takes a number from ${LEAST} to ${MOST}.`;
  print(`Starting PostgreSQL and ${count} replicas …`);
  const starting = startCluster({
    replicas: count,
    clock: machineClock,
    random: machineRandom,
    randomBytes: machineRandomBytes,
    onEvent: ({ at, text }) => print(`${new Date(at).toISOString().slice(11, 23)}  ${text}`),
  });
  const cluster = await starting.catch((thrown) => asError(thrown).message);
  if (typeof cluster === 'string')
    return `The sandbox with replicas can't start here: ${cluster}\nIt needs all packages: run \`npm ci\`.`;
  const page = await startClusterPage(cluster, port === undefined ? SANDBOX_PORT : Number(port));
  return {
    origin: page.origin,
    async close() {
      await page.close();
      await cluster.close();
    },
  };
}
