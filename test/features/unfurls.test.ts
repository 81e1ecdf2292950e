/** What links of projects cost that people post: nothing where nobody chose to spend. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { PublishedProject } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
});
afterEach(async () => {
  expect(world.slack.errors()).toEqual([]);
  await world.stop();
});

/** Posts a project's link, and returns how many credits were charged so far. */
async function share({ url }: PublishedProject): Promise<number> {
  const message = world.slack.say({ user: 'ben', channel: 'data', text: url });
  await world.slack.event(
    'link_shared',
    {
      channel: world.slack.channel('data').id,
      user: world.slack.user('ben').id,
      message_ts: message.ts,
      links: [{ url, domain: new URL(url).hostname }],
    },
    { eventId: `Ev${message.ts}` },
  );
  await world.pass(MINUTE);
  return world.marketplace.consumed().total;
}

describe('a shared link', () => {
  it('costs nothing in a channel that has only looked a project up by hand', async () => {
    expect(await share(world.marketplace.publish(101))).toBe(0);
    const { ciphertext } = world.marketplace.publish(101);
    await world.gig('data', `lookup ${ciphertext}`, 'ben');
    await world.pass(10 * SECOND);
    expect(await share(world.marketplace.publish(101))).toBe(1);
    expect(world.slack.unfurls()).toEqual([]);
  });

  it('is looked up for a credit once an admin has given the channel a budget', async () => {
    await world.gig('data', 'budget 500');
    expect(await share(world.marketplace.publish(101))).toBe(1);
    expect(world.slack.unfurls()).toHaveLength(1);
  });
});
