/** An owner is killed in the middle of a commit, a post, or a bid, and another replica takes over. */
import type { Replica } from '../processes/fleet.ts';
import { until } from '../processes/until.ts';
import { creates, type Play, playTest, SIDE_BY_SIDE } from './play.ts';

const POST = 'chat.postMessage';
const CREATE = { path: '/auto-bidding/jobs/create' };

/** By SIGKILL. @returns the replica that takes over */
async function kill(play: Play, owner: Replica): Promise<Replica> {
  await owner.app.end('SIGKILL');
  const next = await play.start();
  await play.untilOwned([next]);
  play.receiveAt(next);
  return next;
}

playTest(
  'killed in the middle of a commit, it neither loses nor repeats a card or a bid',
  SIDE_BY_SIDE,
  async ({ begin, expect }) => {
    const play = await begin();
    const { workspace } = play;
    const posting = await play.settleIn();
    await play.workspace.letBid(['ada']);
    const isClaimed = play.holdClaim(posting, 'posts');
    workspace.publish();
    await until('a claim', isClaimed);
    const bidding = await kill(play, posting);
    await workspace.untilPosted();

    await play.bidUntil(play.holdClaim(bidding, 'bids'));
    await kill(play, bidding);
    await play.untilBidUnknown();
    expect(creates(play)).toEqual([]);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);

playTest.for(['before', 'after'] as const)(
  'killed in the middle of a post, %s Slack has it, it is posted once',
  SIDE_BY_SIDE,
  async (when, { begin, expect }) => {
    const play = await begin();
    const { workspace } = play;
    const owner = await play.settleIn();
    const held = workspace.slack.injectFault(POST, { kind: 'hold', when });
    workspace.publish();
    await until('a post', () => held.held === 1);
    expect(workspace.cards()).toHaveLength(when === 'after' ? 2 : 1);
    await kill(play, owner);
    await workspace.untilPosted();
    await play.publishAndAwait(1);
    await play.expectEachOnce();
    held.cancel();
  },
);

playTest(
  'killed in the middle of a bid, it sends none again, and says that its outcome is unknown',
  SIDE_BY_SIDE,
  async ({ begin, expect }) => {
    const play = await begin();
    const owner = await play.settleIn();
    await play.workspace.letBid(['ada']);
    const held = play.workspace.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await play.bidUntil(() => held.hits() === 1);
    expect(await play.readBids()).toEqual(['sending']);
    await kill(play, owner);
    await play.untilBidUnknown();
    await play.publishAndAwait(1);
    expect(creates(play)).toHaveLength(1);
    await play.expectEachOnce();
    held.release();
  },
);
