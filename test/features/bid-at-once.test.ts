/** Several people, or several presses at once, make one bid. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';

appTest('two people at once make one job, and the second sees whose', async ({ market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  const forms = [await ada.press(card, 'Bid'), await ben.press(card, 'Bid')];
  const ends = await Promise.all(forms.map((it) => it.send({ 'Bidding setup': 'Fast setup' })));
  expect(market.jobs).toHaveLength(1);
  expect(ends.find((it) => it.offers('Open Again'))?.text).toMatch(/@(?:ada|ben).*Fast setup/u);
});

appTest('a kill right after the request leaves one job', async ({ app, market, ben, pass }) => {
  const card = await market.publish().cardIn('web');
  const form = await ben.press(card, 'Bid');
  market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
  await form.send({ 'Bidding setup': 'Fast setup', 'Cover letter': 'Dear client' });
  await app.kill();
  await app.start();
  await pass(30 * SECOND);
  expect(market.requests(PATHS.bid)).toHaveLength(1);
  expect(card.text).toContain('Fast setup');
  expect(card.offers('Bid')).toBe(false);
});

const reviewed = appTestWith({ reviews: true });

reviewed('two people who approve at once approve once', async ({ market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup', 'Cover letter': 'Dear client' });
  const [request] = card.replies().filter((it) => it.offers('Approve'));
  if (!request)
    return expect.fail(
      `no request in ${card
        .replies()
        .map((it) => it.text)
        .join('\n')}`,
    );
  await Promise.all([ada.press(request, 'Approve'), ben.press(request, 'Approve')]);
  expect(market.requests(PATHS.approve)).toHaveLength(1);
});
