import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { FilterId, UserId } from '../../src/ids.ts';
import {
  groupTimes,
  medianTimes,
  type ResponseDimension,
  type ResponseSample,
  summarizeTimes,
} from '../../src/response/measure.ts';

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
    expect(summarizeTimes([{ filters: [] }])).toStrictEqual({});
    expect(summarizeTimes([sample({ card: -5 })])).toStrictEqual({});
    expect(summarizeTimes([sample({ card: 0 })])).toStrictEqual({
      card: { count: 1, medianMs: 0, p90Ms: 0 },
    });
  });

  it('of a person are of own claims and bids', () => {
    const once = (minutes: number) => ({ count: 1, medianMs: minutes * MINUTE, p90Ms: minutes * MINUTE });
    const samples = [sample({ card: 1, claim: 4, bid: 9 }), sample({ card: 2, bid: 7 })];
    const [bens, anas] = groupTimes(samples, 'person', 'UTC');
    expect(anas?.summary).toStrictEqual({ claim: once(3) });
    expect(bens?.summary).toStrictEqual({
      bid: { count: 2, medianMs: 7 * MINUTE, p90Ms: 9 * MINUTE },
      claimToBid: once(5),
    });
  });

  it.each([
    ['all that people wait for', sample({ card: 1, claim: 3, bid: 9 }), { card: 1, claim: 2, bid: 9 }],
    ['no bid yet', sample({ card: 1, claim: 3 }), { card: 1, claim: 2 }],
    ['a bid without a claim', sample({ card: 1, bid: 9 }), { card: 1, bid: 9 }],
    ['publication unknown', { ...sample({ card: 1, claim: 3 }), publishedAt: undefined }, { claim: 2 }],
    ['a card that nobody took', sample({ card: 1 }), undefined],
  ])('in short: %s', (_, card, minutes) => {
    const times = minutes && Object.entries(minutes).map(([name, each]) => [name, each * MINUTE]);
    expect(medianTimes([card])).toEqual(times && Object.fromEntries(times));
  });

  it('are grouped by filter and person, the most first, and by local hour of publication', () => {
    const [shops, logos] = [FilterId.parse(101), FilterId.parse(102)];
    const at = Date.parse('2026-05-20T21:50:00Z');
    const samples: ResponseSample[] = [
      { filters: [logos], publishedAt: at, postedAt: at + HOUR, claim: { by: ben, at } },
      { filters: [shops], postedAt: at + HOUR, claim: { by: ana, at } },
      { filters: [shops], bid: { by: ana, at } },
    ];
    const show = (by: ResponseDimension) =>
      groupTimes(samples, by, 'Europe/Berlin').map(({ key, count }) =>
        [...Object.values(key), count].join(' '),
      );
    expect(show('filter')).toEqual(['filter 101 2', 'filter 102 1']);
    expect(show('person')).toEqual(['person U1 2', 'person U2 1']);
    expect(show('hour')).toEqual(['hour 0 1', 'hour 23 1']);
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
