/** Every marketplace wording for a job that waits for review lets a person approve it. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { JobId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { jobStateText } from '../../src/slack/kit/words/job-text.ts';
import {
  REVIEW_STATUS_NAMES,
  type ReviewStatusName,
} from '../../src/workbench/marketplace/review-status-names.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin } from './begin-bid.ts';
import { press } from './bidder.ts';
import { HomeAtHand } from './home-desk.ts';
import { wordsOf } from './world.ts';

async function beginInWords(reviewWords: ReviewStatusName) {
  const { bid, world } = await begin({ reviews: true });
  world.marketplace.setModes({ reviewWords });
  await world.gig('web', 'digest at 09:00 UTC daily');
  await bid.open();
  await bid.submit('ben', { cover_letter: 'Dear client' });
  await world.slack.closeView({ user: 'ben' });
  await world.pass(MINUTE);
  return { bid, world, home: new HomeAtHand(world) };
}

const WAITING = jobStateText({ id: JobId.parse(1), status: 'pending_review', statusTitle: '' });

const families = Object.keys(REVIEW_STATUS_NAMES).filter(
  (words) => words !== 'unclear',
) as ReviewStatusName[];

describe('a job that waits for review', () => {
  it.each(families)('in the words “%s” is said to wait, counted, and approved', async (words) => {
    const { bid, world, home } = await beginInWords(words);
    expect(bid.cardWords()).toContain(WAITING);
    await home.open('ben');
    expect(home.offers('ben', actionIds.homeReview)).toBe(true);
    expect(await world.gig('web', `job ${bid.job().id}`, 'ben')).toContain(WAITING);
    await world.gig('web', 'digest now');
    await world.pass(MINUTE);
    const digest = wordsOf(world.slack.messages('web').at(-1) ?? bid.card());
    expect(digest).toContain(WAITING);
    expect(digest).toContain(`#${bid.job().id}`);
    await bid.press('Approve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(await bid.approvalStates()).toEqual(['approved']);
    expect(bid.cardWords()).not.toContain(WAITING);
    await home.open('ben');
    expect(home.offers('ben', actionIds.homeReview)).toBe(false);
  });
});

describe('a job of which nobody can say whether it waits', () => {
  it('is not said to, and an approver may try all the same', async () => {
    const { bid, world, home } = await beginInWords('unclear');
    expect(bid.cardWords()).toContain('On hold');
    expect(bid.cardWords()).not.toContain(WAITING);
    await home.open('ben');
    expect(home.offers('ben', actionIds.homeReview)).toBe(false);
    const shown = await world.gig('web', `job ${bid.job().id}`, 'ben');
    expect(shown).toContain('On hold');
    expect(shown).not.toContain(WAITING);
    const { confirm } = await press(world, 'Approve', { message: bid.note() }, 'ben', 'deny');
    expect(confirm?.text).toContain('“On hold”');
    await bid.press('Approve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(await bid.approvalStates()).toEqual(['approved']);
  });

  it('tells what the marketplace says to that, and may be tried again', async () => {
    const { bid, world } = await beginInWords('unclear');
    const json = { error: 'Nothing to approve here' };
    world.marketplace.injectFault({ method: 'POST' }, { kind: 'answer', status: 400, json });
    await bid.press('Approve');
    await world.pass(5 * SECOND);
    expect(bid.screen()).toContain('Nothing to approve here');
    expect(bid.cardWords()).toContain('Nothing to approve here');
    await bid.press('Approve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(2);
    expect(await bid.approvalStates()).toEqual(['approved']);
  });

  it('is read before anything is sent: one that went on meanwhile is not approved', async () => {
    const { bid, world } = await beginInWords('unclear');
    const button = findPressable(bid.card(), 'Review');
    expect(button).toBeDefined();
    world.marketplace.updateJob(bid.job().id, { status: 'scheduled' });
    await bid.press('Approve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toEqual([]);
    expect(bid.screen()).toContain('scheduled');
  });
});

describe('a job that clearly goes on, or has ended', () => {
  it.each(['scheduled', 'processing', 'completed', 'failed', 'skipped'] as const)(
    'as %s offers no approval',
    async (status) => {
      const { bid, world } = await beginInWords('usual');
      world.marketplace.updateJob(bid.job().id, { status });
      const shown = await world.gig('web', `job ${bid.job().id}`, 'ben');
      await world.pass(5 * SECOND);
      expect(shown).toContain('Refresh');
      expect(findPressable(bid.note(), 'Approve')).toBeUndefined();
      expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    },
  );
});
