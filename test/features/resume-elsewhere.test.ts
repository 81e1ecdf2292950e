/** Resume in a direct message: restarts the channel that the message is about, for that channel's admins. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { appTest } from '../kit/app-test.ts';
import { refusalFor } from './as-read.ts';

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
  expect((await ben.press(his, 'Resume')).text).toContain(refusalFor('admin'));
  market.publish({ title: 'Still stopped' });
  await pass(3 * MINUTE);
  expect(ada.reads('web').filter((it) => it.text.includes('Still stopped'))).toEqual([]);
  expect((await ada.press(hers, 'Resume')).text).toMatch(/#web.*@ada resumed/u);
  expect(ben.reads('web').some((it) => it.text.includes('@ada resumed'))).toBe(true);
  await market.publish({ title: 'Running again' }).cardIn('web');
});

appTest('restarts no channel that the person is not in', async ({ slack, ada, ben, desk }) => {
  slack.addChannel({ name: 'secret', private: true, members: ['ben'] });
  const dan = desk.person('dan', { admin: true });
  await ada.type('/gig pause');
  const notice = ada.reads('web').at(-1)?.shown;
  if (!notice || !('message' in notice)) return expect.fail('no notice');
  const value = slack.channel('secret').id;
  const before = dan.notes('web').length;
  await desk.settleAfter(
    slack.press({ user: 'dan', message: notice.message, actionId: actionIds.resume, value, force: true }),
  );
  const [refusal, ...more] = dan.notes('web').slice(before);
  expect(more).toEqual([]);
  expect(refusal?.text).not.toContain('secret');
  expect(ben.reads('secret')).toEqual([]);
  expect(ben.reads('web').at(-1)?.offers('Resume')).toBe(true);
});
