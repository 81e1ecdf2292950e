/** Jobs for a different project than the card's: shown as such, and never approved under the wrong title. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin as beginBid } from './begin-bid.ts';
import { SETUP } from './bidder.ts';

/** The other project has a card in the channel, too. */
async function begin() {
  const { bid, world } = await beginBid({ reviews: true });
  const other = world.marketplace.publishProject(101, {
    title: 'Paint our app',
    usOnly: false,
    ukOnly: false,
  });
  await world.until('its card', () => world.told('web').includes(other.ciphertext), MINUTE);
  return { bid, world, other };
}

it('the form of a card has no field for an id, and bids on the project of the card', async () => {
  const { bid } = await begin();
  await bid.open();
  expect(bid.screen()).not.toMatch(/"(?:job_id|project_id)/u);
  await bid.submit();
  expect(bid.creates().map(({ body }) => body)).toMatchObject([
    { marketplace_job_id: bid.project.ciphertext },
  ]);
});

describe('a job that a refusal names', () => {
  it('and that is for another project is told as such, and not offered for approval there', async () => {
    const { bid, other, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: other.id,
      setupId: SETUP,
      status: 'pending_review',
    });
    const json = { success: false, error: 'Something is in the way', job_id: id };
    world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/create' },
      { kind: 'answer', status: 400, json },
    );
    await bid.open();
    await bid.submit();
    expect(bid.screen()).toMatch(new RegExp(`#${id}[\\s\\S]*${other.ciphertext}`, 'u'));
    expect(bid.screenAsRead()).toMatchSnapshot();
    await world.pass(MINUTE);
    expect(bid.cardLines()).toContain(`#${id}`);
    expect(bid.cardLines()).toMatchSnapshot();
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    const shown = await world.gig('web', `job ${id}`, 'ben');
    expect(shown).toContain('Paint our app');
    expect(shown).not.toContain('Rebuild our checkout');
  });

  it('that the marketplace names by a uid isn’t offered for approval: it may be any project', async () => {
    const { bid, other, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: other.id,
      setupId: SETUP,
      status: 'pending_review',
      marketplaceJobId: other.uid,
    });
    const json = { success: false, error: 'Something is in the way', job_id: id };
    world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/create' },
      { kind: 'answer', status: 400, json },
    );
    await bid.open();
    await bid.submit();
    await world.pass(MINUTE);
    expect(bid.cardLines()).toContain(`#${id}`);
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    await bid.press('Try Again');
    await world.pass(SECOND);
    world.marketplace.updateJob(id, { status: 'skipped' });
    await bid.submit();
    await world.pass(MINUTE);
    const approve = findPressable(bid.card(), 'Review');
    expect(approve?.kind === 'button' && approve.value).toBe(String(id + 1));
  });

  it('and that is for this project is offered for approval there', async () => {
    const { bid, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'pending_review',
    });
    await bid.open();
    await bid.submit();
    await world.pass(MINUTE);
    expect(bid.cardWords()).toContain(`#${id}`);
    expect(bid.cardLines()).toMatchSnapshot();
    expect(findPressable(bid.card(), 'Review')).toBeDefined();
  });
});

it('a bid that the marketplace understood as one on another project says so everywhere', async () => {
  const { bid, other, world } = await begin();
  const { id } = world.marketplace.addJob({ projectId: other.id, setupId: SETUP, status: 'pending_review' });
  const job = { id, marketplace_job_id: other.ciphertext, status: 'pending_review', setup_id: SETUP };
  const json = { success: true, message: 'Created', job };
  world.marketplace.injectFault({ path: '/auto-bidding/jobs/create' }, { kind: 'answer', status: 200, json });
  await bid.open();
  await bid.submit();
  expect(bid.screen()).toContain(other.ciphertext);
  await world.pass(5 * SECOND);
  expect(bid.cardLines()).toMatchSnapshot();
  expect(findPressable(bid.card(), 'Review')).toBeUndefined();
  expect(bid.thread().join('\n')).toContain(other.ciphertext);
});
