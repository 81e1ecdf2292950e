/** A card names only filters whose rules its project passed, and says how well it fits. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { PATHS, SHOP } from '../kit/start-desk.ts';

const RECORD = {
  country: 'Norway',
  paymentMethodVerified: true,
  totalSpent: 40_000,
  totalHires: 40,
  hireRate: 0.9,
  rating: 4.9,
  reviews: 30,
};

appTest(
  'a card names only filters whose rules it passed, also after a restart',
  async ({ app, market, ada, pass }) => {
    market.service.addFilter({ id: 102 });
    await ada.type('/gig subscribe filter 102 spent:>10k');
    const poor = { ...SHOP, client: { ...RECORD, totalSpent: 200 } };
    const small = await market.publish({ ...poor, title: 'Small client' }, [101, 102]).cardIn('web');
    expect(small.text).toContain('Filter: React work');
    expect(small.text).not.toContain('filter 102');
    const rich = await market.publish({ ...SHOP, title: 'Rich', client: RECORD }, [101, 102]).cardIn('web');
    await pass(MINUTE);
    for (const name of ['React work', 'filter 102']) expect(rich.text).toContain(name);
    await app.kill();
    await app.start();
    // Another read would pass it by the new rules.
    market.fail(PATHS.projects, presetFaults.status(503), Number.POSITIVE_INFINITY);
    await ada.type('/gig subscribe filter 102 spent:>=0');
    await ada.press(small, 'Claim');
    expect(small.text).toContain('Claimed');
    expect(small.text).not.toContain('filter 102');
  },
);

appTest('a project that is like those the team claimed says so', async ({ market, ada, pass }) => {
  const same = { ...SHOP, skills: ['React', 'TypeScript'], client: RECORD };
  for (const name of ['One', 'Two', 'Three']) {
    const card = await market.publish({ ...same, title: name }).cardIn('web');
    expect(card.text).not.toMatch(/claimed or bid|projects you claimed/u);
    await ada.press(card, 'Claim');
  }
  await pass(6 * MINUTE);
  const like = await market.publish({ ...same, title: 'Another like them' }).cardIn('web');
  expect(like.text).toMatch(/fit.*\b3 projects you claimed/u);
  const logo = { ...SHOP, title: 'Logo', skills: ['Illustrator', 'Logo Design'] };
  expect((await market.publish(logo).cardIn('web')).text).not.toMatch(/projects you claimed/u);
});
