/** Subscribing while the marketplace can't be asked whether the filter or profile exists. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';

appTest(
  '20 subscriptions in a row all succeed, and get their projects',
  async ({ market, ada, slack, desk }) => {
    const filters = Array.from(
      { length: 20 },
      (_, place) => market.service.addFilter({ id: 300 + place }).id,
    );
    const sent = filters.map((filter) =>
      slack.runSlashCommand({
        user: 'ada',
        channel: 'data',
        command: '/gig',
        text: `subscribe filter ${filter}`,
      }),
    );
    await Promise.all(sent);
    await desk.pass(2 * MINUTE);
    const list = (await ada.type('/gig list', 'data')).text;
    expect(list).toContain('This channel has 20 subscriptions');
    expect(ada.notes('data').filter(({ text }) => /couldn't|try again/iu.test(text))).toEqual([]);
    await market.publish({ title: 'A lake house' }, filters.at(-1)).cardIn('data');
  },
);

appTest('a fault of the marketplace does not keep anyone from subscribing', async ({ market, ada, pass }) => {
  market.service.addFilter({ id: 300 });
  const { id } = market.service.addProfile();
  for (const path of ['/filters/*/results', '/invitations', '/auto-bidding/setups'])
    market.fail(path, presetFaults.status(500), 3);
  await ada.type('/gig subscribe filter 300', 'data');
  await ada.type(`/gig subscribe invitations ${id}`, 'data');
  await pass(30 * SECOND);
  expect(ada.reads('data').some(({ text }) => /Couldn't check the filter's ID/u.test(text))).toBe(true);
  const list = (await ada.type('/gig list', 'data')).text;
  expect(list).toContain('filter 300');
  expect(list).toMatch(/invitations/iu);
  await market.publish({ title: 'A lake house' }, 300).cardIn('data');
  market.fail('/filters/*/results', presetFaults.status(500), 3);
  await ada.type('/gig subscribe filter 999', 'data');
  await pass(5 * MINUTE);
  expect(ada.reads('data').some(({ text }) => /999.*stopped arriving/su.test(text))).toBe(true);
});
