/**
 * Replicas as processes on one PostgreSQL, beside many workspaces with a simulated Slack and a simulated
 * marketplace each. Replicas are killed and paused, the database ends or refuses, and its
 * connections are cut, while projects arrive and people work. A seed decides all choices.
 */
import { type Clock, machineClock, machineRandomBytes } from '../../../src/clock.ts';
import { TeamId } from '../../../src/ids.ts';
import { parseEncryptionKeys } from '../../../src/installations/encryption-keys.ts';
import { Installations } from '../../../src/installations/installations.ts';
import { Secret } from '../../../src/secret.ts';
import { connectDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { fastClock } from '../../../src/workbench/clocks.ts';
import { startCuttingProxy } from '../../../src/workbench/database/cutting-proxy.ts';
import { type LocalDatabase, startLocalDatabase } from '../../../src/workbench/database/start-database.ts';
import { findFreePort } from '../../../src/workbench/free-port.ts';
import {
  type MarketplaceFront,
  startMarketplaceFront,
} from '../../../src/workbench/marketplace/marketplace-front.ts';
import { type SlackFront, startSlackFront } from '../../../src/workbench/slack/slack-front.ts';
import { RefusingDatabase } from '../../cluster/refusing-database.ts';
import { type CompiledApp, compileApp } from '../../features/app-process.ts';
import { Dice } from '../../play/dice.ts';
import { type FaultCounts, Faults, planFaults } from './faults.ts';
import { Fleet, type Slot } from './fleet.ts';
import { People } from './people.ts';
import { AFTER_SUBSCRIBING_MS, ENOUGH_CREDITS, Place, REQUESTS_PER_MINUTE } from './place.ts';
import { until } from './until.ts';

/** Slack's 3 s and the replicas' silence are real; the app's own times are a fifth. */
const SPEED = 5;
const KEY = `2026:${Buffer.alloc(32, 7).toString('base64')}`;
const REPLICA_SECRET = 'shared by all replicas';
const PUBLISHED_SHARE = 0.4;

export interface ReplicaSoakOptions extends FaultCounts {
  readonly seed: number;
  readonly replicas: number;
  readonly workspaces: number;
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
}

export class ReplicaSoak {
  readonly options: ReplicaSoakOptions;
  readonly clock: Clock;
  readonly places: readonly Place[];
  readonly fleet: Fleet;
  readonly faults: Faults;
  readonly people: People;
  readonly steps: Dice;
  /** Past the proxies, for checks. */
  readonly database: Database;
  readonly #refusing: RefusingDatabase;
  readonly services: Services;
  #isPlaying = false;

  private constructor(
    options: ReplicaSoakOptions,
    clock: Clock,
    places: readonly Place[],
    services: Services,
    fleet: Fleet,
    database: Database,
    refusing: RefusingDatabase,
  ) {
    this.options = options;
    this.clock = clock;
    this.places = places;
    this.services = services;
    this.fleet = fleet;
    this.database = database;
    this.#refusing = refusing;
    this.steps = new Dice(options.seed, machineClock);
    this.faults = new Faults(fleet, services.server, refusing, this.steps);
    this.people = new People(new Dice(options.seed + 500, machineClock), () => fleet.nextAddress());
  }

  /** All workspaces have installed the app, and follow their first filter. */
  static async begin(options: ReplicaSoakOptions): Promise<ReplicaSoak> {
    const began = machineClock.now();
    const clock = fastClock(SPEED, began);
    const numbers = Array.from({ length: options.workspaces }, (_, index) => index + 1);
    const [compiled, server, ...places] = await Promise.all([
      compileApp(),
      startLocalDatabase({ fsync: 'off', max_connections: '100' }),
      ...numbers.map((number) => Place.start(number, clock, options.seed)),
    ]);
    const services = {
      server,
      compiled,
      slackFront: await startSlackFront(places.map(({ slack }) => slack)),
      marketFront: await startMarketplaceFront(places.map(({ marketplace }) => marketplace)),
    };
    const url = await server.createDatabase();
    const slots: Slot[] = [];
    for (let number = 1; number <= options.replicas; number++)
      slots.push({
        name: `replica ${number}`,
        port: await findFreePort(),
        proxy: await startCuttingProxy(url),
      });
    const secrets = [
      ...places.flatMap(({ slack, marketplace }) => [slack.botToken, marketplace.token]),
      ...places.slice(0, 1).flatMap(({ slack }) => [slack.signingSecret, slack.clientSecret]),
      REPLICA_SECRET,
      KEY,
    ];
    const fleet = new Fleet({
      slots,
      secrets,
      start: (slot) => compiled.start(environmentOf(slot, services, places, began)),
    });
    const database = connectDatabase({ url: new Secret(url), max: 2 });
    const refusing = new RefusingDatabase(server.adminUrl, url);
    const soak = new ReplicaSoak(options, clock, places, services, fleet, database, refusing);
    try {
      await soak.#installAll();
    } catch (thrown) {
      await soak.abort();
      throw thrown;
    }
    return soak;
  }

  /** All faults, while projects arrive and people work. */
  async play(): Promise<void> {
    const { options, fleet, steps } = this;
    const plan = planFaults(steps, options);
    this.#isPlaying = true;
    const life = this.#live();
    try {
      let tenth = 0;
      for (const [index, fault] of plan.entries()) {
        await machineClock.sleep(0.2 * options.faultEveryMs + steps.pause(0.8 * options.faultEveryMs));
        await this.faults.play(fault);
        fleet.look();
        if (fleet.broken.length > 0) throw new Error(fleet.broken.join('\n'));
        for (; tenth < Math.floor(((index + 1) * 10) / plan.length); tenth++)
          options.onTenth?.(tenth + 1, this);
      }
    } finally {
      this.#isPlaying = false;
      await life;
    }
  }

  /** Without faults, until everything is posted. @throws Error with what is missing */
  async calm(): Promise<void> {
    const { fleet, places, people } = this;
    await this.faults.end();
    await until('people are done', () => people.isIdle);
    await this.#untilAllOwned();
    await Promise.all(places.map((place) => this.#untilPosted(place)));
    for (const place of places)
      for (const filter of place.filters)
        await until(`${place.marker} follows filter ${filter}`, async () =>
          place.followed.has(filter) ? true : people.subscribe(place, filter),
        );
    await this.clock.sleep(AFTER_SUBSCRIBING_MS);
    // Answers to these prove what became of requests that a fault cut off.
    for (const place of places) for (const filter of place.filters) place.publish([filter]);
    await Promise.all(places.map((place) => this.#untilPosted(place)));
    fleet.look();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.fleet.close();
    await this.#closeServices();
  }

  /** After a failure. */
  async abort(): Promise<void> {
    this.#isPlaying = false;
    await this.fleet.kill();
    await this.#closeServices();
  }

  async #closeServices(): Promise<void> {
    const { server, compiled, slackFront, marketFront } = this.services;
    await Promise.all([this.database.end({ timeout: 1 }), this.#refusing.end()]);
    await Promise.all(this.fleet.slots.map(({ proxy }) => proxy.close()));
    await Promise.all([slackFront.close(), marketFront.close()]);
    await Promise.all(this.places.map((place) => place.close()));
    await Promise.all([server.close(), compiled.remove()]);
  }

  async #installAll(): Promise<void> {
    const { fleet, places, people } = this;
    for (const slot of fleet.slots) fleet.start(slot);
    await until('all replicas run', () => fleet.nextAddress() !== undefined && fleet.isWhole);
    const keys = parseEncryptionKeys(KEY);
    if (!keys) throw new Error('no key');
    const installations = new Installations({
      database: this.database,
      keys,
      randomBytes: machineRandomBytes,
    });
    for (const place of places) {
      await install(place, fleet);
      await installations.setMarketplaceToken(
        TeamId.parse(place.slack.team.id),
        new Secret(place.marketplace.token),
      );
    }
    await this.#untilAllOwned();
    for (const place of places) {
      const [filter] = place.filters;
      await until(`${place.marker} follows its first filter`, () => people.subscribe(place, filter));
      await people.setBudget(place, ENOUGH_CREDITS);
      await until(`ben may bid in ${place.marker}`, () => people.letAllBid(place));
    }
    await this.clock.sleep(AFTER_SUBSCRIBING_MS);
  }

  /** Projects are published, and people do something. */
  async #live(): Promise<void> {
    const dice = new Dice(this.options.seed + 900, machineClock);
    while (this.#isPlaying) {
      await machineClock.sleep(dice.pause(this.options.eventEveryMs / this.places.length));
      const place = dice.pick(this.places);
      if (dice.share() >= PUBLISHED_SHARE) this.people.act(place);
      else if (place.followed.size > 0) place.publish(dice.pick(filterSets(place)));
      this.fleet.look();
    }
  }

  #untilAllOwned(): Promise<void> {
    const { fleet, places } = this;
    return until(
      'all workspaces are owned',
      () => {
        fleet.look();
        return fleet.isWhole && fleet.owned === places.length;
      },
      { state: () => `(${fleet.owned} of ${places.length})\n${fleet.lastErrors.join('\n')}` },
    );
  }

  async #untilPosted(place: Place): Promise<void> {
    const missing = () => {
      const carded = new Set(place.carded());
      return place.published.filter((it) => !carded.has(it));
    };
    await until(
      `${place.marker} has all cards`,
      async () => {
        await this.people.openSummaries(place);
        return missing().length === 0;
      },
      { state: () => `(missing: ${missing().join()})` },
    );
  }
}

/** Of those that are followed: each alone, and all together. */
function filterSets({ followed }: Place): readonly (readonly number[])[] {
  const all = [...followed];
  return [...all.map((filter) => [filter]), all];
}

function environmentOf(
  { port, proxy }: Slot,
  { slackFront, marketFront }: Services,
  [place]: readonly Place[],
  began: number,
): Readonly<Record<string, string>> {
  if (!place) throw new Error('there is no workspace');
  return {
    CLOCK_SPEED: String(SPEED),
    CLOCK_AT: String(began),
    CLOCK_SHOWED: String(began),
    DATABASE_URL: proxy.url,
    SLACK_CLIENT_ID: place.slack.clientId,
    SLACK_CLIENT_SECRET: place.slack.clientSecret,
    SLACK_SIGNING_SECRET: place.slack.signingSecret,
    SLACK_API_URL: slackFront.apiUrl,
    PUBLIC_URL: 'https://gigdesk.example.com',
    ENCRYPTION_KEY: KEY,
    MARKETPLACE_API_URL: marketFront.baseUrl,
    MARKETPLACE_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    PORT: String(port),
    REPLICA_URL: `http://127.0.0.1:${port}`,
    REPLICA_SECRET,
  };
}

/** As a person does in a browser, on two replicas. */
async function install({ slack, marker }: Place, fleet: Fleet): Promise<void> {
  const start = await globalThis.fetch(`${fleet.nextAddress()}/slack/install`, { redirect: 'manual' });
  const authorizeUrl = start.headers.get('location') ?? '';
  const back = new URL(slack.allowInstall({ authorizeUrl, user: slack.user('ada').id }));
  const done = await globalThis.fetch(`${fleet.nextAddress()}${back.pathname}${back.search}`);
  if (done.status !== 200) throw new Error(`${marker} can't install: ${done.status}`);
}
