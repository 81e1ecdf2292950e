/** A channel's subscriptions and pauses, from stored records. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import {
  findPauseEnd,
  findSubscription,
  hasRunningSubscription,
  hasSubscription,
  isChannelPaused,
  isSubscriptionActive,
  listSubscribedChannels,
  listSubscribers,
} from '../../src/feed/channels.ts';
import { defaultChannelSettings, type Subscription } from '../../src/feed/records.ts';
import { createMemoryStore } from '../memory-store.ts';
import { ann, bob, channel, filterId, putSubscription, subscription } from './stored-records.ts';

const NOW = 10_000_000;
const C1 = channel('C1');
const C2 = channel('C2');
const C3 = channel('C3');
const stopped = { at: 1, error: 'is_archived' };

async function diskWith(...stored: readonly (readonly [typeof C1, number, Partial<Subscription>?])[]) {
  const disk = createMemoryStore();
  for (const [of, id, change] of stored) await putSubscription(disk, subscription(of, id, change));
  return disk;
}

describe('the subscriptions', () => {
  it('list each channel once', async () => {
    const disk = await diskWith([C1, 1], [C1, 2], [C2, 1, { stopped }]);
    expect(await disk.read((tx) => listSubscribedChannels(tx))).toEqual(['C1', 'C2']);
    expect(await createMemoryStore().read((tx) => listSubscribedChannels(tx))).toEqual([]);
  });

  it('of a channel are its own: one by its filter, any, and any that is not stopped', async () => {
    const disk = await diskWith([C1, 1, { stopped }], [C1, 2], [C2, 3, { stopped }]);
    const ask = (of: typeof C1) =>
      disk.read(async (tx) => [await hasSubscription(tx, of), await hasRunningSubscription(tx, of)]);
    expect(await ask(C1)).toEqual([true, true]);
    expect(await ask(C2)).toEqual([true, false]);
    expect(await ask(C3)).toEqual([false, false]);
    const find = (of: typeof C1, id: number) => disk.read((tx) => findSubscription(tx, of, filterId(id)));
    expect(await find(C1, 2)).toMatchObject({ channel: 'C1', filter: 2 });
    expect(await find(C1, 3)).toBeUndefined();
  });

  it('of a channel name everyone who made one', async () => {
    const disk = await diskWith([C1, 1], [C1, 2, { by: bob }], [C2, 3, { by: bob }]);
    const subscribers = (of: typeof C1) => disk.read((tx) => listSubscribers(tx, of));
    expect(await subscribers(C1)).toEqual([ann, bob]);
    expect(await subscribers(C2)).toEqual([bob]);
    expect(await subscribers(C3)).toEqual([]);
  });
});

describe('a pause', () => {
  const pausedBy = (at: number, until?: number) => ({
    ...defaultChannelSettings(C1),
    paused: { by: ann, at, ...(until === undefined ? {} : { until }) },
  });
  const isActive = (settings: ReturnType<typeof pausedBy>) => isSubscriptionActive({}, settings, NOW);

  it('lasts until its end, or until someone resumes the feed', () => {
    expect(findPauseEnd(pausedBy(1, NOW + 1), NOW)).toBe(NOW + 1);
    expect(isChannelPaused(pausedBy(1, NOW + 1), NOW)).toBe(true);
    expect(findPauseEnd(pausedBy(1, NOW), NOW)).toBeUndefined();
    expect(isChannelPaused(pausedBy(1, NOW), NOW)).toBe(false);
    expect(findPauseEnd(pausedBy(1), NOW)).toBeUndefined();
    expect(isChannelPaused(pausedBy(1), NOW)).toBe(true);
    const settings = defaultChannelSettings(C1);
    expect(findPauseEnd(settings, NOW)).toBeUndefined();
    expect(isChannelPaused(settings, NOW)).toBe(false);
  });

  it('set more than an hour ahead by a wrong clock does not count, unless it has no end', () => {
    const at = (later: number) => pausedBy(NOW + later, NOW + 5 * HOUR);
    expect(findPauseEnd(at(HOUR), NOW)).toBe(NOW + 5 * HOUR);
    expect(isActive(at(HOUR))).toBe(false);
    expect(findPauseEnd(at(HOUR + 1), NOW)).toBeUndefined();
    expect(isActive(at(HOUR + 1))).toBe(true);
    expect(isActive(pausedBy(NOW + 2 * HOUR))).toBe(false);
  });

  it('is one reason why a subscription is inactive, a refusal by Slack the other', () => {
    const awake = defaultChannelSettings(C1);
    expect(isSubscriptionActive({}, awake, NOW)).toBe(true);
    expect(isSubscriptionActive({ stopped }, awake, NOW)).toBe(false);
    expect(isSubscriptionActive({ stopped }, pausedBy(1), NOW)).toBe(false);
  });
});
