/** The feed's decisions from stored records: whom a read serves, which posts wait, and who owns a card. */

import { describe, expect, it } from 'vitest';
import type { CreditsView } from '../../src/credits/create-credits.ts';
import {
  findAffordableBackfillSubscription,
  findOldestBackfillSubscription,
  recordBackfillProgress,
} from '../../src/feed/backfill.ts';
import { claimProject, releaseProjectClaim, skipCard, undoCardSkip } from '../../src/feed/card-teamwork.ts';
import { createPollInputsReader, readFilterLags } from '../../src/feed/poll-inputs.ts';
import { listActive, listFollowers } from '../../src/feed/poll-state.ts';
import {
  type Card,
  cards,
  type FeedState,
  type FilterState,
  feedStates,
  filterStates,
  type Subscription,
  subscriptions,
} from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';
import {
  ann,
  bob,
  channel,
  enqueueCard,
  filterId,
  putCard,
  putSettings,
  putSubscription,
  subscription,
} from './stored-records.ts';

const NOW = 10_000_000;
const c1 = channel('C1');
const c2 = channel('C2');

type Disk = ReturnType<typeof createMemoryStore>;

const filterState = (id: number, change: Partial<FilterState> = {}): FilterState => ({
  filter: filterId(id),
  marks: [],
  gaps: [],
  rate: { perSecond: 0.5, seconds: 900 },
  awaiting: [],
  ...change,
});
/** With a backfill of 9 past projects. */
function asking(of: string, change: Partial<NonNullable<Subscription['backfill']>> = {}): Subscription {
  const begun = { askedAt: 1_000, by: ann, asked: 9, left: 5, posted: 0, credits: 0, audit: [1_000, 1] };
  return subscription(of, 1, { backfill: { ...begun, ...change } });
}

const putFilter = (disk: Disk, state: FilterState) => disk.transact((tx) => tx.put(filterStates, state));
const putFeed = (disk: Disk, change: Partial<FeedState>) => {
  const state: FeedState = { timestampUnit: 1, ...change };
  return disk.transact((tx) => tx.put(feedStates, state));
};
const facts = (disk: Disk) =>
  createPollInputsReader({ store: disk, clock: new ManualClock(NOW) }, () => 24)();
const trouble = { code: 'server', since: 5, failures: 1, retryAt: NOW + 77 };

describe('who is read for', () => {
  it('lists each followed filter once, unless all its channels have stopped or paused', async () => {
    const disk = createMemoryStore();
    for (const [of, id] of [
      ['C1', 1],
      ['C2', 1],
      ['C2', 2],
      ['C3', 3],
    ] as const)
      await putSubscription(disk, subscription(of, id));
    await putSubscription(disk, subscription('C1', 4, { stopped: { at: 1, error: 'archived' } }));
    await putSettings(disk, 'C2', { paused: { by: ann, at: 1, until: NOW + 9 } });
    await putSettings(disk, 'C3', { paused: { by: ann, at: 1, until: NOW } });
    const active = listActive(await disk.read((tx) => listFollowers(tx)), NOW);
    expect(active.map((each) => [each.filter, each.channel])).toEqual([
      [1, 'C1'],
      [3, 'C3'],
    ]);
    const { candidates, channels, pauseEndsAt } = await facts(disk);
    expect(candidates.map(({ filter }) => filter)).toEqual([1, 3]);
    expect(channels).toEqual(['C1', 'C2', 'C3']);
    expect(pauseEndsAt).toBe(NOW + 9);
  });

  it('is nobody where nobody follows anything', async () => {
    expect(await facts(createMemoryStore())).toEqual({
      candidates: [],
      channels: [],
      feed: { timestampUnit: 1 },
    });
  });

  it('looks again when the first of several pauses ends', async () => {
    const disk = createMemoryStore();
    for (const [of, until] of [
      ['C1', NOW + 30],
      ['C2', NOW + 20],
      ['C3', NOW],
      ['C4', undefined],
    ] as const) {
      await putSubscription(disk, subscription(of, 1));
      await putSettings(disk, of, { paused: { by: ann, at: 1, ...(until === undefined ? {} : { until }) } });
    }
    expect(await facts(disk)).toMatchObject({ pauseEndsAt: NOW + 20 });
  });

  it('knows of a filter what its state tells, and no more', async () => {
    const disk = createMemoryStore();
    await putSubscription(disk, subscription('C1', 1));
    await putSubscription(disk, subscription('C1', 2));
    const awaiting = [{ project: ProjectKey.parse('~1'), foundAt: 1, step: 0, dueAt: 66 }];
    const known = {
      lastTopAt: 5,
      gaps: [
        { cursor: 1, foundAt: 3 },
        { cursor: 2, foundAt: 4 },
      ],
      awaiting,
      trouble,
    };
    await putFilter(disk, filterState(1, known));
    await putFilter(disk, filterState(2));
    await putFeed(disk, { trouble });
    expect(await facts(disk)).toMatchObject({ feed: { trouble } });
    expect((await facts(disk)).candidates).toEqual([
      { filter: 1, rate: 0.5, lastTopAt: 5, olderSince: 4, verdictsDueAt: 66, notBefore: NOW + 77 },
      { filter: 2, rate: 0.5 },
    ]);
  });

  it('reads on where a gap waits, before a backfill', async () => {
    const disk = createMemoryStore();
    await putSubscription(disk, asking('C1', { askedAt: 50 }));
    expect((await facts(disk)).candidates).toMatchObject([{ olderSince: 50 }]);
    await putFilter(disk, filterState(1, { gaps: [{ cursor: 1, foundAt: 70 }] }));
    expect((await facts(disk)).candidates).toEqual([{ filter: 1, rate: 0.5, olderSince: 70 }]);
  });

  it('reads a backfill for its own channel, as a new read until a page gave a cursor', async () => {
    const disk = createMemoryStore();
    await putFilter(disk, filterState(1, { lastPollAt: 7 }));
    const backfill = { filter: 1, rate: 0.5, lastReadAt: 7, olderIsBackfill: true };
    await putSubscription(disk, asking('C1', { askedAt: 50 }));
    expect((await facts(disk)).candidates).toEqual([{ ...backfill, olderSince: 50, olderBegins: true }]);
    await putSubscription(disk, asking('C1', { askedAt: 50, cursor: 9 }));
    expect((await facts(disk)).candidates).toEqual([{ ...backfill, olderSince: 50 }]);
  });

  it('reads again whatever has changed', async () => {
    const disk = createMemoryStore();
    const read = createPollInputsReader({ store: disk, clock: new ManualClock(NOW) }, () => 24);
    expect((await read()).candidates).toEqual([]);
    await putSubscription(disk, subscription('C1', 1));
    expect((await read()).candidates).toMatchObject([{ filter: 1 }]);
    await putFilter(disk, filterState(1));
    expect((await read()).candidates).toMatchObject([{ rate: 0.5 }]);
    await putFeed(disk, { trouble });
    expect((await read()).feed).toMatchObject({ trouble });
    await putSettings(disk, 'C1', { paused: { by: ann, at: 1 } });
    expect((await read()).candidates).toEqual([]);
  });
});

describe('how far behind a filter is', () => {
  it('counts from its last good reading, or from the first of its present followers', async () => {
    const disk = createMemoryStore();
    await putSubscription(disk, subscription('C1', 1, { createdAt: 5_000 }));
    await putSubscription(disk, subscription('C2', 1, { createdAt: 3_000 }));
    await putSubscription(disk, subscription('C1', 2));
    await putSubscription(disk, subscription('C1', 3, { createdAt: NOW + 5 }));
    await putFilter(disk, filterState(2, { lastGoodAt: NOW - 40, trouble }));
    const lags = () => disk.read((tx) => readFilterLags(tx, NOW));
    expect(await lags()).toEqual([
      { filter: 1, lagMs: NOW - 3_000, isFailing: false },
      { filter: 2, lagMs: 40, isFailing: true },
      { filter: 3, lagMs: 0, isFailing: false },
    ]);
    await putFeed(disk, { trouble });
    expect((await lags()).every(({ isFailing }) => isFailing)).toBe(true);
  });
});

describe('a backfill', () => {
  it('comes in the order in which they were asked for', () => {
    const late = asking('C2', { askedAt: 9 });
    const early = asking('C3', { askedAt: 8 });
    expect(findOldestBackfillSubscription([subscription('C4', 1), late, early])).toBe(early);
    expect(findOldestBackfillSubscription([subscription('C4', 1)])).toBeUndefined();
  });

  it('is paid for by the first channel that can afford a page, or waits for the first of all', () => {
    const [first, second, third] = [1, 2, 3].map((askedAt) => asking(`C${askedAt}`, { askedAt })) as [
      Subscription,
      Subscription,
      Subscription,
    ];
    const none = subscription('C4', 1);
    const choose = (
      available: Readonly<Record<string, number>>,
      followers = [third, none, second, first],
    ) => {
      const readBudgetState = (of: string) => ({ available: available[of] ?? 0 });
      const credits = { readBudgetState } as unknown as CreditsView;
      return findAffordableBackfillSubscription(credits, followers, 10);
    };
    expect(choose({ C1: 10, C2: 99 })).toBe(first);
    expect(choose({ C1: 9, C2: 10, C3: 99 })).toBe(second);
    expect(choose({ C3: 11 })).toBe(third);
    expect(choose({ C4: 99 })).toBe(first);
    expect(choose({ C4: 99 }, [none])).toBeUndefined();
  });

  async function fold(
    before: Subscription | undefined,
    folded: { readonly done: boolean; readonly cursor?: number },
    counted: { readonly left: number; readonly posted: number },
  ) {
    const disk = createMemoryStore();
    if (before) await putSubscription(disk, before);
    const state = filterState(1, { name: 'Web' });
    const request = { kind: 'backfill', channel: c1 } as const;
    await disk.transact((tx) =>
      recordBackfillProgress(
        tx,
        { readUnsettledCost: () => 0 },
        state,
        request,
        { marks: [], gaps: [], ...folded },
        { ...counted, credits: 0 },
        NOW,
      ),
    );
    const after = await disk.read((tx) => tx.get(subscriptions, [c1, filterId(1)]));
    const stored = await storedPosts(disk, () => true);
    const notices = stored.flatMap(({ content }) => (content.kind === 'notice' ? [content.notice] : []));
    return { after, notices, ids: stored.map(({ id }) => id) };
  }

  it('goes on from where the page ended, with what is left', async () => {
    const { after, notices } = await fold(asking('C1'), { done: false, cursor: 77 }, { left: 3, posted: 2 });
    expect(after).toMatchObject({ backfill: { left: 3, askedAt: 1_000, posted: 2, cursor: 77 } });
    expect(notices).toEqual([]);
    const begun = asking('C1', { askedAt: 500, posted: 4 });
    expect((await fold(begun, { done: false, cursor: 7 }, { left: 1, posted: 2 })).after).toMatchObject({
      backfill: { askedAt: 500, posted: 6, cursor: 7 },
    });
  });

  it.each([
    ['enough was found', { done: false, cursor: 77 }, { left: 0, posted: 5 }],
    ['there is no more', { done: true, cursor: 77 }, { left: 3, posted: 5 }],
    ['nobody knows where it goes on', { done: false }, { left: 3, posted: 5 }],
  ])('ends where %s, and the channel is told', async (_, folded, counted) => {
    const { after, notices, ids } = await fold(asking('C1'), folded, counted);
    expect(after).toEqual(subscription('C1', 1));
    expect(ids).toEqual(['notice:C1:backfill-done:1:1000']);
    expect(notices).toEqual([
      { about: 'backfill-done', filter: { id: 1, name: 'Web' }, asked: 9, posted: 5 },
    ]);
  });

  it('that was taken back meanwhile is left so', async () => {
    expect((await fold(subscription('C1', 1), { done: true }, { left: 0, posted: 5 })).notices).toEqual([]);
    expect((await fold(undefined, { done: true }, { left: 0, posted: 5 })).after).toBeUndefined();
  });
});

describe('a card belongs', () => {
  const key = ProjectKey.parse('~1');
  async function deskWith(change: Partial<Card> = {}) {
    const store = createMemoryStore();
    await store.transact(async (tx) => {
      await putCard(tx, c1, key, change);
      await enqueueCard(tx, c1, key, { order: 1, at: 1 });
    });
    const context = { store, clock: new ManualClock(NOW) };
    const card = () => store.read((tx) => tx.get(cards, [c1, key]));
    const revision = async () => (await storedPosts(store, () => true))[0]?.revision;
    return { context, card, revision };
  }

  it('to whoever claims it first, which takes a skip back', async () => {
    const { context, card, revision } = await deskWith();
    expect(await skipCard(context, c1, key, bob, 'client')).toEqual({ kind: 'done' });
    expect((await card())?.skip).toEqual({ by: bob, at: NOW, reason: 'client' });
    expect(await claimProject(context, c1, key, { by: ann })).toEqual({ kind: 'claimed' });
    expect(await card()).toMatchObject({ claim: { by: ann, at: NOW } });
    expect(await card()).not.toHaveProperty('skip');
    expect(await revision()).toBe(2);
    expect(await claimProject(context, c1, key, { by: ann })).toEqual({ kind: 'claimed' });
    expect(await claimProject(context, c1, key, { by: bob })).toEqual({ kind: 'held', by: ann, at: NOW });
    expect(await revision()).toBe(2);
  });

  it('to nobody once its holder, or a leader, gives it free', async () => {
    const { context, card } = await deskWith({ claim: { by: ann, at: 7 } });
    expect(await releaseProjectClaim(context, c1, key, bob, false)).toEqual({ kind: 'held', by: ann, at: 7 });
    expect(await releaseProjectClaim(context, c1, key, bob, true)).toEqual({ kind: 'released' });
    expect(await card()).not.toHaveProperty('claim');
    expect(await releaseProjectClaim(context, c1, key, bob, true)).toEqual({ kind: 'free' });
    await claimProject(context, c1, key, { by: bob });
    expect(await releaseProjectClaim(context, c1, key, bob, false)).toEqual({ kind: 'released' });
  });

  it('to nobody where it is not told, or not there', async () => {
    const { context } = await deskWith({ state: 'deferred' });
    expect(await claimProject(context, c1, key, { by: ann })).toEqual({ kind: 'no-card' });
    expect(await releaseProjectClaim(context, c1, key, ann, true)).toEqual({ kind: 'no-card' });
    expect(await skipCard(context, c1, key, ann, 'client')).toEqual({ kind: 'no-card' });
    expect(await claimProject(context, c2, key, { by: ann })).toEqual({ kind: 'no-card' });
  });

  it('to whom it did when a skip is taken back, and changes only where there was one', async () => {
    const { context, card, revision } = await deskWith({ claim: { by: ann, at: 7 } });
    expect(await undoCardSkip(context, c1, key)).toBe(true);
    expect(await revision()).toBe(0);
    expect(await skipCard(context, c1, key, bob, 'other')).toEqual({ kind: 'held', by: ann, at: 7 });
    await skipCard(context, c1, key, ann, 'other');
    expect(await undoCardSkip(context, c1, key)).toBe(true);
    expect(await card()).toMatchObject({ claim: { by: ann } });
    expect(await card()).not.toHaveProperty('skip');
    expect(await revision()).toBe(2);
  });
});
