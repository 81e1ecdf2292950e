/** Every replica is restarted in turn while people and projects keep coming. */
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { channels, people } from '../app/place.ts';
import type { Row } from '../part.ts';
import type { DatabasePlace } from './database-place.ts';
import { type Environment, type Replica, startReplica } from './replica.ts';
import { startRoundRobinProxy } from './round-robin-proxy.ts';

const REPLICAS = 3;
const EACH_MS = SECOND / 10;
/** A project with every twentieth request: more than 10 at once are one summary, which lists only some. */
const PROJECT_EACH = 20;
/** The subscription's rules let it pass. */
const PROJECT: ProjectSeed = {
  title: 'Rebuild our checkout',
  description: 'Three pages, and the payment.',
  skills: ['React'],
  clientQuestions: [],
  budget: { type: 'fixed', fixedAmount: 1_450 },
};
/** So that a filter is read every few seconds. */
const REQUESTS_PER_MINUTE = 300;
/** Slack sends an event again after a minute at the latest, and the feed reads each filter by then. */
const CALM_MS = 2 * MINUTE;

interface Load {
  readonly failed: () => number;
  readonly requests: () => number;
  readonly events: () => number;
  /** Their public IDs. */
  readonly projects: readonly string[];
  end(): Promise<void>;
}

/** A command and a mention in turns, ten requests a second. */
function startLoad({ services: { slack, marketplace } }: DatabasePlace): Load {
  const [user = ''] = people;
  const [channel = ''] = channels;
  let [requests, events, failed] = [0, 0, 0];
  const projects: string[] = [];
  const inFlight = new Set<Promise<void>>();
  const ending = new AbortController();
  const sendOne = async () => {
    if (requests % PROJECT_EACH === 0) projects.push(marketplace.publishProject(1, PROJECT).ciphertext);
    requests += 1;
    if (requests % 2 === 0) {
      events += 1;
      await slack.mentionApp({ user, channel, text: 'help' });
      return;
    }
    const { acked } = await slack.runSlashCommand({ user, channel, text: 'help' });
    if (!acked) failed += 1;
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      const sending = sendOne().finally(() => inFlight.delete(sending));
      inFlight.add(sending);
      await machineClock.sleep(EACH_MS);
    }
  };
  const running = run();
  return {
    failed: () => failed,
    requests: () => requests,
    events: () => events,
    projects,
    async end() {
      ending.abort();
      await running;
      await Promise.all(inFlight);
    },
  };
}

async function restartEach(replicas: Replica[], env: Environment): Promise<void> {
  for (const [at, replica] of replicas.entries()) {
    await machineClock.sleep(2 * SECOND);
    await replica.process.ask('stop', undefined);
    await replica.process.end();
    replicas[at] = await startReplica(env, { port: Number(new URL(replica.url).port) });
  }
  await machineClock.sleep(2 * SECOND);
}

export async function describeRollingRestart(place: DatabasePlace): Promise<readonly Row[]> {
  const { slack, marketplace } = place.services;
  const [user = ''] = people;
  const [channel = ''] = channels;
  marketplace.setRequestsPerMinute(REQUESTS_PER_MINUTE);
  const env = { ...place.env, MARKETPLACE_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE) };
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => startReplica(env)));
  const proxy = await startRoundRobinProxy(() => replicas.map(({ url }) => url));
  try {
    slack.invite(channel, user);
    slack.attachHttp(`${proxy.url}/slack/events`);
    // What the first read of a filter finds is not new.
    await machineClock.sleep(30 * SECOND);
    const load = startLoad(place);
    await restartEach(replicas, env);
    await load.end();
    const answers = () => slack.ephemerals(user, channel).length;
    const posted = () => JSON.stringify(slack.messages(channel));
    const missing = () => load.projects.filter((id) => !posted().includes(id)).length;
    const until = machineClock.now() + CALM_MS;
    const unanswered = () => load.requests() - load.failed() - answers();
    const isDone = () => unanswered() <= 0 && missing() === 0;
    while (!isDone() && machineClock.now() < until) await machineClock.sleep(SECOND);
    const during = `${REPLICAS} replicas restarted one after the other, ${load.requests()} requests.`;
    return [
      {
        what: 'Rolling restart of all replicas: requests of people without an acknowledgement',
        measured: load.failed(),
        unit: '',
        baseline: 'none',
        bar: { atMost: 0 },
        note: during,
      },
      {
        what: 'Rolling restart of all replicas: requests and events without an answer, projects without a card',
        measured: Math.max(0, unanswered()) + missing(),
        unit: '',
        baseline: 'none',
        bar: { atMost: 0 },
        note:
          `${load.events()} events and ${load.projects.length} projects meanwhile. ` +
          `Missing: ${unanswered()} answers, ${missing()} cards.`,
      },
    ];
  } finally {
    slack.detachHttp();
    await proxy.close();
    for (const { process } of replicas) await process.end();
  }
}
