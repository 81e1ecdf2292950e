/**
 * A replica is paused between storing a claim and sending its request, and wakes up when another replica owns
 * the workspace. It must neither post, nor bid, nor write.
 */
import postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { machineClock, SECOND } from '../../src/clock.ts';
import { type CuttingProxy, startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { isForm } from '../features/bid-forms-sent.ts';
import { postOf } from '../features/world.ts';
import { ReplicaProcesses } from './replica-processes.ts';

const SETUP = 7;
const SOON = { timeout: 30_000, interval: 20 };

interface Play {
  readonly play: ReplicaProcesses;
  /** The way to the database of the replica that will be paused. */
  readonly proxy: CuttingProxy;
  readonly database: postgres.Sql;
}

async function begin(speed: number): Promise<Play> {
  const play = await ReplicaProcesses.begin(speed);
  onTestFinished(() => play.close());
  play.marketplace.addSetup({
    id: SETUP,
    name: 'Fast setup',
    filter: { id: 101, name: 'React work' },
    status: 'active',
    dailyProposalsLimit: 20,
    proposalsSentToday: 0,
    reviewsJobs: false,
  });
  const proxy = await startCuttingProxy(play.url);
  onTestFinished(() => proxy.close());
  const database = postgres(play.url, { max: 1 });
  onTestFinished(() => database.end());
  const first = await play.start();
  play.receiveAt(first);
  await play.untilOwned([first]);
  await play.subscribe();
  await play.publishAndAwait(1);
  await letAdaBid(play);
  return { play, proxy, database };
}

/** Ada makes herself a bidder. */
async function letAdaBid({ slack }: ReplicaProcesses): Promise<void> {
  await slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'access' });
  const bidders = () => slack.view('ada')?.blocks.find((it) => it.block_id.startsWith('bidders'));
  await expect.poll(bidders, SOON).toBeDefined();
  const values = { [bidders()?.block_id ?? '']: [slack.user('ada').id] };
  const { action } = await slack.submitView({ user: 'ada', values });
  expect(['close', 'clear']).toContain(action);
}

/** Nothing awaits its answer: the replica is paused meanwhile. */
async function sendBid({ slack }: ReplicaProcesses): Promise<void> {
  const message = slack.messages('web').findLast((it) => postOf(it).startsWith('card:'));
  const found = message && findPressable(message, 'Bid');
  if (!message || found?.kind !== 'button') return expect.fail('there is no card to bid on');
  const { actionId, blockId, value } = found;
  await slack.press({ user: 'ada', message, actionId, blockId, value });
  await expect.poll(() => isForm(slack.view('ada')), SOON).toBe(true);
  const values = { setup: String(SETUP), cover_letter: 'Written before the pause' };
  void slack.submitView({ user: 'ada', values });
}

/** Whether a statement stores such a claim: its request is sent next. */
const claims = (collection: 'posts' | 'bids') => (statement: string) =>
  statement.includes(`"${collection}"`) && statement.includes('sending');

interface Pause {
  readonly play: ReplicaProcesses;
  /** Resolves once the paused replica has woken up and given its workspace up. */
  wakeUp(): Promise<void>;
}

/** Pauses a new owner once its claim is stored; resolves once the other replica owns the workspace. */
async function pauseAtClaim(
  { play, proxy }: Play,
  claim: Parameters<typeof claims>[0],
  work: () => Promise<void>,
): Promise<Pause> {
  await play.killAll();
  const paused = await play.start({ databaseUrl: proxy.url });
  await play.untilOwned([paused]);
  play.receiveAt(paused);
  const claimed = proxy.holdAnswer(claims(claim));
  await work();
  await claimed;
  paused.child.kill('SIGSTOP');
  const other = await play.start();
  await play.untilOwned([other]);
  play.receiveAt(other);
  return {
    play,
    async wakeUp() {
      proxy.release();
      paused.child.kill('SIGCONT');
      await paused.logged(({ msg }) => msg === 'No longer owns a workspace');
      await machineClock.sleep(SECOND);
    },
  };
}

async function readBids(database: postgres.Sql): Promise<readonly unknown[]> {
  const rows = await database<{ state: string }[]>`
    select value::json ->> 'state' as state from records where collection = 'bids'`;
  return rows.map(({ state }) => state);
}

const creates = ({ marketplace }: ReplicaProcesses) =>
  marketplace.requests().filter(({ path }) => path.endsWith('/jobs/create'));

/** Longer than a commit waits for its answer. */
const GIVEN_UP_MS = 12 * SECOND;

// At full speed, the pause ends as soon as another replica has taken over: the paused one still waits for the
// answer to its commit then, and would go on. In a longer pause, it has given that up, and the new owner has
// posted.
it.each([
  { speed: 1, pausedMs: 0 },
  { speed: 5, pausedMs: GIVEN_UP_MS / 5 },
])(
  'a replica that wakes up neither posts nor bids ($speed, $pausedMs ms)',
  async ({ speed, pausedMs }) => {
    const begun = await begin(speed);
    const { play, database } = begun;

    const before = play.cards().length;
    const posting = await pauseAtClaim(begun, 'posts', async () => {
      play.marketplace.publishProject(101);
    });
    await machineClock.sleep(pausedMs);
    // The new owner looks for the post for 15 s before it posts: at full speed, it hasn't yet.
    if (speed > 1) await expect.poll(() => play.cards().length, SOON).toBe(before + 1);
    const posted = play.cards().length;
    await posting.wakeUp();
    expect(play.cards()).toHaveLength(posted);

    const bidding = await pauseAtClaim(begun, 'bids', () => sendBid(play));
    await machineClock.sleep(pausedMs);
    await expect.poll(() => readBids(database), SOON).toEqual(['unknown']);
    await bidding.wakeUp();
    expect(creates(play)).toEqual([]);
    expect(await readBids(database)).toEqual(['unknown']);
    await expect.poll(() => play.cards().length, SOON).toBe(before + 1);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
  180_000,
);
