/** `npm run sandbox`: the product with a simulated marketplace and a simulated Slack. */
import { parseArgs } from 'node:util';
import { runCluster } from './cluster/run-cluster.ts';

/** `npm run sandbox -- --port 5000`, `npm run sandbox -- --replicas 3` */
const { values } = parseArgs({ options: { port: { type: 'string' }, replicas: { type: 'string' } } });
const { port, replicas } = values;

function print(line: string): void {
  console.log(line);
}

async function endWith(close: () => Promise<void>): Promise<never> {
  await close();
  process.exit(0);
}

if (replicas === undefined) {
  await import('./sandbox-single.ts');
} else {
  const cluster = await runCluster({ replicas, ...(port === undefined ? {} : { port }) }, print);
  if (typeof cluster === 'string') {
    print(cluster);
    process.exit(1);
  }
  print(`\nOpen in a browser: ${cluster.origin}\n`);
  const end = () => void endWith(() => cluster.close());
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
