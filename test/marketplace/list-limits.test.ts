/** A server that rejects `limit`, on purpose or for another reason, and the reserved credits meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { ListPageSizes, type MarketplaceListRequest } from '../../src/marketplace/list-limits.ts';

const NAMED = { serverMessage: 'Unknown parameter: limit' };
const refusal = (details = {}) => new MarketplaceError('bad-request', 'none', 'refused', details);

const free: MarketplaceListRequest = {
  list: 'proposals',
  path: '/proposals',
  page: 1,
  limit: 100,
  isPaid: false,
};
const paid: MarketplaceListRequest = {
  list: 'filter-projects',
  path: '/filters/7/projects',
  limit: 10,
  isPaid: true,
};

let now: number;
let limits: ListPageSizes;
/** The `limit` of each sent request; undefined when left out. */
let sent: (number | undefined)[];
beforeEach(() => {
  now = 1_000;
  limits = new ListPageSizes({ monotonicNow: () => now });
  sent = [];
});

/** Calls a server with this answer. Returns the page's size, or the error. */
function ask(
  request: MarketplaceListRequest,
  answer: (limit: number | undefined) => number,
): Promise<unknown> {
  const attempt = async (limit: number | undefined) => {
    sent.push(limit);
    return answer(limit);
  };
  return limits
    .requestPage(request, attempt, (size) => size)
    .catch((thrown: unknown) => (thrown instanceof MarketplaceError ? thrown.details : thrown));
}

const refusesLimit =
  (details = {}) =>
  (limit: number | undefined) => {
    if (limit !== undefined) throw refusal(details);
    return 20;
  };
const refusesAll = () => {
  throw refusal();
};

describe.each([
  ['that names it', NAMED],
  ['that names nothing', {}],
])('a refusal of `limit` %s', (_, details) => {
  it('is followed by the same page without it, where that costs nothing, once a day', async () => {
    expect(await ask(free, refusesLimit(details))).toBe(20);
    expect(await ask({ ...free, page: 2 }, refusesLimit(details))).toBe(20);
    expect(sent).toEqual([100, undefined, undefined]);
    expect(limits.fixedPageSize(free)).toBe(20);
    now += DAY;
    expect(limits.fixedPageSize(free)).toBeUndefined();
    await ask(free, () => 100);
    expect(sent.at(-1)).toBe(100);
  });

  it('waits for credits where a page without it may cost more than is reserved', async () => {
    expect(await ask(paid, refusesLimit(details))).toMatchObject({ limitRefused: true });
    expect(await ask(paid, refusesLimit(details))).toMatchObject({ limitRefused: true });
    expect(sent).toEqual([10]);
    expect(limits.fixedPageSize(paid)).toBe(20);
    expect(await ask({ ...paid, limit: 20 }, refusesLimit(details))).toBe(20);
    expect(sent).toEqual([10, undefined]);
  });

  it('is followed at once where enough is reserved', async () => {
    expect(await ask({ ...paid, limit: 50 }, refusesLimit(details))).toBe(20);
    expect(sent).toEqual([50, undefined]);
  });
});

describe('what is known of a refusal', () => {
  it('holds for its list alone', async () => {
    await ask(free, refusesLimit(NAMED));
    expect(limits.fixedPageSize(paid)).toBeUndefined();
  });

  it('is no guess about another filter, before it was seen to be about `limit`', async () => {
    await ask(paid, refusesLimit());
    const other = { ...paid, path: '/filters/8/projects' };
    expect(limits.fixedPageSize(other)).toBeUndefined();
    await ask({ ...paid, limit: 20 }, refusesLimit());
    expect(limits.fixedPageSize(other)).toBe(20);
  });

  it('is dropped if the page is refused without it, too; nothing is suspected for a minute', async () => {
    await ask(paid, refusesAll);
    expect(await ask({ ...paid, limit: 20 }, refusesAll)).not.toHaveProperty('limitRefused');
    expect(limits.fixedPageSize(paid)).toBeUndefined();
    expect(await ask(paid, refusesAll)).not.toHaveProperty('limitRefused');
    expect(sent).toEqual([10, undefined, 10]);
    now += MINUTE;
    expect(await ask(paid, refusesAll)).toHaveProperty('limitRefused');
  });

  it('grows with a page that is wider than the documented one', async () => {
    await ask({ ...paid, limit: 50 }, (limit) => (limit === undefined ? 50 : refusesLimit(NAMED)(limit)));
    expect(limits.fixedPageSize(paid)).toBe(50);
    expect(await ask({ ...paid, limit: 20 }, () => 50)).toMatchObject({ limitRefused: true });
  });
});

describe('other refusals', () => {
  it('of a later page may be because it is not there', async () => {
    await ask({ ...free, page: 3 }, refusesAll);
    expect(sent).toEqual([100]);
    expect(limits.fixedPageSize(free)).toBeUndefined();
  });

  it('that are no 400 say nothing of `limit`', async () => {
    await ask(free, () => {
      throw new MarketplaceError('server', 'unknown', 'failed', NAMED);
    });
    expect(sent).toEqual([100]);
  });
});
