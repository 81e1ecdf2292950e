/** The search for a post that may have arrived, with a short and slow history from Slack. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import { limited, refused, unclear } from '../fake-slack.ts';
import { DeliveryWorld } from './delivery-world.ts';

const general = ChannelId.parse('C1');
const random = ChannelId.parse('C2');
const boss = UserId.parse('UBOSS');

let world: DeliveryWorld;
beforeEach(() => {
  world = new DeliveryWorld();
});
afterEach(() => world.stop());

const start = () => world.start({ admins: new Set([boss]) });
const reads = () => world.slack.calls.filter((it) => it.method === 'history');

/** One page a minute for the whole workspace, as Slack limits some apps. */
function limitHistory(): void {
  const history = world.slack.history.bind(world.slack);
  let freeAt = 0;
  world.slack.history = async (...call) => {
    const now = world.clock.now();
    if (now < freeAt) {
      world.slack.calls.push({ method: 'history', channel: 'refused', at: now });
      throw limited(freeAt - now)();
    }
    freeAt = now + MINUTE;
    return history(...call);
  };
}

async function chat(channel: ChannelId, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await world.slack.post({ channel }, { text: 'chat' }, `someone-${channel}-${n}-${world.clock.now()}`);
}

const mine = (channel: ChannelId) => world.names(channel).filter((name) => !name.startsWith('someone'));

describe.each(['before', 'after'] as const)('an attempt that failed %s it arrived', (when) => {
  it('is found out page by page, where history is read once a minute', async () => {
    const id = await world.enqueue(general, 'a', 1);
    world.slack.fault('post', unclear, when);
    limitHistory();
    start();
    await world.pass(2 * SECOND);
    await chat(general, 9);
    await world.pass(8 * MINUTE);
    expect(mine(general)).toEqual(['a']);
    expect(await world.post(id)).toMatchObject({ state: 'posted' });
  });

  it('has a few seconds to arrive after a late start, too', async () => {
    await world.enqueue(general, 'a', 1);
    world.slack.fault('post', unclear, when);
    start();
    await world.pass(2 * SECOND);
    await world.stop();
    await world.pass(HOUR);
    start();
    await world.pass(4 * SECOND);
    expect(reads()).toEqual([]);
    await world.pass(5 * SECOND);
    expect(mine(general)).toEqual(['a']);
  });

  it('others in the channel wait for ten minutes at most while it can not be looked for', async () => {
    const id = await world.enqueue(general, 'a', 1);
    await world.enqueue(general, 'a-line', 2, { under: id });
    await world.enqueue(general, 'b', 3);
    world.slack.fault('post', unclear, when);
    for (let n = 0; n < 999; n++) world.slack.fault('history', refused('missing_scope'));
    start();
    await world.pass(9 * MINUTE);
    expect(mine(general)).not.toContain('b');
    await world.pass(3 * MINUTE);
    expect(mine(general)).toContain('b');
    // The posts in its thread wait: its message may not exist.
    expect(mine(general)).not.toContain('a-line');
    expect(await world.post(id)).toMatchObject({ state: 'sending' });
    world.slack.faults.length = 0;
    await world.pass(20 * MINUTE);
    expect(mine(general).filter((name) => name === 'a')).toEqual(['a']);
    expect(world.slack.inThread(general, 'a')).toEqual(['a-line']);
  });

  it('is given up after a day of Slack refusing to show history, and an admin is notified', async () => {
    const id = await world.enqueue(general, 'a', 1);
    world.slack.fault('post', unclear, when);
    for (let n = 0; n < 9_999; n++) world.slack.fault('history', refused('missing_scope'));
    start();
    await world.pass(DAY + HOUR);
    expect(await world.post(id)).toMatchObject({ state: 'failed', failure: 'unclear: missing_scope' });
    expect(mine(general).length).toBeLessThanOrEqual(1);
    expect(world.names('DUBOSS')).toHaveLength(1);
  });
});

it('two searches take turns, and both end', async () => {
  for (const channel of [general, random]) {
    await world.enqueue(channel, `${channel}-a`, 1);
    world.slack.fault('post', unclear, 'after');
  }
  limitHistory();
  start();
  await world.pass(2 * SECOND);
  for (const channel of [general, random]) await chat(channel, 6);
  await world.pass(15 * MINUTE);
  expect([mine(general), mine(random)]).toEqual([['C1-a'], ['C2-a']]);
  // A search that keeps its position needs a page for every two messages, and is rejected once for each.
  expect(reads().length).toBeLessThan(25);
});

it('a cursor that Slack has forgotten: the search begins again', async () => {
  const id = await world.enqueue(general, 'a', 1);
  world.slack.fault('post', unclear, 'after');
  start();
  await world.pass(2 * SECOND);
  await chat(general, 5);
  const history = world.slack.history.bind(world.slack);
  let begun = 0;
  world.slack.history = async (place, window, cursor) => {
    if (!cursor) begun++;
    if (cursor && begun < 2) throw refused('invalid_cursor')();
    return history(place, window, cursor);
  };
  await world.pass(2 * MINUTE);
  expect(await world.post(id)).toMatchObject({ state: 'posted' });
  expect(mine(general)).toEqual(['a']);
});
