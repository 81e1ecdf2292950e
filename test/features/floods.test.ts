/** A backlog arrives as one summary per channel, of projects and of invitations, even while it grows. */
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

const appTest = appTestWith({
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});

const reads = ({ person }: Desk) => person('ada').reads('web');
const cards = (desk: Desk) => reads(desk).filter((it) => it.offers('Details'));

function summaries(desk: Desk): readonly Message[] {
  return reads(desk).filter((it) => it.offers('Show'));
}

function onlySummary(desk: Desk): Message {
  const [first, ...more] = summaries(desk);
  expect(more).toEqual([]);
  return first ?? expect.fail('no summary');
}

function publish({ market }: Desk, count: number): void {
  for (let each = 0; each < count; each++) market.publish(SHOP);
}

async function followAll({ person }: Desk): Promise<void> {
  const ada = person('ada');
  await ada.type('/gig budget off');
  await (await (await ada.type('/gig settings')).press('Updates')).send({ Updates: 'Everything' });
  await ada.close();
}

appTest('what Slack took for half an hour not is one summary, which grows', async ({ desk, slack, pass }) => {
  await followAll(desk);
  const down = slack.injectFault('chat.postMessage', { kind: 'error', error: 'internal_error' }, Infinity);
  for (let round = 0; round < 4; round++) {
    publish(desk, 40);
    await pass(5 * MINUTE);
  }
  down.cancel();
  await pass(15 * MINUTE);
  expect(onlySummary(desk).text).toMatch(/\b160\b/u);
  expect(cards(desk).length).toBeLessThanOrEqual(10);
});

appTest('what is read page by page after an outage is one summary', async ({ app, desk, ada, pass }) => {
  await followAll(desk);
  await app.kill();
  for (let each = 0; each < 250; each++) {
    app.clock.moveBy(HOUR / 250);
    publish(desk, 1);
  }
  await app.start();
  await pass(5 * MINUTE);
  expect(onlySummary(desk).text).toMatch(/\b250\b/u);
  expect(cards(desk)).toEqual([]);
  await ada.press(onlySummary(desk), 'Show Newest 10');
  await pass(MINUTE);
  expect(cards(desk)).toHaveLength(10);
  expect(onlySummary(desk).text).toContain('240 left');
});

appTest(
  'a summary grows for a while, then another begins; single ones are cards',
  async ({ desk, slack, pass }) => {
    publish(desk, 15);
    await pass(MINUTE);
    publish(desk, 1);
    await pass(MINUTE);
    expect(cards(desk)).toHaveLength(1);
    expect(onlySummary(desk).text).toMatch(/\b15\b/u);
    slack.injectFault('chat.update', { kind: 'error', error: 'message_not_found' });
    publish(desk, 15);
    await pass(MINUTE);
    expect(summaries(desk).at(-1)?.text).toMatch(/\b30\b/u);
    await pass(20 * MINUTE);
    publish(desk, 12);
    await pass(MINUTE);
    expect(summaries(desk).at(-1)?.text).toMatch(/\b12\b/u);
    expect(cards(desk)).toHaveLength(1);
  },
);

appTest(
  'invitations after an outage are one summary, from which each comes with its letter',
  async ({ app, desk, market, ada, pass }) => {
    await followAll(desk);
    market.service.addProfile({ id: 31, label: 'Ada Webb' });
    await ada.type('/gig subscribe invitations 31');
    await pass(3 * MINUTE);
    await app.kill();
    const invitationLetter = `Dear Ada, please help us. ${'We sell chairs. '.repeat(60)}THE END`;
    const made = Array.from({ length: 26 }, (_, each) => {
      app.clock.moveBy(MINUTE);
      return market.service.addInvitation({ profileId: 31, title: `Job no. ${each}.`, invitationLetter });
    });
    await app.start();
    await pass(5 * MINUTE);
    const summary = onlySummary(desk);
    expect(summary.text).toMatch(/\b26\b[\s\S]*Job no. 25\./u);
    expect(summary.text).not.toContain('Job no. 5.');
    const posts = reads(desk).length;
    const change = { statusLabel: 'Declined by client', updatedAt: app.clock.now() };
    market.service.updateInvitation(made[25]?.id ?? 0, change);
    await pass(15 * MINUTE);
    expect(summary.text).toContain('Declined by client');
    expect(reads(desk)).toHaveLength(posts);
    for (const label of ['Show Next 10', 'Show Next 10', 'Show All 6']) {
      await ada.press(summary, label);
      await pass(MINUTE);
    }
    const own = reads(desk).slice(posts);
    expect(own).toHaveLength(26);
    expect(own[9]?.text).toContain('Job no. 25.');
    expect(own[9]?.replies().map(({ text }) => text)).toEqual([expect.stringContaining('THE END')]);
    await pass(10 * SECOND);
  },
);
