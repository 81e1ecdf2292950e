import { describe, expect, it } from 'vitest';
import { chooseSetup, type SetupChoiceFacts } from '../../src/bidding/suggest-setup.ts';
import { FilterId, SetupId } from '../../src/ids.ts';
import type { BiddingSetup } from '../../src/marketplace/schema.ts';

function setup(id: number, filter: number, change: Partial<BiddingSetup> = {}): BiddingSetup {
  return {
    id: SetupId.parse(id),
    name: `Setup ${id}`,
    status: 'active',
    filter: { id: FilterId.parse(filter) },
    ...change,
  };
}

function usedUp(id: number, filter: number): BiddingSetup {
  return setup(id, filter, { dailyLimit: 5, sentToday: 5 });
}

const toFilters = (ids: readonly number[]) => ids.map((id) => FilterId.parse(id));

function choose(
  setups: readonly BiddingSetup[],
  channelFilters: readonly number[],
  { all = channelFilters, ...more }: Partial<SetupChoiceFacts> & { readonly all?: readonly number[] } = {},
) {
  return chooseSetup({
    setups,
    channelFilters: toFilters(channelFilters),
    allFilters: toFilters(all),
    title: 'Rebuild our checkout',
    skills: ['React', 'Node.js'],
    ...more,
  });
}

describe('the setup that a form begins with', () => {
  it.each([
    ['the one whose filter found the project', [setup(1, 10), setup(2, 20)], [20], 2],
    ['of one filter, the active one', [setup(1, 10, { status: 'paused' }), setup(2, 10)], [10], 2],
    [
      'the only active one, for a project that no filter found',
      [setup(1, 10), setup(2, 20, { status: 'draft' })],
      [],
      1,
    ],
    ['none where two could be meant', [setup(1, 10), setup(2, 10)], [10], undefined],
    ['none where two are active and neither found it', [setup(1, 10), setup(2, 20)], [30], undefined],
    ['none that is paused', [setup(1, 10, { status: 'paused' })], [10], undefined],
    ['of two, the one that may still send today', [usedUp(1, 10), setup(2, 10)], [10], 2],
    ['none whose day is used up, though another is left', [usedUp(1, 10), setup(2, 20)], [10], undefined],
    ['none of none', [], [10], undefined],
  ])('is %s', (_, setups, filters, expected) => {
    expect(choose(setups, filters)?.setup).toBe(expected);
  });

  it.each([
    ['that of the channel’s own filter, where other channels’ found the project, too', [20], [10, 20], 2],
    ['that of any filter, where no setup bids on the channel’s', [30], [10], 1],
    ['none where two bid on the channel’s', [10, 20], [10, 20, 30], undefined],
  ])('is %s', (_, own, all, expected) => {
    expect(choose([setup(1, 10), setup(2, 20)], own, { all })?.setup).toBe(expected);
  });

  it('is the one last used for the filter, even where another one fits better', () => {
    const lastUsed = { setup: SetupId.parse(3), filter: FilterId.parse(10) };
    const all = [setup(1, 10, { name: 'React checkout' }), setup(3, 20)];
    expect(choose(all, [10], { lastUsed })).toEqual({ setup: 3, filter: 10, reason: 'last-used' });
    for (const gone of [usedUp(3, 20), setup(3, 20, { status: 'paused' })])
      expect(choose([setup(1, 10), gone], [10], { lastUsed })).toMatchObject({ setup: 1, reason: 'filter' });
    expect(choose([setup(1, 10)], [10], { lastUsed })).toMatchObject({ setup: 1, reason: 'filter' });
  });

  it('is, of several for the filter, one named like the project, else the one with most left', () => {
    const named = setup(2, 10, { name: 'Node & REACT shops', dailyLimit: 5, sentToday: 4 });
    const plain = setup(1, 10, { name: 'Mobile apps', dailyLimit: 5, sentToday: 0 });
    expect(choose([plain, named], [10])).toMatchObject({
      setup: 2,
      reason: 'words',
      words: ['react', 'node'],
    });
    const unnamed = { ...named, name: 'Other work' };
    expect(choose([unnamed, plain], [10])).toMatchObject({ setup: 1, reason: 'most-left' });
    expect(choose([{ ...unnamed, sentToday: 0 }, plain], [10])).toBeUndefined();
    const { dailyLimit: _limit, ...unlimited } = unnamed;
    expect(choose([unlimited, plain], [10])).toBeUndefined();
  });

  it('without a filter is the one that shares the most words with the project, as long as it is one', () => {
    const template = { id: 4, name: 'React shops' } as BiddingSetup['template'];
    const setups = [setup(1, 10, { name: 'Data work' }), setup(2, 20, { template })];
    expect(choose(setups, [])).toMatchObject({ setup: 2, reason: 'words', words: ['react'] });
    expect(choose([...setups, setup(3, 30, { name: 'React apps' })], [])).toBeUndefined();
    // Words that every project has say nothing.
    expect(choose([setup(1, 10), setup(2, 20, { name: 'Our new project' })], [])).toBeUndefined();
  });

  it('takes any text and any number of setups', () => {
    const hostile = '<!channel> \u202E😀 '.repeat(2_000);
    const setups = Array.from({ length: 200 }, (_, n) => setup(n + 1, n + 1, { name: hostile }));
    const skills = Array.from({ length: 500 }, () => hostile);
    expect(choose(setups, [], { title: hostile, skills })).toBeUndefined();
  });
});
