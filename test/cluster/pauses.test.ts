/**
 * A replica is paused between storing a claim and sending its request, and wakes up when another replica owns
 * the workspace. It must neither post, nor bid, nor write.
 */
import { expect, it } from 'vitest';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { begin, claims, creates, type Play, readBids, SOON, sendBid } from './failing-play.ts';
import type { ReplicaProcesses } from './replica-processes.ts';

interface Pause {
  readonly play: ReplicaProcesses;
  /**
   * Resolves once the paused replica has woken up and given its workspace up.
   * @param pausedMs how long the pause is at least
   */
  wakeUp(pausedMs: number): Promise<void>;
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
  const pausedAt = machineClock.monotonicNow();
  const other = await play.start();
  await play.untilOwned([other]);
  play.receiveAt(other);
  return {
    play,
    async wakeUp(pausedMs) {
      await machineClock.sleep(pausedAt + pausedMs - machineClock.monotonicNow());
      proxy.release();
      paused.child.kill('SIGCONT');
      await paused.logged(({ msg }) => msg === 'No longer owns a workspace');
      await machineClock.sleep(SECOND);
    },
  };
}

// At full speed, the pause ends as soon as another replica has taken over: the paused one still waits for the
// answer to its commit then, and would go on. After a minute, it has given that up, and the new owner has
// posted.
it.each([
  { speed: 1, pausedMs: 0 },
  { speed: 5, pausedMs: MINUTE / 5 },
])(
  'a replica that wakes up neither posts nor bids ($speed, $pausedMs ms)',
  async ({ speed, pausedMs }) => {
    const begun = await begin(speed);
    const { play, database } = begun;

    const before = play.cards().length;
    const posting = await pauseAtClaim(begun, 'posts', async () => {
      play.marketplace.publishProject(101);
    });
    // The new owner looks for the post for 15 s before it posts: at full speed, it hasn't yet.
    if (speed > 1) await expect.poll(() => play.cards().length, SOON).toBe(before + 1);
    const posted = play.cards().length;
    await posting.wakeUp(pausedMs);
    expect(play.cards()).toHaveLength(posted);

    const bidding = await pauseAtClaim(begun, 'bids', () => sendBid(play));
    await expect.poll(() => readBids(database), SOON).toEqual(['unknown']);
    await bidding.wakeUp(pausedMs);
    expect(creates(play)).toEqual([]);
    expect(await readBids(database)).toEqual(['unknown']);
    await expect.poll(() => play.cards().length, SOON).toBe(before + 1);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
  180_000,
);
