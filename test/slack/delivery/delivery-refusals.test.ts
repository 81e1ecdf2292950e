/** Posts that Slack rejects with an unknown code: they must not block a channel, nor get lost silently. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import { createLog } from '../../../src/log.ts';
import { markPostChanged } from '../../../src/outbox/outbox.ts';
import type { DeliveryAttemptOutcome } from '../../../src/slack/delivery/context.ts';
import { refused } from '../fake-slack.ts';
import { DeliveryWorld, team } from './delivery-world.ts';

const general = ChannelId.parse('C1');
const random = ChannelId.parse('C2');
const boss = UserId.parse('UBOSS');
const CODE = 'blocked_by_dlp_policy';

let world: DeliveryWorld;
let lines: string[];
let outcomes: DeliveryAttemptOutcome[];
beforeEach(() => {
  world = new DeliveryWorld();
  lines = [];
  outcomes = [];
});
afterEach(() => world.stop());

function start(): void {
  world.start({
    admins: new Set([boss]),
    log: createLog('warn', { write: (line) => lines.push(line) }),
    onOutcome: (outcome) => outcomes.push(outcome),
  });
}

/** The admin's direct messages. */
const heard = () => world.names('DUBOSS');
const errorLines = () => lines.filter((line) => line.includes('"level":50'));

describe('a post that is refused with an unknown code', () => {
  it('is sent as text alone when its blocks are why', async () => {
    const id = await world.enqueue(general, 'card', 1);
    await world.enqueue(general, 'next', 2);
    world.shows.set(id, { text: 'the text', blocks: [{ type: 'divider' }] });
    world.slack.refuseMessage = (_, message) => (message.blocks ? CODE : undefined);
    start();
    await world.pass(MINUTE);
    expect(world.texts(general)).toEqual(['the text', 'next revision 0']);
    expect(await world.post(id)).toMatchObject({ state: 'posted' });
    expect(heard()).toEqual([]);
  });

  it('is passed by others, given up in the end, and an admin hears it', async () => {
    const id = await world.enqueue(general, 'card', 1);
    for (let n = 0; n < 5; n++) await world.enqueue(general, `later-${n}`, 2 + n);
    world.slack.refuseMessage = (post) => (post === id ? CODE : undefined);
    start();
    await world.pass(MINUTE);
    expect(world.names(general)).toEqual(['later-0', 'later-1', 'later-2', 'later-3', 'later-4']);
    await world.pass(10 * MINUTE);
    expect(await world.post(id)).toMatchObject({ state: 'failed', failure: CODE });
    expect(heard()).toHaveLength(1);
    expect(errorLines().some((line) => line.includes('"why":') && line.includes(CODE))).toBe(true);
    expect(outcomes).toContain('failed');
    const tries = world.slack.calls.filter((it) => it.method === 'post' && it.channel === general).length;
    await world.pass(3 * HOUR);
    expect(world.slack.calls.filter((it) => it.method === 'post' && it.channel === general)).toHaveLength(
      tries,
    );
  });

  it('keeps what stands under it waiting, which is then a message of its own', async () => {
    const id = await world.enqueue(general, 'card', 1);
    await world.enqueue(general, 'line', 2, { under: id });
    await world.enqueue(general, 'next', 3);
    world.slack.refuseMessage = (post) => (post === id ? CODE : undefined);
    start();
    await world.pass(MINUTE);
    expect(world.names(general)).toEqual(['next']);
    await world.pass(10 * MINUTE);
    expect(world.names(general)).toEqual(['next', 'line']);
  });

  it("is never given up while nothing else gets through there: the code may be the channel's", async () => {
    for (let n = 0; n < 4; n++) await world.enqueue(general, `${n}`, n);
    await world.enqueue(random, 'r', 1);
    world.slack.closed.set(general, CODE);
    start();
    await world.pass(8 * HOUR);
    expect(world.names(random)).toEqual(['r']);
    expect(outcomes).not.toContain('failed');
    expect(heard()).toHaveLength(1);
    const health = await world.store.read(async (tx) => world.delivery?.readHealth(tx));
    expect(health?.refused).toMatchObject([{ channel: general, error: CODE }]);
    expect(world.slack.calls.filter((it) => it.channel === general).length).toBeLessThan(80);
    world.slack.closed.clear();
    await world.pass(2 * HOUR);
    expect(world.names(general).toSorted()).toEqual(['0', '1', '2', '3']);
  });
});

it('an update that is refused with an unknown code holds up no other message of its channel', async () => {
  const bad = await world.enqueue(general, 'a', 1);
  const good = await world.enqueue(general, 'b', 2);
  start();
  await world.pass(5 * SECOND);
  const update = world.slack.update.bind(world.slack);
  world.slack.update = async (...call) => {
    if (call[1] === (await world.post(bad))?.ts) throw refused(CODE)();
    return update(...call);
  };
  await world.store.transact((tx) => markPostChanged(tx, team, bad));
  await world.pass(10 * SECOND);
  await world.store.transact((tx) => markPostChanged(tx, team, good));
  await world.pass(10 * SECOND);
  expect(world.texts(general)).toEqual(['a revision 0', 'b revision 1']);
  await world.pass(3 * HOUR);
  expect(await world.post(bad)).toMatchObject({ revision: 1, shown: 1 });
});
