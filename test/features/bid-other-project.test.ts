/** Jobs that turn out to be for another project than the card says: shown as that, and never approved by the wrong title. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { PublishedProject } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import {
  type BidWorld,
  cardOf,
  creates,
  onlyJob,
  openBid,
  SETUP,
  startBidWorld,
  submitBid,
  threadOf,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { type World, wordsOf } from './world.ts';

let bid: BidWorld;
let world: World;
let other: PublishedProject;
afterEach(() => world.stop());

async function begin() {
  bid = await startBidWorld({ reviews: true });
  world = bid.world;
  other = world.marketplace.publish(101, { title: 'Paint our app', usOnly: false, ukOnly: false });
  await world.until('its card', () => world.told('web').includes(other.ciphertext), MINUTE);
}

function cardWords(): string {
  return wordsOf(cardOf(world, bid.project));
}

it('the id of another project is refused at its field', async () => {
  await begin();
  await openBid(world, bid.project);
  for (const job_id of [other.ciphertext, other.uid, other.url]) {
    const answer = await submitBid(world, 'ben', { job_id });
    expect(Object.keys(answer.errors)).toEqual(['job_id']);
  }
  expect(creates(world)).toEqual([]);
  await submitBid(world, 'ben', { job_id: bid.project.ciphertext.slice(1) });
  expect(creates(world)[0]?.body).toMatchObject({ marketplace_job_id: bid.project.ciphertext });
});

describe('a job that a refusal names', () => {
  it('and that is for another project is told as such, and not offered for approval there', async () => {
    await begin();
    const { id } = world.marketplace.addJob({
      projectId: other.id,
      setupId: SETUP,
      status: 'pending_review',
    });
    const json = { success: false, error: 'Something is in the way', job_id: id };
    world.marketplace.fault({ path: '/auto-bidding/jobs/create' }, { kind: 'answer', status: 400, json });
    await openBid(world, bid.project);
    await submitBid(world);
    expect(wordsOfView(viewOf(world, 'ben'))).toMatch(new RegExp(`#${id}.*another project`, 'u'));
    await world.pass(MINUTE);
    expect(cardWords()).toMatch(new RegExp(`in its way: .*#${id}.*another project`, 'u'));
    expect(findPressable(cardOf(world, bid.project), 'Approve')).toBeUndefined();
    const shown = await world.gig('web', `job ${id}`, 'ben');
    expect(shown).toContain('Paint our app');
    expect(shown).not.toContain('Rebuild our checkout');
  });

  it('and that is for this project is offered for approval there', async () => {
    await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'pending_review',
    });
    await openBid(world, bid.project);
    await submitBid(world);
    await world.pass(MINUTE);
    expect(cardWords()).toContain(`#${id}`);
    expect(cardWords()).not.toContain('another project');
    expect(findPressable(cardOf(world, bid.project), 'Approve')).toBeDefined();
  });
});

it('a bid that the marketplace understood as one on another project says so everywhere', async () => {
  await begin();
  await openBid(world, bid.project);
  // The marketplace goes by the service's own number, where it is given one.
  await submitBid(world, 'ben', { project_id: String(other.id) });
  expect(onlyJob(world).projectId).toBe(other.id);
  expect(wordsOfView(viewOf(world, 'ben'))).toMatch(/another project/u);
  await world.pass(5 * SECOND);
  expect(cardWords()).toMatch(/another project/u);
  expect(findPressable(cardOf(world, bid.project), 'Approve')).toBeUndefined();
  expect(threadOf(world, cardOf(world, bid.project)).join('\n')).toMatch(/another project/u);
});
