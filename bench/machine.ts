import { cpus, loadavg, totalmem } from 'node:os';

/** "2 cores (model), 8 GB of memory, Node v20, load average 0.4": without the machine's name. */
export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'unknown';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  const load = `load average ${(loadavg()[0] ?? 0).toFixed(1)} before the run`;
  const node = `Node ${process.version} on ${process.platform}`;
  return `${cores.length} cores (${model}), ${memory}, ${node}, ${load}`;
}
