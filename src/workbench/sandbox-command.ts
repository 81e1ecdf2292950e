/** `npm run sandbox`: the product with a simulated marketplace and a simulated Slack. */
import { parseArgs } from 'node:util';
import { asError } from '../errors.ts';
import { runCluster } from './cluster/run-cluster.ts';

const USAGE =
  'Use `npm run sandbox`, with `-- --port 5000` for another port, `-- --replicas 3` for replicas.';
const MOST_PORT = 65_535;

function print(line: string): void {
  console.log(line);
}

function refuse(sentence: string): never {
  print(sentence);
  process.exit(1);
}

function readOptions() {
  try {
    return parseArgs({ options: { port: { type: 'string' }, replicas: { type: 'string' } } }).values;
  } catch (thrown) {
    return refuse(`${asError(thrown).message}.\n${USAGE}`);
  }
}

const { port, replicas } = readOptions();
if (port !== undefined && !(/^\d+$/u.test(port) && Number(port) <= MOST_PORT))
  refuse(`--port takes a number up to ${MOST_PORT}.`);

async function endWith(close: () => Promise<void>): Promise<never> {
  await close();
  process.exit(0);
}

if (replicas === undefined) {
  await import('./sandbox-single.ts');
} else {
  const cluster = await runCluster({ replicas, ...(port === undefined ? {} : { port }) }, print);
  if (typeof cluster === 'string') refuse(cluster);
  print(`\nOpen in a browser: ${cluster.origin}\n`);
  const end = () => void endWith(() => cluster.close());
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
