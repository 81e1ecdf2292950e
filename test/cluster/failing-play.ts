/** A workspace where ada bids, on replicas that fail just when a claim is stored or a request sent. */
import postgres from 'postgres';
import { expect, onTestFinished } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { type CuttingProxy, startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { postOf } from '../soak/replicas/place.ts';
import { comesTrue } from '../soak/replicas/until.ts';
import { ReplicaProcesses } from './replica-processes.ts';

const SETUP = 7;
export const SOON = { timeout: 30_000, interval: 20 };
/** Real time: a form opens within Slack's 3 s, or never. */
const FORM_WITHIN_MS = 4 * SECOND;
const MOST_PRESSES = 5;

export interface Play {
  readonly play: ReplicaProcesses;
  /** The way to the database of the replica that will fail. */
  readonly proxy: CuttingProxy;
  readonly database: postgres.Sql;
}

export async function begin(speed: number): Promise<Play> {
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

/** Nothing awaits its answer: the replica fails meanwhile. */
export async function sendBid({ slack }: ReplicaProcesses): Promise<void> {
  const message = slack.messages('web').findLast((it) => postOf(it).startsWith('card:'));
  const found = message && findPressable(message, 'Bid');
  if (!message || found?.kind !== 'button') return expect.fail('there is no card to bid on');
  const { actionId, blockId, value } = found;
  const isOpen = () => slack.view('ada')?.submit === 'Send Bid';
  // On a busy machine, a replica that has just taken over may be too late for the form: ada presses again.
  for (let presses = 0; presses < MOST_PRESSES && !isOpen(); presses++) {
    await slack.press({ user: 'ada', message, actionId, blockId, value });
    await comesTrue(isOpen, FORM_WITHIN_MS);
  }
  expect(isOpen()).toBe(true);
  const values = { setup: String(SETUP), cover_letter: 'Written just before' };
  void slack.submitView({ user: 'ada', values });
}

/** Whether a statement stores such a claim: its request is sent next. */
export const claims = (collection: 'posts' | 'bids') => (statement: string) =>
  statement.includes(`"${collection}"`) && statement.includes('sending');

export async function readBids(database: postgres.Sql): Promise<readonly unknown[]> {
  const rows = await database<{ state: string }[]>`
    select value::json ->> 'state' as state from records where collection = 'bids'`;
  return rows.map(({ state }) => state);
}

export const creates = ({ marketplace }: ReplicaProcesses) =>
  marketplace.requests().filter(({ path }) => path.endsWith('/jobs/create'));
