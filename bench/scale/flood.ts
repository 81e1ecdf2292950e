/** One workspace of a replica floods: what people of the others notice. */
import { performance } from 'node:perf_hooks';
import { machineClock, SECOND } from '../../src/clock.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { channels, people } from '../app/place.ts';
import { quantile } from '../measure.ts';
import type { Row } from '../part.ts';
import type { Replica } from './replica.ts';

const [user = ''] = people;
const [channel = ''] = channels;

/** Commands of one workspace, beside those of the others in turns. */
const FLOODED_EACH_MS = 20;
const OTHERS_EACH_MS = 100;

/** Sends commands until `signal` aborts. @returns how long each took; undefined without an acknowledgement */
async function sendEach(
  eachMs: number,
  nextSlack: () => SimulatedSlack,
  signal: AbortSignal,
): Promise<readonly (number | undefined)[]> {
  const sent: Promise<number | undefined>[] = [];
  const send = async () => {
    const began = performance.now();
    const { acked } = await nextSlack().runSlashCommand({ user, channel, text: 'budget' });
    return acked ? performance.now() - began : undefined;
  };
  while (!signal.aborted) {
    sent.push(send());
    await machineClock.sleep(eachMs);
  }
  return Promise.all(sent);
}

/** @param slacks of the replica's workspaces; the first one floods */
export async function describeFlood(
  { url }: Replica,
  slacks: readonly SimulatedSlack[],
  lastsMs: number,
): Promise<Row> {
  const [flooding, ...others] = slacks;
  if (!flooding || others.length === 0) throw new Error('a flood needs two workspaces');
  for (const slack of slacks) {
    slack.invite(channel, user);
    slack.attachHttp(`${url}/slack/events`);
  }
  const ending = new AbortController();
  const flood = sendEach(FLOODED_EACH_MS, () => flooding, ending.signal);
  let turn = 0;
  const nextOther = () => others[turn++ % others.length] ?? flooding;
  const calm = sendEach(OTHERS_EACH_MS, nextOther, ending.signal);
  await machineClock.sleep(lastsMs);
  ending.abort();
  const [flooded, took] = await Promise.all([flood, calm]);
  for (const slack of slacks) slack.detachHttp();
  const acknowledged = took.filter((ms) => ms !== undefined);
  return {
    what: `One of ${slacks.length} workspaces floods: commands of the others without an acknowledgement`,
    measured: took.length - acknowledged.length,
    unit: '',
    baseline: 'none',
    bar: { atMost: 0 },
    note:
      `${flooded.length} commands of one in ${(lastsMs / SECOND).toFixed(0)} s, ${took.length} of the others: ` +
      `p50 ${quantile(acknowledged, 0.5).toFixed(0)} ms, p99 ${quantile(acknowledged, 0.99).toFixed(0)} ms.`,
  };
}
