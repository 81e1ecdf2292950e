/** Resume in a direct message: restarts the channel that the message is about, for that channel's admins. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';

appTest('restarts the channel for its admins alone', async ({ slack, market, pass, ada, ben }) => {
  market.service.addFilter({ id: 102, name: 'Design' });
  await ben.type('/gig subscribe filter 102');
  slack.archive('web');
  market.publish({ title: 'While archived' });
  await pass(3 * MINUTE);
  slack.unarchive('web');
  const [hers, his] = [ada, ben].map((person) => {
    const notice = person.inbox().findLast((it) => it.offers('Resume'));
    return notice ?? expect.fail(`${person.name} has no notice`);
  });
  if (!hers || !his) return;
  expect((await ben.press(his, 'Resume')).text).toMatch(/admin/u);
  market.publish({ title: 'Still stopped' });
  await pass(3 * MINUTE);
  expect(ada.reads('web').filter((it) => it.text.includes('Still stopped'))).toEqual([]);
  expect((await ada.press(hers, 'Resume')).text).toMatch(/#web.*@ada resumed/u);
  expect(ben.reads('web').some((it) => it.text.includes('@ada resumed'))).toBe(true);
  await market.publish({ title: 'Running again' }).cardIn('web');
});
