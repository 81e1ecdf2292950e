/** One workspace with people and replicas that serve it, for tests whose plays run side by side. */
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { asError } from '../../src/errors.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { type CompiledApp, compileApp } from '../processes/app-process.ts';
import { Fleet, type Replica } from '../processes/fleet.ts';
import { expectCredits, expectOnce } from '../processes/judge.ts';
import { until } from '../processes/until.ts';
import { startTime, Workspace } from '../processes/workspace.ts';

/** The app's own times are a fifth; Slack's 3 s and the database's times are real. */
const SPEED = 5;
const REQUESTS_PER_MINUTE = 500;
interface Ground {
  readonly compiled: CompiledApp;
  readonly server: LocalDatabase;
}

export class Play extends Fleet {
  readonly workspace: Workspace;
  readonly ground: Ground;
  readonly databaseUrl: string;
  /** Past all proxies. */
  readonly database: postgres.Sql;

  private constructor(workspace: Workspace, ground: Ground, databaseUrl: string) {
    const { SLACK_APP_TOKEN: _socket, DATA_DIR: _folder, ...environment } = workspace.environmentOn('');
    const { signingSecret } = workspace.slack;
    super({
      compiled: ground.compiled,
      databaseUrl,
      environment: { ...environment, SLACK_SIGNING_SECRET: signingSecret },
    });
    this.workspace = workspace;
    this.ground = ground;
    this.databaseUrl = databaseUrl;
    this.database = postgres(databaseUrl, { max: 1 });
  }

  /** @param speed of the app's own times */
  static async begin(ground: Ground, speed = SPEED): Promise<Play> {
    const requestsPerMinute = REQUESTS_PER_MINUTE;
    const workspace = await Workspace.start(startTime(speed), { requestsPerMinute });
    return new Play(workspace, ground, await ground.server.createDatabase());
  }

  /** The first replica, which serves a channel with a card. */
  async settleIn(): Promise<Replica> {
    const first = await this.start();
    await this.untilOwned([first]);
    this.receiveAt(first);
    await this.subscribe();
    await this.publishAndAwait(1);
    return first;
  }

  /** Slack's requests arrive there. */
  receiveAt({ url }: Replica): void {
    this.workspace.slack.attachHttp(`${url}/slack/events`);
  }

  /** @returns what is new to read for ada */
  async ask(text: string): Promise<string> {
    const { workspace } = this;
    const failed = workspace.tally.failed;
    const answer = await workspace.person('ada').type(`/gig ${text}`);
    expect(workspace.tally.failed).toBe(failed);
    return answer.text;
  }

  /** Until ada reads this: she asks again while the workspace moves. */
  async untilAnswered(text: string, words: RegExp): Promise<void> {
    let read = '';
    const look = async () => {
      read = await this.ask(text);
      return words.test(read);
    };
    await until(`${words} after ${text}`, look, { state: () => read });
  }

  async subscribe(): Promise<void> {
    await this.workspace.follow(this.workspace.filters[0] ?? 0);
  }

  async publishAndAwait(count: number): Promise<void> {
    for (let made = 0; made < count; made++) this.workspace.publish();
    await this.workspace.untilPosted();
  }

  /** Each project has one card, and one credit was counted for it. */
  async expectEachOnce(): Promise<void> {
    const { workspace } = this;
    expectOnce(workspace);
    await expectCredits(workspace);
    expect(workspace.marketplace.consumedCredits().total).toBe(workspace.published.length);
  }

  /** Sends a bid, and again while a busy replica is too late for the form; nothing awaits the last answer. */
  async bidUntil(isSent: () => boolean): Promise<void> {
    let isAnswered = true;
    let failed: Error | undefined;
    const state = () => this.workspace.person('ada').form().text;
    const look = () => {
      if (isSent()) return true;
      if (failed) throw failed;
      if (isAnswered) {
        isAnswered = false;
        const note = (thrown: unknown) => {
          failed = asError(thrown);
        };
        void this.#bid()
          .catch(note)
          .finally(() => {
            isAnswered = true;
          });
      }
      return false;
    };
    await until('a bid', look, { state });
  }

  async #bid(): Promise<void> {
    const ada = this.workspace.person('ada');
    const card = ada.reads('web').findLast((it) => it.offers('Bid')) ?? expect.fail('no card to bid on');
    await ada.close();
    const form = await ada.press(card, 'Bid');
    if (form.text.includes('Cover letter'))
      await form.send({ 'Bidding setup': 'Setup', 'Cover letter': 'Written just before' });
  }

  /**
   * Holds back the database's answer to the next such claim: its request would be sent next.
   * @returns whether it was stored
   */
  holdClaim({ proxy }: Replica, of: 'posts' | 'bids'): () => boolean {
    let isStored = false;
    const isClaim = (statement: string) => statement.includes(`"${of}"`) && statement.includes('sending');
    void proxy.holdAnswer(isClaim).then(() => {
      isStored = true;
    });
    return () => isStored;
  }

  /** The states of all bids. */
  async readBids(): Promise<readonly string[]> {
    const rows = await this.database<{ state: string }[]>`
      select value::json ->> 'state' as state from records where collection = 'bids'`;
    return rows.map(({ state }) => state);
  }

  async untilBidUnknown(): Promise<void> {
    await until('an unknown bid', async () => (await this.readBids()).join() === 'unknown');
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all([this.database.end(), this.workspace.close()]);
  }
}

export const creates = ({ workspace }: Play) =>
  workspace.marketplace.requests().filter(({ path }) => path.endsWith('/jobs/create'));

export async function readinessOf({ url }: Replica): Promise<string> {
  return (await globalThis.fetch(`${url}/readyz`)).text();
}

export async function untilReadiness(replica: Replica, words: RegExp): Promise<void> {
  let read = '';
  const look = async () => {
    read = await readinessOf(replica);
    return words.test(read);
  };
  await until(`${words} of a replica`, look, { state: () => read });
}

interface PlayFixtures {
  /** Of the database server. */
  readonly settings: Readonly<Record<string, string>>;
  readonly ground: Ground;
  readonly begin: (speed?: number) => Promise<Play>;
}

/** For tests that mostly wait for real time. */
export const SIDE_BY_SIDE = { concurrent: true, timeout: 240 * SECOND };

/** A test that begins plays, on one database server for the file. */
export const playTest = test.extend<PlayFixtures>({
  settings: [{ fsync: 'off', max_connections: '200' }, { scope: 'file' }],
  ground: [
    async ({ settings }, use) => {
      const [compiled, server] = await Promise.all([compileApp(), startLocalDatabase(settings)]);
      await use({ compiled, server });
      await Promise.all([compiled.remove(), server.close()]);
    },
    { scope: 'file' },
  ],
  begin: async ({ ground }, use) => {
    const plays: Play[] = [];
    await use(async (speed) => {
      const play = await Play.begin(ground, speed);
      plays.push(play);
      return play;
    });
    for (const play of plays) await play.close();
  },
});
