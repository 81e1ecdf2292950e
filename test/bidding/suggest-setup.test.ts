import { describe, expect, it } from 'vitest';
import { choosePreselectedSetup } from '../../src/bidding/setup-warnings.ts';
import { FilterId, SetupId } from '../../src/ids.ts';
import type { BiddingSetup } from '../../src/marketplace/schema.ts';

function setup(id: number, filter: number, status = 'active'): BiddingSetup {
  return { id: SetupId.parse(id), name: `Setup ${id}`, status, filter: { id: FilterId.parse(filter) } };
}

function usedUp(id: number, filter: number): BiddingSetup {
  return { ...setup(id, filter), dailyLimit: 5, sentToday: 5 };
}

describe('the setup that a form begins with', () => {
  it.each([
    ['the one whose filter found the project', [setup(1, 10), setup(2, 20)], [20], 2],
    ['of one filter, the active one', [setup(1, 10, 'paused'), setup(2, 10)], [10], 2],
    ['the only active one, for a project that no filter found', [setup(1, 10), setup(2, 20, 'draft')], [], 1],
    ['none where two could be meant', [setup(1, 10), setup(2, 10)], [10], undefined],
    ['none where two are active and neither found it', [setup(1, 10), setup(2, 20)], [30], undefined],
    ['none that is paused', [setup(1, 10, 'paused')], [10], undefined],
    ['of two, the one that may still send today', [usedUp(1, 10), setup(2, 10)], [10], 2],
    ['none whose day is used up, though another is left', [usedUp(1, 10), setup(2, 20)], [10], undefined],
    ['none of none', [], [10], undefined],
  ])('is %s', (_, setups, filters, expected) => {
    const suggested = choosePreselectedSetup(
      setups,
      filters.map((id) => FilterId.parse(id)),
    );
    expect(suggested?.id).toBe(expected);
  });

  it.each([
    ['that of the channel’s own filter, where other channels’ found the project, too', [20], [10, 20], 2],
    ['that of any filter, where no setup bids on the channel’s', [30], [10], 1],
    ['none where two bid on the channel’s', [10, 20], [10, 20, 30], undefined],
  ])('is %s', (_, own, all, expected) => {
    const [channel, everywhere] = [own, all].map((ids) => ids.map((id) => FilterId.parse(id)));
    const suggested = choosePreselectedSetup([setup(1, 10), setup(2, 20)], channel ?? [], everywhere ?? []);
    expect(suggested?.id).toBe(expected);
  });
});
