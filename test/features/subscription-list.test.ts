/** `/gig list`: the whole list, or the subscriptions that match, each with its buttons. */
import { expect } from 'vitest';
import { appTest } from '../kit/app-test.ts';

appTest('shows only what matches, with its buttons', async ({ market, ada, ben }) => {
  market.service.addFilter({ id: 102, name: 'Design' });
  await ada.type('/gig subscribe filter 102');
  const found = await ben.type('/gig list rea');
  expect(found.text).toContain('React work');
  expect(found.text).not.toContain('filter 102');
  expect((await found.press('Edit')).text).toContain('React work');
  await ben.close();
  const whole = await found.press('Unsubscribe');
  expect(whole.text).toContain('filter 102');
  expect(whole.text).not.toContain('React work');
  expect(ada.reads('web').at(-1)?.text).toMatch(/@ben unsubscribed.*React work/u);
  const none = await ben.type('/gig list rea');
  expect(none.text).toMatch(/no subscription.*rea/u);
  expect((await none.press('Subscriptions')).text).toContain('filter 102');
});
