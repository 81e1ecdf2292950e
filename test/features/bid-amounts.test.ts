/** An amount that looks like a typing mistake is asked about before it is sent. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { BidAtHand } from './begin-bid.ts';
import { cardOf, startBidWorld } from './bidder.ts';

/** A form that is open on a project with this budget. */
async function openOn(budget: NonNullable<ProjectSeed['budget']>): Promise<BidAtHand> {
  const { world } = await startBidWorld();
  const project = world.marketplace.publishProject(101, { title: 'A shop for lamps', budget });
  await world.until('the card', () => world.told('web').includes(project.ciphertext), MINUTE);
  const bid = new BidAtHand({ world, project });
  await bid.open();
  return bid;
}

const FIXED = { type: 'fixed', fixedAmount: 2_500 } as const;
const HOURLY = { type: 'hourly', hourlyMin: 40, hourlyMax: 60 } as const;

describe('an amount that looks like a mistake', () => {
  it.each([
    ['a bid far above a fixed price', FIXED, { bid_amount: '999999' }, ['$999,999', '$2,500']],
    ['a bid far below it', FIXED, { bid_amount: '250' }, ['$250', '$2,500']],
    ['a rate far above the range', HOURLY, { bid_amount: '650' }, ['$650', '$40', '$60']],
    ['a boost of thousands', FIXED, { boost: '5000' }, ['5,000']],
  ])('%s is asked about with both numbers, and sent by a second press', async (_, budget, values, said) => {
    const bid = await openOn(budget);
    await bid.submit('ben', values);
    expect(bid.creates()).toEqual([]);
    for (const number of said) expect(bid.screen()).toContain(number);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    for (const number of said.slice(0, 1)) expect(bid.screen()).toContain(number);
  });

  it('another one is asked about again, and a usual one is sent at once', async () => {
    const bid = await openOn(FIXED);
    await bid.submit('ben', { bid_amount: '99999' });
    await bid.submit('ben', { bid_amount: '88888' });
    expect(bid.creates()).toEqual([]);
    expect(bid.screen()).toContain('$88,888');
    await bid.submit('ben', { bid_amount: '2400' });
    expect(bid.creates().map(({ body }) => body)).toMatchObject([{ bid_amount: 2_400 }]);
  });

  it('the first press counts once, however often it arrives', async () => {
    const bid = await openOn(FIXED);
    const view = bid.view();
    await bid.submit('ben', { bid_amount: '99999' });
    await bid.world.slack.submitView({ view, asItWas: true, user: 'ben', values: { bid_amount: '99999' } });
    await bid.world.pass(3 * SECOND);
    expect(bid.creates()).toEqual([]);
  });

  it('a form that was closed meanwhile says that nothing was sent', async () => {
    const bid = await openOn(FIXED);
    const { world, project } = bid;
    world.slack.injectFault('views.update', { kind: 'error', error: 'not_found' }, 5);
    await bid.submit('ben', { bid_amount: '99999' });
    expect(bid.creates()).toEqual([]);
    expect(bid.told()).toMatch(/99999/u);
    expect(cardOf(world, project)).toBeDefined();
  });
});
