import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom, SECOND } from '../../../src/clock.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { markPostChanged } from '../../../src/outbox/outbox.ts';
import { Secret } from '../../../src/secret.ts';
import { createSlackClients } from '../../../src/slack/core/clients.ts';
import type { SlackClients } from '../../../src/slack/core/slack-calls.ts';
import { createDeliveryPort } from '../../../src/slack/delivery/web-port.ts';
import { fastClock } from '../../../src/workbench/clocks.ts';
import type { SimulatedSlack, SlackFaultEffect } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';
import { DeliveryWorld, team } from './delivery-world.ts';

/** 60 times real speed: the 15 s before the search for an unclear post take a quarter of a second. */
const clock = fastClock(60);
const general = ChannelId.parse('C1');

let slack: SimulatedSlack;
let world: DeliveryWorld;
let clients: SlackClients;

beforeEach(async () => {
  slack = await startSimulatedSlack({ clock, peopleClock: machineClock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
  clients = createSlackClients({
    botToken: new Secret(slack.botToken),
    apiUrl: slack.apiUrl,
    clock,
    log: silentLog,
  });
  world = new DeliveryWorld();
  world.start({ clock, port: createDeliveryPort(clients.withoutRetries) });
});
afterEach(async () => {
  await world.stop();
  await slack.close();
});

const texts = (channel = 'general') => slack.messages(channel).map((it) => it.text);

const faults: readonly [what: string, effect: SlackFaultEffect][] = [
  ['429', { kind: 'ratelimited', retryAfterS: 20 }],
  ['503 before it was posted', { kind: 'status', status: 503, when: 'before' }],
  ['503 after it was posted', { kind: 'status', status: 503, when: 'after' }],
  ['a connection that breaks before', { kind: 'drop', when: 'before' }],
  ['a connection that breaks after', { kind: 'drop', when: 'after' }],
  ['an answer that is no JSON, after', { kind: 'broken-json', when: 'after' }],
  ['an internal error, after', { kind: 'error', error: 'internal_error', when: 'after' }],
  ['blocks that are refused', { kind: 'error', error: 'invalid_blocks' }],
  ['a refused token', { kind: 'error', error: 'invalid_auth' }],
];

describe('over the real client, each post and each line in its thread stands once in spite of', () => {
  it.each(faults)('%s', async (_, effect) => {
    slack.injectFault('chat.postMessage', effect);
    const home = await world.enqueue(general, 'a', 1);
    await world.enqueue(general, 'b', 2);
    await slack.waitForCondition(() => new Set(texts()).size === 2);
    slack.injectFault('chat.postMessage', effect);
    for (const [order, name] of ['c', 'd'].entries())
      await world.enqueue(general, name, 3 + order, { under: home });
    const thread = () => slack.thread('general', slack.messages('general')[0]?.ts ?? '').map((it) => it.text);
    await slack.waitForCondition(() => new Set(thread()).size === 3);
    await clock.sleep(5 * SECOND);
    expect(texts()).toEqual(['a revision 0', 'b revision 0']);
    expect(thread()).toEqual(['a revision 0', 'c revision 0', 'd revision 0']);
  });
});

describe('over the real client', () => {
  it('news of a message that was deleted stand in the channel, in spite of an unclear answer', async () => {
    const home = await world.enqueue(general, 'home', 1);
    await slack.waitForCondition(() => texts().length === 1);
    await clients.withoutRetries.chat.delete({ channel: 'C1', ts: slack.messages('general')[0]?.ts ?? '' });
    slack.injectFault((method, args) => method === 'chat.postMessage' && !('thread_ts' in args), {
      kind: 'drop',
      when: 'after',
    });
    const news = await world.enqueue(general, 'news', 2, { under: home });
    await slack.waitForCondition(() => slack.apiCalls('conversations.history').length === 1);
    await clock.sleep(5 * SECOND);
    expect(texts()).toEqual(['news revision 0']);
    expect(await world.post(news)).toMatchObject({ state: 'posted' });
  });

  it('a direct message reaches the person, and an unclear one is found there', async () => {
    slack.injectFault('chat.postMessage', { kind: 'drop', when: 'after' });
    const id = await world.enqueue(UserId.parse('U1'), 'direct', 1);
    await slack.waitForCondition(() => slack.apiCalls('conversations.history').length === 1);
    await clock.sleep(5 * SECOND);
    expect(slack.directMessages('ann').map((it) => it.text)).toEqual(['direct revision 0']);
    expect(await world.post(id)).toMatchObject({ state: 'posted' });
  });

  it('a message is updated in place', async () => {
    const id = await world.enqueue(general, 'a', 1);
    await slack.waitForCondition(() => texts().length === 1);
    await world.store.transact((tx) => markPostChanged(tx, team, id));
    await slack.waitForCondition(() => texts()[0] === 'a revision 1');
    expect(slack.messages('general')).toHaveLength(1);
    expect(slack.messages('general')[0]?.metadata?.event_payload).toEqual({ post: 'a' });
  });

  it('an archived channel gets its posts when it is opened again', async () => {
    slack.archive('general');
    await world.enqueue(general, 'a', 1);
    await slack.waitForCondition(() => slack.apiCalls('chat.postMessage').length === 1);
    slack.unarchive('general');
    await slack.waitForCondition(() => texts().length === 1);
    expect(world.stopped).toEqual([{ channel: general, error: 'is_archived' }]);
  });
});
