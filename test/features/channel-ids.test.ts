/** Channels whose ID Slack changes: private ones become public, public ones private. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { SHOP } from '../kit/start-desk.ts';

/** What the channel follows, without the time of the last check. */
async function subscriptionsIn(person: Person): Promise<string> {
  return (await person.type('/gig list')).text.replace(/checked .*/u, '');
}

appTest('a converted channel goes on as it was', async ({ app, market, slack, ada, ben, pass }) => {
  const card = await market.publish(SHOP).cardIn('web');
  await ada.type('/gig digest at 09:00 UTC daily');
  await ada.type('/gig budget 300');
  const list = await subscriptionsIn(ada);
  const channel = slack.channel('web').id;
  for (const kind of ['private', 'public'] as const) {
    await slack.convertChannel('web', kind);
    await pass(MINUTE);
    await market.publish({ ...SHOP, title: `Another, ${kind}` }).cardIn('web');
    expect(slack.channel('web').id).not.toBe(channel);
    expect(await subscriptionsIn(ada)).toBe(list);
    // An old card works: it is edited, and its bid asks nobody for a role.
    const moved = ben.reads('web').find((it) => it.ts === card.ts) ?? expect.fail('no card');
    if (kind === 'private') await ben.press(moved, 'Claim');
    expect(moved.text).toContain('@ben');
    const form = await ben.press(moved, 'Bid');
    expect(form.fields()).toContain('Bidding setup');
    await ben.close();
    const home = await ben.home();
    expect(home.text).toContain('#web');
    expect(home.text).toContain('9:00 AM');
    await app.end();
    await app.start();
  }
  expect(slack.failedCalls()).toEqual([]);
});

appTest(
  'a channel that Slack refuses goes on once its new ID is known',
  async ({ market, slack, ada, pass }) => {
    const { from, to } = slack.changeChannelId('web', 'private');
    market.publish(SHOP);
    await pass(3 * MINUTE);
    expect(ada.inbox().at(-1)?.text).toMatch(/new ID/u);
    await slack.sendEvent('channel_id_changed', { old_channel_id: from, new_channel_id: to });
    await pass(3 * MINUTE);
    await market.publish({ ...SHOP, title: 'Another' }).cardIn('web');
    expect(ada.reads('web').filter((it) => it.offers('Details'))).toHaveLength(2);
  },
);
