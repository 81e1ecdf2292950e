/** Replicas as processes on one database, beside one Slack and one marketplace. */
import { expect } from 'vitest';
import { type Clock, type Instant, machineClock } from '../../src/clock.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import {
  type AppProcess,
  type CompiledApp,
  compileApp,
  environmentBeside,
  isRunning,
} from '../features/app-process.ts';
import { messageAt } from '../kit/read-screen.ts';
import { seededRandom } from '../seeded-random.ts';
import { postOf } from '../soak/replicas/place.ts';

/** Until a card or an answer is there, on a busy machine. */
const SOON = { timeout: 30_000, interval: 20 };

export interface ReplicaProcess extends AppProcess {
  readonly port: number;
}

interface StartOptions {
  /** Of its clock. */
  readonly aheadMs?: number;
  /** Its way to the database, such as through a proxy. */
  readonly databaseUrl?: string;
  /** Its program knows one more step to the tables. */
  readonly version?: 'newer';
}

export class ReplicaProcesses {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly server: LocalDatabase;
  readonly url: string;
  readonly #compiled: CompiledApp;
  readonly #times: { readonly speed: number; readonly began: Instant };
  readonly #started: ReplicaProcess[] = [];

  private constructor(
    services: Pick<ReplicaProcesses, 'slack' | 'marketplace' | 'server' | 'url'>,
    compiled: CompiledApp,
    times: { readonly speed: number; readonly began: Instant },
  ) {
    this.slack = services.slack;
    this.marketplace = services.marketplace;
    this.server = services.server;
    this.url = services.url;
    this.#compiled = compiled;
    this.#times = times;
  }

  /** @param speed of the app's own times; Slack's 3 s and the database's times are real */
  static async begin(speed: number): Promise<ReplicaProcesses> {
    const [compiled, server] = await Promise.all([compileApp(), startLocalDatabase({ fsync: 'off' })]);
    const began = machineClock.now();
    const clock: Clock = fastClock(speed, began);
    const marketplace = await startSimulatedMarketplace({
      clock,
      random: seededRandom(1),
      requestsPerMinute: 500,
    });
    marketplace.addFilter({ id: 101, name: 'React work' });
    const slack = await startSimulatedSlack({
      clock,
      peopleClock: machineClock,
      signingClock: clock,
      random: seededRandom(2),
    });
    slack.addUser({ name: 'ada', admin: true });
    slack.addChannel({ name: 'web' });
    const services = { slack, marketplace, server, url: await server.createDatabase() };
    return new ReplicaProcesses(services, compiled, { speed, began });
  }

  /** As it starts; see `start`. */
  launch({ aheadMs = 0, databaseUrl = this.url, version }: StartOptions, port: number): AppProcess {
    const { SLACK_APP_TOKEN: _socket, DATA_DIR: _folder, ...env } = environmentBeside(this, this.#times, '');
    return this.#compiled.start({
      ...env,
      CLOCK_SHOWED: String(this.#times.began + aheadMs),
      SLACK_SIGNING_SECRET: this.slack.signingSecret,
      MARKETPLACE_REQUESTS_PER_MINUTE: '500',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      REPLICA_URL: `http://127.0.0.1:${port}`,
      REPLICA_SECRET: 'shared by all replicas',
      ...(version ? { VERSION: version } : {}),
    });
  }

  /** Resolves once it runs. */
  async start(options: StartOptions = {}): Promise<ReplicaProcess> {
    const port = await findFreePort();
    const replica = Object.assign(this.launch(options, port), { port });
    this.#started.push(replica);
    await replica.logged(isRunning);
    return replica;
  }

  get running(): readonly ReplicaProcess[] {
    return this.#started.filter(({ isRunning: runs }) => runs);
  }

  /** Slack's requests arrive there. */
  receiveAt({ port }: ReplicaProcess): void {
    this.slack.attachHttp(`http://127.0.0.1:${port}/slack/events`);
  }

  async untilOwned(by: readonly ReplicaProcess[]): Promise<ReplicaProcess> {
    await expect.poll(() => by.filter(owns).length, SOON).toBe(1);
    return by.find(owns) ?? expect.fail('nobody owns it');
  }

  /** @returns what is new to read for ada */
  async ask(text: string): Promise<string> {
    const { slack } = this;
    const shown = () => [...slack.ephemerals('ada', 'web'), ...slack.messages('web')];
    const before = new Set(shown().map(({ ts }) => ts));
    const added = () => shown().filter(({ ts }) => !before.has(ts));
    const answer = await slack.runSlashCommand({ user: 'ada', channel: 'web', text });
    expect(answer.acked).toBe(true);
    if (answer.body) return JSON.stringify(answer.body);
    await expect.poll(() => added().length, SOON).toBeGreaterThan(0);
    return added()
      .map((it) => messageAt(slack, it).text)
      .join('\n');
  }

  /** Asks again while the workspace moves. */
  async subscribe(): Promise<void> {
    await expect.poll(() => this.ask('subscribe filter 101'), SOON).toContain('101');
  }

  /** Their posts' IDs. */
  cards(): readonly string[] {
    return this.slack
      .messages('web')
      .map(postOf)
      .filter((post) => post.startsWith('card:'));
  }

  async publishAndAwait(count: number): Promise<void> {
    const before = new Set(this.cards()).size;
    for (let made = 0; made < count; made++) this.marketplace.publishProject(101);
    await expect.poll(() => this.cards().length, SOON).toBe(before + count);
  }

  /** Each project has one card, and one credit was counted for it. */
  async expectEachOnce(): Promise<void> {
    const ids = this.cards();
    expect(new Set(ids).size).toBe(ids.length);
    await expect.poll(() => this.ask('budget'), SOON).toContain(`${ids.length} of 500`);
  }

  async killAll(): Promise<void> {
    for (const { child, ended } of this.#started) {
      child.kill('SIGKILL');
      await ended;
    }
  }

  async close(): Promise<void> {
    await this.killAll();
    const { slack, marketplace, server } = this;
    await Promise.all([marketplace.close(), slack.close(), server.close(), this.#compiled.remove()]);
  }
}

export function owns({ log }: ReplicaProcess): boolean {
  const count = (text: string) => log.filter(({ msg }) => msg === text).length;
  return count('Owns a workspace') > count('No longer owns a workspace');
}
