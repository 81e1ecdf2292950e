/** The details in a card's thread, and the cards that a person takes out of a summary. */
import { describe, expect, it } from 'vitest';
import {
  bundleCardsIntoSummary,
  deleteCardDetailsPost,
  enqueueCardDetails,
  hasCardDetailsPost,
  markCardDetailsChanged,
  postMoreCardsFromSummary,
} from '../../src/feed/card-details.ts';
import type { FeedContext } from '../../src/feed/feed.ts';
import { defaultChannelSettings } from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { cardDetailsPostId, cardPostId } from '../../src/outbox/outbox.ts';
import { PostId } from '../../src/outbox/posts.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';
import { bareProject } from './projects.ts';
import { changePost, channel, enqueueCard, putCard, putSeenProject } from './stored-records.ts';

const NOW = 10_000_000;
const C1 = channel('C1');
const C2 = channel('C2');
const C3 = channel('C3');
const key = ProjectKey.parse('~1');
const other = ProjectKey.parse('~2');
describe('the details below a card', () => {
  async function enqueueFor(change: Partial<ListedProject> | undefined, threadDetails = true) {
    const disk = createMemoryStore();
    await disk.transact(async (tx) => {
      if (change) await putSeenProject(tx, bareProject({ key, ...change }), NOW);
      const settings = defaultChannelSettings(C1);
      const card = { channel: C1, project: key, order: 7 };
      await enqueueCardDetails(tx, card, threadDetails ? { ...settings, threadDetails } : settings, NOW);
    });
    return storedPosts(disk, () => true);
  }

  it.each<readonly [string, Partial<ListedProject>]>([
    ['a description', { description: 'Long.' }],
    ['a skill', { skills: ['React'] }],
    ['a reason of its verdict', { verdict: { reason: 'Fits.', other: {} } }],
  ])('are posted for a project with nothing but %s', async (_, change) => {
    expect(await enqueueFor(change)).toMatchObject([
      {
        id: cardDetailsPostId(C1, key),
        channel: C1,
        content: { kind: 'card-details', project: key },
        under: cardPostId(C1, key),
        state: 'waiting',
        order: 8,
        enqueuedAt: NOW,
      },
    ]);
  });

  it.each<readonly [string, Partial<ListedProject> | undefined]>([
    ['has none', {}],
    ['has an empty description', { description: ' \n' }],
    ['has a verdict without a reason', { verdict: { decision: 'qualified', other: {} } }],
    ['is unknown', undefined],
  ])('are not posted for a project that %s', async (_, change) => {
    expect(await enqueueFor(change)).toEqual([]);
  });

  it('are not posted where cards show everything', async () => {
    expect(await enqueueFor({ description: 'Long.' }, false)).toEqual([]);
  });

  const addDetails = (disk: ReturnType<typeof createMemoryStore>, of: typeof C1, project = key) =>
    disk.transact((tx) => enqueueCard(tx, of, project, { order: 2, at: NOW }, 'card-details'));

  it('are there once they are to be posted, unless Slack refused them', async () => {
    const disk = createMemoryStore();
    const has = () => disk.read((tx) => hasCardDetailsPost(tx, C1, key));
    expect(await has()).toBe(false);
    await addDetails(disk, C2);
    await addDetails(disk, C1, other);
    expect(await has()).toBe(false);
    await addDetails(disk, C1);
    expect(await has()).toBe(true);
    await changePost(disk, cardDetailsPostId(C1, key), { state: 'failed' });
    expect(await has()).toBe(false);
    await changePost(disk, cardDetailsPostId(C1, key), { state: 'posted' });
    expect(await has()).toBe(true);
    await disk.transact((tx) => deleteCardDetailsPost(tx, C1, key));
    expect(await has()).toBe(false);
    expect(await disk.read((tx) => hasCardDetailsPost(tx, C2, key))).toBe(true);
  });

  it('are updated in each channel that posted the card, after its project changed', async () => {
    const disk = createMemoryStore();
    await disk.transact(async (tx) => {
      await putCard(tx, C1, key);
      await putCard(tx, C1, other);
      await putCard(tx, C2, key, { state: 'suppressed' });
      await putCard(tx, C3, key);
    });
    for (const of of [C1, C2, C3]) await addDetails(disk, of);
    await addDetails(disk, C1, other);
    await disk.transact((tx) => markCardDetailsChanged(tx, key));
    const revisions = (await storedPosts(disk, () => true)).map(({ id, revision }) => `${id} ${revision}`);
    expect(revisions.toSorted()).toEqual([
      'card-details:C1:~1 1',
      'card-details:C1:~2 0',
      'card-details:C2:~1 0',
      'card-details:C3:~1 1',
    ]);
  });
});

describe('cards taken out of a summary', () => {
  /** Twelve cards in a summary, of which the fourth has the best fit and the newest the worst. */
  async function summaryOfTwelve() {
    const store = createMemoryStore();
    const context = { store, clock: new ManualClock(NOW) } as unknown as FeedContext;
    const points = (each: number) => ({ 4: 90, 5: 80, 12: 10 })[each];
    await store.transact(async (tx) => {
      for (let each = 1; each <= 12; each++) {
        const project = ProjectKey.parse(`p${each}`);
        await enqueueCard(tx, C1, project, { order: each, at: NOW });
        const fit = points(each);
        await putCard(tx, C1, project, fit === undefined ? {} : { fit: { points: fit, reasons: [] } });
      }
    });
    const { summary = PostId.parse('none') } = await store.transact((tx) =>
      bundleCardsIntoSummary(tx, C1, NOW),
    );
    const released = async () =>
      (await storedPosts(store, ({ released: is }) => is === true)).map(({ id }) => id);
    const revision = async () =>
      (await storedPosts(store, ({ id }) => id === summary)).map((post) => post.revision);
    const show = (count: number, order?: 'best' | 'newest') =>
      postMoreCardsFromSummary(context, summary, count, order);
    return { show, released, revision };
  }

  it('are those with the best fit on request, and the newest of equal ones', async () => {
    const { show, released, revision } = await summaryOfTwelve();
    expect(await show(3, 'best')).toBe(3);
    expect(await released()).toEqual(['card:C1:p4', 'card:C1:p5', 'card:C1:p11']);
    expect(await revision()).toEqual([1]);
    expect(await show(100, 'best')).toBe(9);
    expect(await show(1, 'best')).toBe(0);
  });

  it('are the newest otherwise, whatever their fit', async () => {
    for (const order of ['newest', undefined] as const) {
      const { show, released, revision } = await summaryOfTwelve();
      expect(await show(2, order)).toBe(2);
      expect(await released()).toEqual(['card:C1:p11', 'card:C1:p12']);
      expect(await revision()).toEqual([1]);
    }
  });
});
