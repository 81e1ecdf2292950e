import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { FilterId, UserId } from '../../src/ids.ts';
import { groupTimes, type ResponseSample, summarizeTimes } from '../../src/response/measure.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const [ana, ben] = [UserId.parse('U1'), UserId.parse('U2')];

function sample(
  minutes: { card?: number; claim?: number; bid?: number },
  more: Partial<ResponseSample> = {},
): ResponseSample {
  const publishedAt = more.publishedAt ?? NOW - 10 * DAY;
  const at = (after: number | undefined) => (after === undefined ? undefined : publishedAt + after * MINUTE);
  const act = (after: number | undefined, by: UserId) =>
    after === undefined ? undefined : { by, at: publishedAt + after * MINUTE };
  return {
    publishedAt,
    postedAt: at(minutes.card),
    filters: [FilterId.parse(101)],
    claim: act(minutes.claim, ana),
    bid: act(minutes.bid, ben),
    ...more,
  };
}

describe('response times', () => {
  it('are medians and 90th percentiles of what is known', () => {
    const samples = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((card) =>
      sample({ card, claim: card + 10, bid: card + 30 }),
    );
    expect(summarizeTimes(samples)).toEqual({
      card: { count: 10, medianMs: 5 * MINUTE, p90Ms: 9 * MINUTE },
      claim: { count: 10, medianMs: 10 * MINUTE, p90Ms: 10 * MINUTE },
      bid: { count: 10, medianMs: 35 * MINUTE, p90Ms: 39 * MINUTE },
      claimToBid: { count: 10, medianMs: 20 * MINUTE, p90Ms: 20 * MINUTE },
    });
    expect(summarizeTimes([{ filters: [] }])).toEqual({});
    expect(summarizeTimes([sample({ card: -5 })])).toEqual({});
  });

  it('are grouped by person, filter and local hour', () => {
    const late = sample({ card: 1, claim: 2 }, { publishedAt: Date.parse('2026-05-20T22:30:00Z') });
    const groups = [sample({ card: 1, claim: 3, bid: 9 }), late];
    expect(groupTimes(groups, 'person', 'UTC').map(({ key, count }) => [key, count])).toEqual([
      [{ dimension: 'person', user: ana }, 2],
      [{ dimension: 'person', user: ben }, 1],
    ]);
    expect(groupTimes(groups, 'person', 'UTC')[1]?.summary.claim).toBeUndefined();
    expect(groupTimes(groups, 'filter', 'UTC')).toHaveLength(1);
    expect(groupTimes(groups, 'hour', 'Europe/Berlin').map(({ key }) => key)).toEqual([
      { dimension: 'hour', hour: 0 },
      { dimension: 'hour', hour: 14 },
    ]);
  });

  it('have percentiles that occurred, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }), (minutes) => {
        const { card } = summarizeTimes(minutes.map((each) => sample({ card: each })));
        const spans = minutes.map((each) => each * MINUTE);
        expect(spans).toContain(card?.medianMs);
        expect(spans).toContain(card?.p90Ms);
        expect(card?.medianMs).toBeLessThanOrEqual(card?.p90Ms ?? -1);
        expect(spans.filter((ms) => ms <= (card?.p90Ms ?? -1)).length).toBeGreaterThanOrEqual(
          0.9 * spans.length,
        );
      }),
    );
  });
});
