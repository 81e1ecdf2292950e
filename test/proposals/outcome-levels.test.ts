/** What a channel gets of outcomes at the levels quiet and normal. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { MessageTs, type ProposalId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { repostCardSummary } from '../../src/outbox/card-summary.ts';
import { type Post, postKey, posts } from '../../src/outbox/posts.ts';
import { team } from '../bidding/follow-world.ts';
import { HOME, OutcomesWorld, sent } from './outcomes-world.ts';

async function worldAt(level: 'quiet' | 'normal' | 'everything'): Promise<OutcomesWorld> {
  const world = new OutcomesWorld();
  await world.follow('C1', { level });
  return world;
}

function changesTo(ids: readonly number[], change: Partial<Proposal>) {
  return ids.map((id) => ({ before: sent(id), now: { ...sent(id), ...change } }));
}

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

async function entriesOf(world: OutcomesWorld, place = 0): Promise<ProposalId[]> {
  return (await world.lists('C1'))[place]?.entries.map(({ news }) => news.proposal) ?? [];
}

async function markPosted(world: OutcomesWorld, { id }: Post): Promise<void> {
  await world.disk.transact(async (tx) => {
    const post = await tx.get(posts, postKey(team, id));
    const ts = MessageTs.parse(`${world.clock.now() / 1_000}.000100`);
    if (post) await tx.put(posts, postKey(team, id), { ...post, state: 'posted', ts });
  });
}

describe('views and small changes at normal', () => {
  it('are one summary an hour, which grows after it was posted', async () => {
    const world = await worldAt('normal');
    await world.tell(...changesTo([1, 2], { viewed: true }));
    const [summary] = await world.posts('C1');
    if (!summary) return expect.fail('no summary');
    await markPosted(world, summary);
    world.clock.moveBy(50 * MINUTE);
    await world.tell(...changesTo([3], { withdrawn: true }));
    expect(await world.posts('C1')).toHaveLength(1);
    expect(await entriesOf(world)).toEqual([1, 2, 3]);
    expect((await world.posts('C1'))[0]?.revision).toBeGreaterThan(summary.revision);
    world.clock.moveBy(10 * MINUTE);
    await world.tell(...changesTo([4], { boostOutbid: true }));
    expect(await world.posts('C1')).toHaveLength(2);
    const sizes = (await world.lists('C1')).map(({ entries }) => entries.length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 3]);
  });

  it('come again in a new message, with all of them, when the summary was deleted', async () => {
    const world = await worldAt('normal');
    await world.tell(...changesTo([1, 2], { viewed: true }));
    const [summary] = await world.posts('C1');
    if (!summary) return expect.fail('no summary');
    await markPosted(world, summary);
    await world.tell(...changesTo([3], { viewed: true }));
    expect(await world.disk.transact((tx) => repostCardSummary(tx, summary))).toBe(true);
    expect((await world.posts('C1')).map(({ state }) => state)).toEqual(['waiting']);
    expect(await entriesOf(world)).toEqual([1, 2, 3]);
  });

  it('are added once, although they are announced again', async () => {
    const world = await worldAt('normal');
    const changes = changesTo(upTo(5), { viewed: true });
    await world.tell(...changes);
    await world.tell(...changes);
    expect(await entriesOf(world)).toEqual(upTo(5));
  });

  it('are listed up to a hundred, and counted beyond', async () => {
    const world = await worldAt('normal');
    await world.tell(...changesTo(upTo(60), { viewed: true }));
    await world.tell(...changesTo(upTo(130).slice(60), { viewed: true }));
    const [list] = await world.lists('C1');
    expect(list?.entries).toHaveLength(100);
    expect(list?.entries.at(-1)?.news.proposal).toBe(130);
    expect(list?.rest).toEqual({ proposals: 30, counts: [{ outcome: 'viewed', count: 30 }] });
  });
});

describe('interviews at normal', () => {
  it('beyond three a minute are one list at once, and hires stay messages', async () => {
    const world = await worldAt('normal');
    await world.tell(
      ...changesTo(upTo(12), { interviewed: true }),
      ...changesTo([21, 22, 23, 24], { hired: true }),
    );
    const told = await world.told('C1');
    expect(told.filter((each) => each.endsWith('hired'))).toHaveLength(4);
    expect(told.filter((each) => each.endsWith('interviewed'))).toHaveLength(3);
    expect(await world.lists('C1')).toHaveLength(1);
    expect(await entriesOf(world)).toHaveLength(9);
    world.clock.moveBy(2 * MINUTE);
    await world.tell(...changesTo([31], { interviewed: true }));
    expect(await world.told('C1')).toContain('31: interviewed');
  });

  it('with a view are one message that has both', async () => {
    const world = await worldAt('normal');
    await world.turn(sent(17), { viewed: true, interviewed: true });
    expect(await world.told('C1')).toEqual(['17: viewed, interviewed']);
    expect(await world.lists('C1')).toEqual([]);
  });
});

describe('a quiet channel', () => {
  it('gets hires and interviews, and nothing smaller', async () => {
    const world = await worldAt('quiet');
    await world.tell(...changesTo(upTo(12), { viewed: true, boostOutbid: true }));
    expect(await world.posts('C1')).toEqual([]);
    await world.turn(sent(17), { viewed: true, interviewed: true });
    await world.turn(sent(18), { hired: true });
    expect(await world.told('C1')).toEqual(['17: interviewed', '18: hired']);
  });

  it('gets no late views when its level is raised', async () => {
    const world = await worldAt('quiet');
    const seen = await world.turn(sent(17), { viewed: true });
    await world.setLevel('C1', 'everything');
    await world.tell({ before: sent(17), now: seen });
    expect(await world.posts('C1')).toEqual([]);
  });
});

describe('a bid of ours', () => {
  it.each(['quiet', 'normal', 'everything'] as const)(
    'that is hired is a message, too: %s',
    async (level) => {
      const world = await worldAt(level);
      await world.keepJob('A17');
      await world.turn(sent(17), { viewed: true });
      await world.turn({ ...sent(17), viewed: true }, { hired: true });
      expect(await world.told('C1')).toEqual(['17: hired']);
      const inThread = (await world.posts('C1')).flatMap(({ content, under }) =>
        under === HOME && content.kind === 'bid-news' && content.news.about === 'proposal-outcome'
          ? content.news.outcomes
          : [],
      );
      expect(inThread).toEqual(level === 'quiet' ? ['hired'] : ['viewed', 'hired']);
      expect((await world.job())?.proposal).toMatchObject({ viewed: true, hired: true });
    },
  );
});

it('more than ten hires at once are as many messages, at every level', async () => {
  for (const level of ['quiet', 'normal', 'everything'] as const) {
    const world = await worldAt(level);
    await world.tell(...changesTo(upTo(14), { hired: true }));
    expect(await world.told('C1')).toHaveLength(14);
    world.clock.moveBy(HOUR);
  }
});
