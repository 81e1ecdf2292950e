/** The whole app with its records in PostgreSQL. `npm run test:postgres` runs all the other tests so. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { BidAtHand } from './begin-bid.ts';
import { startBidWorld } from './bidder.ts';
import { startWorld } from './world.ts';

let server: LocalDatabase;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

it('posts each project once and counts each credit, over a kill', async () => {
  const world = await startWorld({ databases: server.adminUrl });
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(30 * SECOND);
  const publish = () => world.marketplace.publishProject(101).ciphertext;
  const published = [publish(), publish()];
  await world.until('the cards', () => world.told('web').length === 2, 5 * MINUTE);
  published.push(publish(), publish());
  await world.pass(20 * SECOND);
  await world.crash();
  await world.restart();
  await world.pass(5 * MINUTE);
  expect([...world.told('web')].sort()).toEqual([...published].sort());
  expect(await world.gig('web', 'budget')).toMatch(/\b4 of 500\b/u);
  await world.stop();
});

it('sends a bid once and knows its outcome, over a kill', async () => {
  const bid = new BidAtHand(await startBidWorld({ databases: server.adminUrl }));
  await bid.open();
  await bid.submit('ben', { cover_letter: 'Dear client' });
  await bid.world.crash();
  await bid.world.restart();
  await bid.world.pass(5 * MINUTE);
  expect(bid.creates()).toHaveLength(1);
  expect(bid.job().coverLetter).toBe('Dear client');
  expect(await bid.states()).toEqual(['created']);
  await bid.world.stop();
});
