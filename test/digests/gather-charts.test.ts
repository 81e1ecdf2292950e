import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { createCreditsService } from '../../src/credits/create-credits.ts';
import { channelLedgerRecords } from '../../src/credits/records.ts';
import type { DigestCharts } from '../../src/digests/facts.ts';
import { toCredits } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { plainProposal } from '../plain-proposal.ts';
import { ANA, CHANNEL, TEAM } from '../slack/samples.ts';
import { DigestWorld, FRIDAY, PROFILE } from './digest-world.ts';

/** The charts of a digest that is requested now. */
async function chartsNow(world: DigestWorld): Promise<DigestCharts | undefined> {
  await world.digests.postDigestNow(CHANNEL, ANA, String(world.clock.now()));
  return (await world.newest()).facts.charts;
}

function pay(world: DigestWorld, at: number, credits: number): Promise<void> {
  const purchase = { endpoint: 'lookup', subject: '~1' } as const;
  const shares = [{ channel: CHANNEL, credits }];
  return world.put((tx) =>
    tx.put(channelLedgerRecords, [TEAM, CHANNEL, at, 1], {
      at,
      order: 1,
      period: 1,
      credits,
      shares,
      purchase,
    }),
  );
}

describe('the charts of a digest', () => {
  it('show credits day by day, the stages of the followed profiles, and when projects came', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    const credits = createCreditsService({ team: TEAM, defaultBudget: toCredits(500), log: silentLog });
    await world.put(async (tx) => void (await credits.confirmBudget(tx, CHANNEL, ANA, FRIDAY)));
    await pay(world, FRIDAY - 3 * DAY, 30);
    await pay(world, FRIDAY - HOUR, 12);
    await world.followProfile();
    world.proposals = [
      plainProposal(2, { submittedAt: FRIDAY - DAY, profile: { id: PROFILE }, viewed: true, hired: true }),
      plainProposal(1, { submittedAt: FRIDAY - 31 * DAY, profile: { id: PROFILE } }),
    ];
    await world.tell('one');
    await world.pass(HOUR);
    const charts = await chartsNow(world);
    // November has 30 days, and its 20th day is the last of 20 points.
    expect(charts?.burn).toHaveLength(20);
    expect(charts?.burn?.slice(-4)).toEqual([
      { day: '2026-11-17', spent: 30, pace: 283 },
      { day: '2026-11-18', spent: 30, pace: 300 },
      { day: '2026-11-19', spent: 30, pace: 317 },
      { day: '2026-11-20', spent: 42, pace: 333 },
    ]);
    expect(charts?.stages).toMatchObject({ days: 30, sent: 1, viewed: 1, interviewed: 1, hired: 1 });
    expect(charts?.arrivals?.byTime).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(charts?.arrivals?.byWeekday).toEqual([0, 0, 0, 0, 1, 0, 0]);
  });

  it('have 20 of a long period’s days, the first and the last among them', async () => {
    const start = Date.parse('2026-10-31T09:00:00Z');
    const world = new DigestWorld(start);
    await world.plan();
    await pay(world, start - 20 * DAY, 7);
    await world.tell('one');
    await world.pass(HOUR);
    const days = (await chartsNow(world))?.burn?.map(({ day }) => day) ?? [];
    expect([days.length, days[0], days.at(-1)]).toEqual([20, '2026-10-01', '2026-10-31']);
    expect(new Set(days).size).toBe(20);
  });

  it('go by the wall clock of the channel', async () => {
    const world = new DigestWorld(Date.parse('2026-11-22T22:30:00Z'));
    await world.plan();
    await world.tell('one');
    await world.pass(MINUTE);
    // Sunday evening in London is Sunday, 23:30, in Berlin.
    const arrivals = (await chartsNow(world))?.arrivals;
    expect([arrivals?.byTime.at(-1), arrivals?.byWeekday.at(-1)]).toEqual([1, 1]);
  });

  it('know no pace of a budget that channels share', async () => {
    const world = new DigestWorld(FRIDAY);
    await pay(world, FRIDAY - DAY, 7);
    await world.tell('one');
    await world.pass(MINUTE);
    expect((await chartsNow(world))?.burn?.at(-1)).toEqual({ day: '2026-11-20', spent: 7 });
  });

  it('are missing on a quiet day', async () => {
    const world = new DigestWorld(FRIDAY);
    await pay(world, FRIDAY - DAY, 7);
    expect(await chartsNow(world)).toBeUndefined();
  });
});
