/** Two replicas beside one simulated Slack: one serves its workspace, the other passes requests on. */
import { createHmac } from 'node:crypto';
import { machineRandom, SECOND } from '../../src/clock.ts';
import { createForwarding } from '../../src/cluster/forwarding.ts';
import type { HintIntake } from '../../src/hints/hints.ts';
import type { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import type { RouteTable } from '../../src/slack/core/routes.ts';
import type { ForwardResult } from '../../src/slack/core/slack-request.ts';
import type { ServedTeam, TeamHandlers, TeamPlace } from '../../src/slack/teams.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { type Connected, connect } from './connected.ts';

export const SECRET = 'a secret of replicas';
const MOVING: TeamPlace = { kind: 'moving' };

/** What one replica knows of the workspace's place. */
export class KnownPlaces implements TeamHandlers {
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

export interface Replica extends Connected {
  readonly url: string;
  readonly places: KnownPlaces;
  /** Of its forwards. */
  readonly outcomes: readonly ForwardResult['kind'][];
  stop(): Promise<void>;
}

export interface Replicas {
  readonly slack: SimulatedSlack;
  readonly clock: ManualClock;
  /** Serves the workspace. */
  readonly owner: Replica;
  /** Gets Slack's requests and passes them on. */
  readonly receiver: Replica;
  close(): Promise<void>;
}

interface ReplicasGiven {
  readonly mode: 'http' | 'socket';
  readonly table: RouteTable;
  /** Of the receiver. */
  readonly secret?: string;
  readonly hasOwnerSecret?: false;
  /** Of the owner's workspace; none when absent. */
  readonly hints?: HintIntake;
}

export async function startReplicas(given: ReplicasGiven): Promise<Replicas> {
  const clock = new ManualClock();
  const slack = await startSimulatedSlack({ clock, signingClock: clock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
  const start = async (secret: string | undefined): Promise<Replica> => {
    const outcomes: ForwardResult['kind'][] = [];
    const forwarding =
      secret === undefined
        ? undefined
        : createForwarding({
            secret: new Secret(secret),
            clock,
            commonNow: () => clock.now(),
            log: silentLog,
            onForward: (outcome) => outcomes.push(outcome),
          });
    let places: KnownPlaces | undefined;
    const connected = await connect(slack, given.mode, given.table, {
      clock,
      ...(given.hints ? { hints: given.hints } : {}),
      cluster: (here) => {
        places = new KnownPlaces(here);
        return forwarding ? { teams: places, forwarding } : { teams: places };
      },
    });
    if (!places) throw new Error('no places');
    const stop = async () => {
      await forwarding?.close();
      await connected.app.stop(SECOND);
    };
    return { ...connected, url: `http://127.0.0.1:${connected.app.port}`, places, outcomes, stop };
  };
  const owner = await start(given.hasOwnerSecret === false ? undefined : SECRET);
  const receiver = await start(given.secret ?? SECRET);
  receiver.places.place = { kind: 'there', url: owner.url };
  return {
    slack,
    clock,
    owner,
    receiver,
    close: async () => {
      await receiver.stop();
      await owner.stop();
      await slack.close();
    },
  };
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
