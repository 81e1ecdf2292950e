/** An owner is killed in the middle of a commit, a post, or a bid, and another replica takes over. */
import { expect, it, onTestFinished } from 'vitest';
import { begin, claims, creates, type Play, readBids, SOON, sendBid } from './failing-play.ts';
import type { ReplicaProcess } from './replica-processes.ts';

/** Slack's 3 s and the database's times are real; the app's own times are a fifth. */
const SPEED = 5;
const POST = 'chat.postMessage';
const CREATE = { path: '/auto-bidding/jobs/create' };

/** A new owner, whose way to the database goes through the proxy. */
async function startOwner({ play, proxy }: Play): Promise<ReplicaProcess> {
  await play.killAll();
  const owner = await play.start({ databaseUrl: proxy.url });
  await play.untilOwned([owner]);
  play.receiveAt(owner);
  return owner;
}

/** By SIGKILL; another replica takes over. */
async function kill({ play, proxy }: Play, owner: ReplicaProcess): Promise<void> {
  owner.child.kill('SIGKILL');
  await owner.ended;
  proxy.restore();
  const next = await play.start();
  await play.untilOwned([next]);
  play.receiveAt(next);
}

it('killed in the middle of a commit, it neither loses nor repeats a card or a bid', async () => {
  const begun = await begin(SPEED);
  const { play, proxy, database } = begun;
  const before = play.cards().length;

  const posting = await startOwner(begun);
  const claimed = proxy.holdAnswer(claims('posts'));
  play.marketplace.publishProject(101);
  await claimed;
  await kill(begun, posting);
  await expect.poll(() => play.cards().length, SOON).toBe(before + 1);

  const bidding = await startOwner(begun);
  const bid = proxy.holdAnswer(claims('bids'));
  await sendBid(play);
  await bid;
  await kill(begun, bidding);
  await expect.poll(() => readBids(database), SOON).toEqual(['unknown']);
  expect(creates(play)).toEqual([]);
  await play.publishAndAwait(1);
  await play.expectEachOnce();
}, 120_000);

it.each(['before', 'after'] as const)(
  'killed in the middle of a post, %s Slack has it, it is posted once',
  async (when) => {
    const begun = await begin(SPEED);
    const { play } = begun;
    const before = play.cards().length;
    const owner = await startOwner(begun);
    const held = play.slack.injectFault(POST, { kind: 'hold', when });
    onTestFinished(() => held.cancel());
    play.marketplace.publishProject(101);
    await expect.poll(() => held.held, SOON).toBe(1);
    expect(play.cards()).toHaveLength(before + (when === 'after' ? 1 : 0));
    await kill(begun, owner);
    await expect.poll(() => play.cards().length, SOON).toBe(before + 1);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
  120_000,
);

it('killed in the middle of a bid, it sends none again, and says that its outcome is unknown', async () => {
  const begun = await begin(SPEED);
  const { play, database } = begun;
  const owner = await startOwner(begun);
  const held = play.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
  onTestFinished(() => held.release());
  await sendBid(play);
  await expect.poll(() => held.hits(), SOON).toBe(1);
  expect(await readBids(database)).toEqual(['sending']);
  await kill(begun, owner);
  await expect.poll(() => readBids(database), SOON).toEqual(['unknown']);
  await play.publishAndAwait(1);
  expect(creates(play)).toHaveLength(1);
  await play.expectEachOnce();
}, 120_000);
