/**
 * A replica is paused between storing a claim and sending its request, and wakes up when another replica owns
 * the workspace. It must neither post, nor bid, nor write.
 */
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { until } from '../processes/until.ts';
import { creates, type Play, playTest, SIDE_BY_SIDE } from './play.ts';

/**
 * At full speed, the pause ends as soon as another replica has taken over: the paused one still waits for the
 * answer to its commit then, and would go on. After a minute, it has given that up, and the new owner has
 * posted.
 */
const PAUSES = [
  { speed: 1, pausedMs: 0 },
  { speed: 5, pausedMs: MINUTE / 5 },
] as const;

/**
 * Pauses the owner once its claim is stored; resolves once another replica owns the workspace.
 * @returns what wakes it up, and resolves once it has given its workspace up
 */
async function pauseAtClaim(
  play: Play,
  claim: 'posts' | 'bids',
  workUntil: (isClaimed: () => boolean) => Promise<unknown>,
): Promise<(pausedMs: number) => Promise<void>> {
  const owner = await play.untilOwned();
  const { proxy, app } = owner;
  await workUntil(play.holdClaim(owner, claim));
  app.send('SIGSTOP');
  const pausedAt = machineClock.monotonicNow();
  const other = await play.start();
  await play.untilOwned([other]);
  play.receiveAt(other);
  return async (pausedMs) => {
    await machineClock.sleep(pausedAt + pausedMs - machineClock.monotonicNow());
    proxy.release();
    app.send('SIGCONT');
    await app.logged(({ msg }) => msg === 'No longer owns a workspace');
    await machineClock.sleep(SECOND);
  };
}

playTest.for(PAUSES)(
  "a replica that wakes up doesn't post ($speed, $pausedMs ms)",
  SIDE_BY_SIDE,
  async ({ speed, pausedMs }, { begin, expect }) => {
    const play = await begin(speed);
    const { workspace } = play;
    await play.settleIn();
    const wakeUp = await pauseAtClaim(play, 'posts', (isClaimed) => {
      workspace.publish();
      return until('a claim', isClaimed);
    });
    // The new owner looks for the post for 15 s before it posts: at full speed, it hasn't yet.
    if (speed > 1) await workspace.untilPosted();
    const posted = workspace.cards().length;
    await wakeUp(pausedMs);
    expect(workspace.cards()).toHaveLength(posted);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);

playTest.for(PAUSES)(
  "a replica that wakes up doesn't bid ($speed, $pausedMs ms)",
  SIDE_BY_SIDE,
  async ({ speed, pausedMs }, { begin, expect }) => {
    const play = await begin(speed);
    await play.settleIn();
    await play.workspace.letBid(['ada']);
    const wakeUp = await pauseAtClaim(play, 'bids', (isClaimed) => play.bidUntil(isClaimed));
    await play.untilBidUnknown();
    await wakeUp(pausedMs);
    expect(creates(play)).toEqual([]);
    expect(await play.readBids()).toEqual(['unknown']);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);
