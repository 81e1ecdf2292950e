/** How long a workspace has no owner after its owner was killed, and what passing a request on costs. */
import { performance } from 'node:perf_hooks';
import { openAnswerSink } from '../acknowledgement/answer-sink.ts';
import type { LoadProcess } from '../acknowledgement/load-process.ts';
import { stream } from '../acknowledgement/measure-streams.ts';
import type { FolderSize } from '../app/place.ts';
import { scriptBeside } from '../app/start-services.ts';
import { startContender } from '../contender.ts';
import { median, quantile, spread } from '../measure.ts';
import type { Row } from '../part.ts';
import type { DatabasePlace } from './database-place.ts';
import { findOwner, type Replica, startReplica, untilOwns } from './replica.ts';

const PER_SECOND = 100;

async function withTwoReplicas<T>(
  { env }: DatabasePlace,
  work: (replicas: [Replica, Replica]) => Promise<T>,
): Promise<T> {
  const replicas: [Replica, Replica] = [await startReplica(env), await startReplica(env)];
  try {
    return await work(replicas);
  } finally {
    for (const { process } of replicas) await process.end();
  }
}

export interface TakeoverPlan {
  readonly size: FolderSize;
  readonly kills: number;
  readonly mostMs: number;
}

/** From the kill until the other replica has opened the workspace. */
export function describeTakeovers(place: DatabasePlace, plan: TakeoverPlan): Promise<Row> {
  return withTwoReplicas(place, async (replicas) => {
    const took: number[] = [];
    for (let kill = 0; kill < plan.kills; kill++) {
      const { owner, other } = await findOwner(replicas);
      const began = performance.now();
      await owner.process.end('SIGKILL');
      await untilOwns(other, 1);
      took.push(performance.now() - began);
      replicas[replicas.indexOf(owner)] = await startReplica(place.env);
    }
    const { seen, proposals } = plan.size;
    return {
      what:
        `Takeover after kill -9 with ${seen.toLocaleString('en')} projects and ` +
        `${proposals.toLocaleString('en')} proposals, p95`,
      measured: quantile(took, 0.95),
      unit: 'ms',
      baseline: 'none',
      bar: { atMost: plan.mostMs },
      note: `${plan.kills} kills, from ${spread(took, 0)} ms. Until the new owner's loops run.`,
    };
  });
}

interface ForwardPlan {
  readonly rounds: number;
  readonly seconds: number;
}

/** Acknowledgements through the replica that doesn't own the workspace, beside the one that does. */
export async function describeForwards(place: DatabasePlace, plan: ForwardPlan): Promise<Row> {
  const sink = await openAnswerSink();
  const load = startContender<LoadProcess>(
    scriptBeside(import.meta.url, '../acknowledgement/load-process.js'),
  );
  try {
    return await withTwoReplicas(place, async (replicas) => {
      const { owner, other } = await findOwner(replicas);
      const measured = ({ url }: Replica) => ({ url: `${url}/slack/events`, cpuMs: async () => 0 });
      const p99 = async (replica: Replica) => {
        const sent = await stream({ load, sink }, measured(replica), PER_SECOND, plan.seconds);
        if (!sent.isComplete) throw new Error(`${sent.failed} requests failed or got no response`);
        return quantile(sent.took, 0.99);
      };
      for (const replica of [owner, other]) await p99(replica);
      const direct: number[] = [];
      const more: number[] = [];
      for (let round = 0; round < plan.rounds; round++) {
        const before = await p99(owner);
        direct.push(before);
        more.push((await p99(other)) - before);
      }
      return {
        what: `Acknowledgement of a forwarded request at ${PER_SECOND} per second, p99: what forwarding adds`,
        measured: median(more),
        unit: 'ms',
        baseline: `sent to the owner, ${median(direct).toFixed(1)} ms`,
        bar: { atMost: 5 },
        note: `Median of ${plan.rounds} alternating rounds of ${plan.seconds} s, from ${spread(more, 1)} ms.`,
      };
    });
  } finally {
    await load.end();
    sink.close();
  }
}
