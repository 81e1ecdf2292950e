/** Replicas of the whole app as processes on one database. */
import { performance } from 'node:perf_hooks';
import { MINUTE, machineClock } from '../../src/clock.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import type { AppProcess } from '../app/app-process.ts';
import { scriptBeside } from '../app/start-services.ts';
import { type Contender, startContender } from '../contender.ts';

const LOOK_MS = 10;
const LONGEST_MS = 5 * MINUTE;

export type Environment = Readonly<Record<string, string>>;

export interface Replica {
  readonly url: string;
  readonly process: Contender<AppProcess>;
}

interface ReplicaOptions {
  /** A free one if missing. */
  readonly port?: number;
  /** Of Node. */
  readonly flags?: readonly string[];
}

/** Resolves once it is ready. */
export async function startReplica(
  env: Environment,
  { port, flags = [] }: ReplicaOptions = {},
): Promise<Replica> {
  const own = port ?? (await findFreePort());
  const url = `http://127.0.0.1:${own}`;
  const process = startContender<AppProcess>(
    scriptBeside(import.meta.url, '../app/app-process.js'),
    [],
    flags,
  );
  await process.ask('start', {
    ...env,
    PORT: String(own),
    REPLICA_URL: url,
    REPLICA_SECRET: 'a secret of the benchmark',
  });
  return { url, process };
}

/** How many workspaces are open there. */
export async function countOwned({ url }: Replica): Promise<number> {
  const text = await (await globalThis.fetch(`${url}/readyz`)).text();
  return Number(/owns (\d+) workspace/u.exec(text)?.[1] ?? 0);
}

/** @returns how long it took, in ms. @throws Error after 5 minutes */
export async function untilOwns(replica: Replica, count: number): Promise<number> {
  const began = performance.now();
  while ((await countOwned(replica)) !== count) {
    if (performance.now() - began > LONGEST_MS) throw new Error(`a replica doesn't own ${count} workspaces`);
    await machineClock.sleep(LOOK_MS);
  }
  return performance.now() - began;
}

/** The only workspace's owner, and the other one. @throws Error after 5 minutes without an owner */
export async function findOwner(
  replicas: readonly [Replica, Replica],
): Promise<{ readonly owner: Replica; readonly other: Replica }> {
  const [a, b] = replicas;
  const began = performance.now();
  for (;;) {
    if ((await countOwned(a)) === 1) return { owner: a, other: b };
    if ((await countOwned(b)) === 1) return { owner: b, other: a };
    if (performance.now() - began > LONGEST_MS) throw new Error('nobody owns the workspace');
    await machineClock.sleep(LOOK_MS);
  }
}
