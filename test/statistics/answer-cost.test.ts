import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { calculateStatistics, estimateAnswerCost } from '../../src/statistics/statistics.ts';
import { plainProposal } from '../plain-proposal.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const rest = async () => undefined;

/** Newest first. @param of by the day before now */
function sent(days: readonly number[], of: (day: number, place: number) => Partial<Proposal>): Proposal[] {
  return days.map((day, place) =>
    plainProposal(place + 1, { submittedAt: NOW - day * DAY, connects: 16, ...of(day, place) }),
  );
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('what an interview costs', () => {
  it('is what the statistics say, within its interval', async () => {
    const proposals = sent(range(1, 29), (day, place) => ({
      interviewed: place % 5 === 0,
      hired: place === 10,
      fromInvitation: day === 20,
      ...(place % 7 === 0 ? { connects: 30 } : {}),
    }));
    const order = { from: NOW - 30 * DAY, to: NOW, timezone: 'UTC' };
    const { spending } = (await calculateStatistics(proposals, order, rest)).all;
    const cost = await estimateAnswerCost(proposals, NOW, rest);
    expect(cost).toMatchObject({
      connects: spending.connects / spending.interviewed,
      proposals: spending.proposals,
      days: 30,
    });
    expect(cost?.low).toBeLessThan(cost?.connects ?? 0);
    expect(cost?.high).toBeGreaterThan(cost?.connects ?? Number.POSITIVE_INFINITY);
  });

  it('uses 90 days where 30 are not enough, and nothing where these are not', async () => {
    const proposals = sent(range(8, 89), (day) => ({ interviewed: day > 40 && day % 10 === 0 }));
    expect(await estimateAnswerCost(proposals, NOW, rest)).toMatchObject({ days: 90, proposals: 82 });
    for (const few of [
      [],
      sent([9, 10, 11, 12], () => ({ interviewed: true })),
      sent(range(8, 89), (day) => ({ interviewed: day < 10 })),
      sent(range(8, 89), () => ({ interviewed: true, connects: undefined })),
      sent(range(1, 6), () => ({ interviewed: true })),
    ])
      expect(await estimateAnswerCost(few, NOW, rest)).toBeUndefined();
  });

  it('lets other work run, and stops reading at the end of its time', async () => {
    let rests = 0;
    let read = 0;
    function* endless() {
      for (let n = 0; ; n++) {
        read++;
        yield plainProposal(n + 1, { submittedAt: NOW - n * 60_000 });
      }
    }
    await estimateAnswerCost(endless(), NOW, async () => {
      rests++;
    });
    expect(read).toBeLessThan(90 * 24 * 60 + 3);
    expect(rests).toBeGreaterThan(100);
  });
});
