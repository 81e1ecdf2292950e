/** Two replicas beside one simulated Slack: one serves its workspace, the other passes requests on. */
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { machineRandom, SECOND } from '../../src/clock.ts';
import { createForwarding } from '../../src/cluster/forwarding.ts';
import type { HintIntake } from '../../src/hints/hints.ts';
import type { TeamId } from '../../src/ids.ts';
import type { Log } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { startSlackApp } from '../../src/slack/connect.ts';
import { createSlackClients, fetchBotIdentity } from '../../src/slack/core/clients.ts';
import { createPersonResolver } from '../../src/slack/core/person-resolver.ts';
import { createJsonPoster } from '../../src/slack/core/replies.ts';
import type { RouteTable, Services } from '../../src/slack/core/routes.ts';
import { createSlackCalls } from '../../src/slack/core/slack-calls.ts';
import { SlackDispatcher } from '../../src/slack/core/slack-dispatcher.ts';
import type { ForwardResult } from '../../src/slack/core/slack-request.ts';
import type { ServedTeam, TeamHandlers, TeamPlace } from '../../src/slack/teams.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { createMemoryStore } from '../memory-store.ts';

export const SECRET = 'a secret of replicas';
const MOVING: TeamPlace = { kind: 'moving' };

const noHints: HintIntake = {
  isSecret: async () => false,
  takeHints: () => expect.fail('nobody sends hints'),
};

/** What one replica knows of the workspace's place. */
class KnownPlaces implements TeamHandlers {
  readonly #here: ServedTeam;
  /** Undefined: here. */
  place: Exclude<TeamPlace, ServedTeam> | undefined;
  /** What looking afresh finds, in turn; then `moving`. */
  later: (TeamPlace | 'here')[] = [];
  /** The arguments of each look. */
  readonly looks: { readonly withinMs: number; readonly except: string | undefined }[] = [];

  constructor(here: ServedTeam) {
    this.#here = here;
  }

  find(team: TeamId | undefined): TeamPlace {
    if (team !== this.#here.identity.team) return { kind: 'nowhere' };
    return this.place ?? this.#here;
  }

  async waitForOwner(_: TeamId, withinMs: number, except?: string): Promise<TeamPlace> {
    this.looks.push({ withinMs, except });
    const found = this.later.shift() ?? MOVING;
    return found === 'here' ? this.#here : found;
  }

  /** Remembers what it finds. */
  async lookUp(team: TeamId, except?: string): Promise<TeamPlace> {
    const found = await this.waitForOwner(team, 0, except);
    if (found.kind !== 'here') this.place = found;
    return found;
  }

  stop(deadlineMs: number): Promise<number> {
    return this.#here.dispatcher.stop(deadlineMs);
  }
}

interface ReplicasGiven {
  readonly mode: 'http' | 'socket';
  readonly table: RouteTable;
  /** Of the receiver. */
  readonly secret?: string;
  readonly hasOwnerSecret?: false;
  /** Of the workspace; none when absent. */
  readonly hints?: HintIntake;
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** The owner serves the workspace; the receiver gets Slack's requests and passes them on. */
export async function startReplicas({ mode, table, hints = noHints, ...given }: ReplicasGiven) {
  const clock = new ManualClock();
  const slack = await startSimulatedSlack({ clock, signingClock: clock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });

  const start = async (secret: string | undefined) => {
    const logged: { readonly level: string; readonly line: string }[] = [];
    const write = (level: string) => (message: string, fields?: object) => {
      logged.push({ level, line: JSON.stringify({ message, ...fields }) });
    };
    const log: Log = {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
    const options = { botToken: new Secret(slack.botToken), apiUrl: slack.apiUrl, clock, log };
    const clients = createSlackClients(options);
    const identity = await fetchBotIdentity(clients);
    const { team } = identity;
    const calls = createSlackCalls(clients);
    // Routes of these tests use no feature.
    const services = { team, clock, log, slack: calls, store: createMemoryStore() } as unknown as Services;
    const people = createPersonResolver({
      info: (user) => clients.main.users.info({ user }),
      members: (usergroup) => clients.main.usergroups.users.list({ usergroup }),
      access: { findGrantedRole: async () => ({ role: 'viewer', isUncertain: false }) },
      team,
      admins: new Set(),
      clock,
      log,
    });
    const dispatcher = new SlackDispatcher({ table, services, people, post: createJsonPoster().post });
    const places = new KnownPlaces({ kind: 'here', identity, dispatcher, hints });
    const outcomes: ForwardResult['kind'][] = [];
    const forwarding =
      secret === undefined
        ? undefined
        : createForwarding({
            secret: new Secret(secret),
            clock,
            commonNow: () => clock.now(),
            log,
            onForward: (outcome) => outcomes.push(outcome),
          });
    const app = await startSlackApp({
      ...options,
      receive:
        mode === 'socket'
          ? { mode, appToken: new Secret(slack.appToken) }
          : { mode, signingSecret: new Secret(slack.signingSecret) },
      http: { host: '127.0.0.1', port: 0 },
      teams: places,
      ...(forwarding ? { forwarding } : {}),
      random: () => 0.5,
    });
    const url = `http://127.0.0.1:${app.port}`;
    if (mode === 'http') slack.attachHttp(`${url}/slack/events`);
    const stop = async () => {
      await forwarding?.close();
      await app.stop(SECOND);
    };
    return { boundary: dispatcher, logged, url, places, outcomes, stop };
  };

  const owner = await start(given.hasOwnerSecret === false ? undefined : SECRET);
  const receiver = await start(given.secret ?? SECRET);
  receiver.places.place = { kind: 'there', url: owner.url };
  const close = async () => {
    await receiver.stop();
    await owner.stop();
    await slack.close();
  };
  return { slack, clock, owner, receiver, close };
}

/** `/gig help` by ann as Slack sends it, for tests that send it themselves. @param note in the body */
export function signCommand({ slack, clock }: Pick<Replicas, 'slack' | 'clock'>, note = '') {
  const fields = {
    command: '/gig',
    text: 'help',
    note,
    team_id: slack.team.id,
    user_id: 'U1',
    channel_id: 'C1',
  };
  const seconds = String(Math.floor(clock.now() / SECOND));
  const body = new URLSearchParams({ ...fields, trigger_id: 'of its own' }).toString();
  const signature = createHmac('sha256', slack.signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-signature': `v0=${signature}`,
    'x-slack-request-timestamp': seconds,
  };
  return { body, headers };
}
