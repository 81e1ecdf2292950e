/** Messages of what is still claimed or bid on after 90 days. */
import { expect } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';

const PROFILE = 301;

appTest('an invitation claimed on day 80 can be released on day 95', async ({ app, market, ada, pass }) => {
  market.service.addProfile({ id: PROFILE, label: 'Ada Webb' });
  await ada.type(`/gig subscribe invitations ${PROFILE}`);
  await pass(3 * MINUTE);
  market.service.addInvitation({ profileId: PROFILE, title: 'Chairs in React' });
  await pass(10 * MINUTE);
  const card = () => ada.reads('web').find((it) => it.text.includes('Chairs in React')) ?? expect.fail();
  app.clock.moveBy(80 * DAY);
  await pass(2 * MINUTE);
  await ada.press(card(), 'Claim');
  expect(card().offers('Release')).toBe(true);
  for (const _ of [1, 2, 3]) {
    app.clock.moveBy(5 * DAY);
    await pass(5 * MINUTE);
  }
  await ada.press(card(), 'Release');
  expect(card().offers('Release')).toBe(false);
  expect(card().offers('Claim')).toBe(true);
});
