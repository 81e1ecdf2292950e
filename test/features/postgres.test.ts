/** The whole app with its records in PostgreSQL: the project `postgres` of tests runs all the others so. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { SHOP, startDesk } from '../kit/start-desk.ts';

let server: LocalDatabase;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

it('posts each project once, counts each credit, and sends a bid once, over a kill', async () => {
  const desk = await startDesk({ databases: server.adminUrl });
  const { app, market, pass, person } = desk;
  const ben = person('ben');
  const card = await market.publish().cardIn('web');
  const late = market.publish({ ...SHOP, title: 'A lake house' });
  const form = await ben.press(card, 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup', 'Cover letter': 'Dear client' });
  await app.kill();
  await app.start();
  await pass(5 * MINUTE);
  await late.cardIn('web');
  expect(ben.reads('web').filter((it) => it.offers('Details'))).toHaveLength(2);
  expect((await ben.type('/gig budget')).text).toContain('2 of 500 credits spent');
  expect(market.jobs).toMatchObject([{ coverLetter: 'Dear client' }]);
  expect(card.text).toMatch(/Bid by @ben with Fast setup/u);
  await desk.stop();
});
