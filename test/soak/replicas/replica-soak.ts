/**
 * Replicas as processes on one PostgreSQL, beside many workspaces with a simulated Slack and a simulated
 * marketplace each. Replicas are killed and paused, the database ends or refuses, and its
 * connections are cut, while projects arrive and people work. A seed decides all choices.
 */
import { expect } from 'vitest';
import { machineClock, machineRandomBytes, SECOND } from '../../../src/clock.ts';
import { TeamId } from '../../../src/ids.ts';
import { Installations } from '../../../src/installations/installations.ts';
import { parseEncryptionKeys } from '../../../src/seal.ts';
import { Secret } from '../../../src/secret.ts';
import { connectDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { type LocalDatabase, startLocalDatabase } from '../../../src/workbench/database/start-database.ts';
import {
  type MarketplaceFront,
  startMarketplaceFront,
} from '../../../src/workbench/marketplace/marketplace-front.ts';
import { type SlackFront, startSlackFront } from '../../../src/workbench/slack/slack-front.ts';
import { Dice } from '../../play/dice.ts';
import { type CompiledApp, compileApp, WARNING } from '../../processes/app-process.ts';
import { Fleet, REPLICA_SECRET } from '../../processes/fleet.ts';
import {
  expectCredits,
  expectNoBidTwice,
  expectNothingForeign,
  expectOnce,
  expectQuietProcesses,
  expectWithinLimit,
  foreignMarkers,
} from '../../processes/judge.ts';
import { until } from '../../processes/until.ts';
import { startTime, Workspace } from '../../processes/workspace.ts';
import { type FaultCounts, Faults, planFaults } from './faults.ts';
import { PEOPLE, People } from './moves.ts';

/** Slack's 3 s and the replicas' silence are real; the app's own times are a fifth. */
const SPEED = 5;
const KEY = `2026:${Buffer.alloc(32, 7).toString('base64')}`;
const PUBLISHED_SHARE = 0.4;
const PATIENCE_MS = 4 * SECOND;

interface ReplicaSoakOptions {
  readonly seed: number;
  readonly replicas: number;
  readonly workspaces: number;
  readonly faults: FaultCounts;
  /** The mean pause between two faults, in real ms. */
  readonly faultEveryMs: number;
  /** The mean pause between two things that happen in a workspace, in real ms. */
  readonly eventEveryMs: number;
  /** Called after each tenth of the faults. */
  readonly onTenth?: (tenth: number, soak: ReplicaSoak) => void;
}

interface Services {
  readonly server: LocalDatabase;
  readonly compiled: CompiledApp;
  readonly slackFront: SlackFront;
  readonly marketFront: MarketplaceFront;
  readonly workspaces: readonly Workspace[];
}

export class ReplicaSoak {
  readonly options: ReplicaSoakOptions;
  readonly workspaces: readonly Workspace[];
  readonly fleet: Fleet;
  readonly faults: Faults;
  readonly steps: Dice;
  readonly #services: Services;
  readonly #people: People;
  /** Past the proxies, for checks. */
  readonly #database: Database;
  #isPlaying = false;

  private constructor(options: ReplicaSoakOptions, services: Services, databaseUrl: string) {
    const { compiled, server, workspaces } = services;
    this.options = options;
    this.workspaces = workspaces;
    this.#services = services;
    this.fleet = new Fleet({ compiled, databaseUrl, environment: environmentOf(services) });
    for (const it of workspaces) it.nextAddress = () => this.fleet.nextAddress();
    this.#database = connectDatabase({ url: new Secret(databaseUrl), max: 2 });
    this.steps = new Dice(options.seed, machineClock);
    this.faults = new Faults(this.fleet, server, databaseUrl, this.steps);
    this.#people = new People(new Dice(options.seed + 500, machineClock));
  }

  /** All workspaces have installed the app, and follow their first filter. */
  static async begin(options: ReplicaSoakOptions): Promise<ReplicaSoak> {
    const time = startTime(SPEED);
    const startWorkspace = (_: unknown, index: number) =>
      Workspace.start(time, {
        number: index + 1,
        seed: options.seed,
        reviewsJobs: index % 2 === 0,
        patienceMs: PATIENCE_MS,
      });
    const [compiled, server, ...workspaces] = await Promise.all([
      compileApp(),
      startLocalDatabase({ fsync: 'off', max_connections: '100' }),
      ...Array.from({ length: options.workspaces }, startWorkspace),
    ]);
    const slackFront = await startSlackFront(workspaces.map(({ slack }) => slack));
    const marketFront = await startMarketplaceFront(workspaces.map(({ marketplace }) => marketplace));
    const services = { compiled, server, workspaces, slackFront, marketFront };
    const soak = new ReplicaSoak(options, services, await server.createDatabase());
    try {
      await soak.#installAll();
    } catch (thrown) {
      await soak.close();
      throw thrown;
    }
    return soak;
  }

  /** All faults, while projects arrive and people work. */
  async play(): Promise<void> {
    const { options, steps } = this;
    const plan = planFaults(steps, options.faults);
    this.#isPlaying = true;
    const life = this.#live();
    try {
      let tenth = 0;
      for (const [index, fault] of plan.entries()) {
        await machineClock.sleep(0.2 * options.faultEveryMs + steps.pause(0.8 * options.faultEveryMs));
        await this.faults.play(fault);
        for (; tenth < Math.floor(((index + 1) * 10) / plan.length); tenth++) {
          expectQuietProcesses(this.fleet.apps, []);
          options.onTenth?.(tenth + 1, this);
        }
      }
    } finally {
      this.#isPlaying = false;
      await life;
    }
  }

  /** Without faults, until everything is posted. @throws Error with what is missing */
  async calm(): Promise<void> {
    const { workspaces } = this;
    await this.faults.end();
    await until('people are done', () => this.#people.isIdle);
    await this.#untilAllOwned();
    await Promise.all(workspaces.map((it) => it.untilPosted()));
    for (const it of workspaces)
      for (const filter of it.filters) if (!it.followed().includes(filter)) await it.follow(filter);
    // Answers to these prove what became of requests that a fault cut off.
    for (const it of workspaces) for (const filter of it.filters) it.publish([filter]);
    await Promise.all(workspaces.map((it) => it.untilPosted()));
  }

  /** Ends the replicas. @throws AssertionError with the broken promise */
  async expectPromisesKept(): Promise<void> {
    const { workspaces, fleet } = this;
    await Promise.all(workspaces.map((it) => expectCredits(it)));
    await fleet.end();
    for (const it of workspaces) {
      expectOnce(it);
      expectNoBidTwice(it);
      expectNothingForeign(it);
      expectWithinLimit(it);
      await this.#expectOwnRecords(it);
    }
    expect(this.#services.marketFront.refused, 'requests with an unknown token').toBe(0);
    const secrets = [...workspaces.slice(0, 1).map(({ slack }) => slack.clientSecret), REPLICA_SECRET, KEY];
    expectQuietProcesses(fleet.apps, workspaces, secrets);
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.#isPlaying = false;
    const { server, compiled, slackFront, marketFront } = this.#services;
    await this.fleet.close();
    await this.#database.end({ timeout: 1 });
    await Promise.all([slackFront.close(), marketFront.close()]);
    await Promise.all(this.workspaces.map((it) => it.close()));
    await Promise.all([server.close(), compiled.remove()]);
  }

  /** Warnings and errors that were logged, the last ones last. */
  get troubles() {
    return this.fleet.apps.flatMap(({ log }) => log.filter(({ level }) => level >= WARNING));
  }

  async #installAll(): Promise<void> {
    const { fleet, workspaces } = this;
    for (let number = 1; number <= this.options.replicas; number++) await fleet.launch();
    await until('all replicas run', () => fleet.ready.length === fleet.replicas.length);
    const keys = parseEncryptionKeys(KEY);
    if (!keys) throw new Error('no key');
    const parts = { database: this.#database, keys, randomBytes: machineRandomBytes };
    const installations = new Installations(parts);
    for (const { slack, marketplace } of workspaces) {
      await install(slack, fleet);
      await installations.setMarketplaceToken(TeamId.parse(slack.team.id), new Secret(marketplace.token));
    }
    await this.#untilAllOwned();
    for (const workspace of workspaces) {
      await workspace.follow(workspace.filters[0] ?? 0);
      await workspace.letBid(PEOPLE);
    }
  }

  /** Projects are published, and people do something. */
  async #live(): Promise<void> {
    const dice = new Dice(this.options.seed + 900, machineClock);
    while (this.#isPlaying) {
      await machineClock.sleep(dice.pause(this.options.eventEveryMs / this.workspaces.length));
      const workspace = dice.pick(this.workspaces);
      const followed = workspace.followed();
      if (dice.share() >= PUBLISHED_SHARE) this.#people.act(workspace);
      else workspace.publish(dice.pick([...followed.map((filter) => [filter]), followed]));
    }
  }

  #untilAllOwned(): Promise<unknown> {
    const { replicas } = this.fleet;
    const owned = () => new Set(replicas.flatMap(({ app }) => [...app.owned]));
    return until(
      'all workspaces are owned',
      () => replicas.every(({ app }) => app.isReady) && owned().size === this.workspaces.length,
      { boundMs: 120 * SECOND, state: () => [...owned()].join() },
    );
  }

  /** A workspace's records show nothing of another, and none of its posts is left behind. */
  async #expectOwnRecords({ marker, slack }: Workspace): Promise<void> {
    const rows = await this.#database<{ collection: string; key: string; value: string }[]>`
      select collection, key, value from records where team = ${slack.team.id}`;
    expect(rows.length, `records of ${marker}`).toBeGreaterThan(0);
    const foreign = rows.flatMap(({ collection, key, value }) =>
      foreignMarkers(`${key} ${value}`, marker).map((found) => `${found} in ${collection} ${key}`),
    );
    expect(foreign, `records of other workspaces in ${marker}`).toEqual([]);
    const posts = rows.filter(({ collection }) => collection === 'posts');
    const states = posts.map(({ value }) => (JSON.parse(value) as { state: string }).state);
    const left = states.filter((it) => !['posted', 'bundled'].includes(it));
    expect(left, `posts of ${marker} that never came`).toEqual([]);
  }
}

function environmentOf({ slackFront, marketFront, workspaces: [first] }: Services) {
  if (!first) throw new Error('there is no workspace');
  const { SLACK_BOT_TOKEN: _bot, MARKETPLACE_API_TOKEN: _token, ...environment } = first.environment;
  return {
    ...environment,
    SLACK_CLIENT_ID: first.slack.clientId,
    SLACK_CLIENT_SECRET: first.slack.clientSecret,
    SLACK_SIGNING_SECRET: first.slack.signingSecret,
    SLACK_API_URL: slackFront.apiUrl,
    PUBLIC_URL: 'https://gigdesk.example.com',
    ENCRYPTION_KEY: KEY,
    MARKETPLACE_API_URL: marketFront.baseUrl,
  };
}

/** As a person does in a browser, on two replicas. */
async function install(slack: Workspace['slack'], fleet: Fleet): Promise<void> {
  const start = await globalThis.fetch(`${fleet.nextAddress()}/slack/install`, { redirect: 'manual' });
  const authorizeUrl = start.headers.get('location') ?? '';
  const back = new URL(slack.allowInstall({ authorizeUrl, user: slack.user('ada').id }));
  const done = await globalThis.fetch(`${fleet.nextAddress()}${back.pathname}${back.search}`);
  expect(done.status, `installing in ${slack.team.domain}`).toBe(200);
}
