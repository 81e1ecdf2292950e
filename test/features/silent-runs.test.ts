/** A run of bids without an answer: one warning, whatever happens in between. */
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { BidAtHand, begin } from './begin-bid.ts';
import { posted, type World, wordsOf } from './world.ts';

const PROFILE = 301;

const UNSEEN = { isViewed: false, isInterviewed: false, isHired: false, isWithdrawn: false } as const;

/** Proposals of two weeks ago, most of them with an answer. */
async function addPast(world: World): Promise<void> {
  world.marketplace.addProfile({ id: PROFILE });
  const submittedAt = world.clock.now() - 14 * DAY;
  for (let n = 0; n < 50; n++)
    world.marketplace.addProposal({ profileId: PROFILE, submittedAt: submittedAt + n, isViewed: n < 45 });
  await world.gig('web', `subscribe outcomes ${PROFILE}`);
  await world.pass(30 * SECOND);
}

/** Bids on new projects; each becomes a proposal that nobody has seen. @returns the proposals */
async function bidOn(world: World, count: number) {
  const sent: { readonly id: number }[] = [];
  for (let n = 0; n < count; n++) {
    const title = `Project ${n} of ${world.clock.now()}`;
    const budget = { type: 'fixed', fixedAmount: 700 } as const;
    const project = world.marketplace.publishProject(101, { title, budget, clientQuestions: [] });
    await world.until('the card', () => world.told('web').includes(project.ciphertext), 5 * MINUTE);
    await new BidAtHand({ world, project }).open();
    await new BidAtHand({ world, project }).submit();
    await world.slack.closeView({ user: 'ben', all: true });
    const { id } = world.marketplace.jobs().at(-1) ?? expect.fail('no job');
    const proposal = world.marketplace.addProposal({
      profileId: PROFILE,
      submittedAt: world.clock.now(),
      jobTitle: title,
      ...UNSEEN,
    });
    world.marketplace.updateJob(id, { status: 'completed', applicationUid: proposal.applicationUid });
    sent.push(proposal);
  }
  await world.pass(10 * MINUTE);
  return sent;
}

async function jump(world: World, ms: number): Promise<void> {
  await world.crash();
  world.clock.moveTo(world.clock.now() + ms);
  await world.restart();
  await world.pass(20 * MINUTE);
}

it('is posted once, after the bids had a week for an answer, and survives kills', async () => {
  const { world } = await begin({ env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' }, requestsPerMinute: 500 });
  await addPast(world);
  await bidOn(world, 12);
  expect(posted(world, 'silent-run')).toEqual([]);
  await jump(world, 5 * DAY);
  expect(posted(world, 'silent-run')).toEqual([]);
  await jump(world, 3 * DAY);
  expect(posted(world, 'silent-run').map(wordsOf).join()).toMatch(/last 12 bids/u);
  await jump(world, MINUTE);
  await jump(world, 7 * HOUR);
  expect(posted(world, 'silent-run')).toHaveLength(1);
  expect(posted(world, 'silent-run', 'data')).toEqual([]);
});

it('is not posted when one of them was viewed', async () => {
  const { world } = await begin({ env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' }, requestsPerMinute: 500 });
  await addPast(world);
  const [, , third] = await bidOn(world, 12);
  world.marketplace.updateProposal(third?.id ?? 0, { isViewed: true });
  await world.pass(HOUR, MINUTE);
  await jump(world, 8 * DAY);
  expect(posted(world, 'silent-run')).toEqual([]);
});
