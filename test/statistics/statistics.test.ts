import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { ProfileId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { calculateStatistics, type ProposalStatistics } from '../../src/statistics/statistics.ts';
import { plainProposal } from '../plain-proposal.ts';

/** A Friday. */
const TO = Date.UTC(2026, 10, 20, 12);
const FROM = TO - 30 * DAY;
const PITCH = { id: 12, name: 'Short pitch' };
const LONG = { id: 13, name: 'Long letter' };

let ids = 0;

/** Similar proposals, all sent ten days ago by default. */
function some(count: number, known: Partial<Proposal>): Proposal[] {
  return Array.from({ length: count }, () => plainProposal(++ids, { submittedAt: TO - 10 * DAY, ...known }));
}

function read(
  proposals: readonly Proposal[],
  order: { from?: number; timezone?: string } = {},
  rest = async () => {},
): Promise<ProposalStatistics> {
  const newestFirst = proposals.toSorted((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  return calculateStatistics(newestFirst, { from: FROM, to: TO, timezone: 'UTC', ...order }, rest);
}

/**
 * 20 of each template. The pitch: 12 viewed, 4 of these interviewed, 1 of these hired. The other one: 2
 * viewed.
 */
function twoTemplates(): Proposal[] {
  const paid = { connects: 12, boost: 2 };
  return [
    ...some(1, { template: PITCH, viewed: true, interviewed: true, hired: true, ...paid }),
    ...some(3, { template: PITCH, viewed: true, interviewed: true, ...paid }),
    ...some(8, { template: PITCH, viewed: true, ...paid }),
    ...some(8, { template: PITCH, ...paid }),
    ...some(2, { template: LONG, viewed: true, ...paid }),
    ...some(17, { template: LONG, ...paid }),
    ...some(1, { template: LONG }),
  ];
}

describe('a case computed by hand', () => {
  it('the stages, its intervals, and what an interview and a hire cost', async () => {
    const { all } = await read(twoTemplates());
    expect(all.stages).toEqual({ sent: 40, viewed: 14, interviewed: 4, hired: 1 });
    // n = 40, z² = 3.841459, 1 + z²/n = 1.0960365.
    // viewed: p = 0.35; middle (0.35 + z²/2n) / 1.0960365 = 0.3980182 / 1.0960365 = 0.3631432;
    // reach 1.959964 · √(0.35 · 0.65/40 + z²/4n²) / 1.0960365 =
    //   1.959964 · √(0.0056875 + 0.0006002) / 1.0960365 = 0.1417972.
    expect(all.rates.viewed.low).toBeCloseTo(0.221346, 5);
    expect(all.rates.viewed.high).toBeCloseTo(0.50494, 5);
    // interviewed: p = 0.1; middle 0.1480182 / 1.0960365 = 0.1350487;
    // reach 1.959964 · √(0.00225 + 0.0006002) / 1.0960365 = 0.0954690.
    expect(all.rates.interviewed.low).toBeCloseTo(0.03958, 5);
    expect(all.rates.interviewed.high).toBeCloseTo(0.230518, 5);
    // 39 proposals with a known price, 12 connects each; with or without a boost.
    expect(all.spending).toEqual({ proposals: 39, connects: 468, interviewed: 4, hired: 1 });
  });

  it('which difference is more than chance', async () => {
    const { groups, clearestDimension } = await read(twoTemplates());
    // viewed, 12 of 20 against 2 of 20: 2 · (C(20,12) C(20,2) + C(20,13) C(20,1) + C(20,14)) / C(40,14)
    //   = 2 · (125,970 · 190 + 77,520 · 20 + 38,760) / 23,206,929,840 = 0.0022,
    //   below 0.05 / 3 for the most significant of three.
    // interviewed, 4 against 0: 2 · C(20,4) / C(40,4) = 2 · 4,845 / 91,390 = 0.106. hired, 1 against 0: 1.
    expect(groups.template.map(({ key, stages, standings }) => [key, stages.viewed, standings])).toEqual([
      [
        { dimension: 'template', template: PITCH },
        12,
        { viewed: 'more', interviewed: 'may-be-chance', hired: 'may-be-chance' },
      ],
      [
        { dimension: 'template', template: LONG },
        2,
        { viewed: 'less', interviewed: 'may-be-chance', hired: 'may-be-chance' },
      ],
    ]);
    expect(clearestDimension).toBe('template');
  });
});

describe('what counts', () => {
  it('proposals of the last seven days are counted apart: nobody had the time to view them', async () => {
    const young = some(3, { submittedAt: TO - 6 * DAY, viewed: true });
    const old = some(4, { submittedAt: TO - 8 * DAY });
    const statistics = await read([...young, ...old]);
    expect(statistics.recent).toEqual({ sent: 3, viewed: 3, interviewed: 0, hired: 0 });
    expect(statistics.all.stages.sent).toBe(4);
    expect(statistics.isEarly).toBe(false);
  });

  it('of a stretch in which all are young, these are shown, and nothing is compared', async () => {
    const proposals = [
      ...some(30, { submittedAt: TO - DAY, template: PITCH, viewed: true }),
      ...some(30, { submittedAt: TO - DAY, template: LONG }),
    ];
    const { isEarly, all, recent, groups } = await read(proposals, { from: TO - 7 * DAY });
    expect(isEarly).toBe(true);
    expect(all.stages.sent).toBe(60);
    expect(recent.sent).toBe(0);
    expect(groups.template.map(({ standings }) => standings)).toEqual([undefined, undefined]);
  });

  it('answers to invitations are counted apart, whatever their age; withdrawn proposals count', async () => {
    const statistics = await read([
      ...some(2, { fromInvitation: true, hired: true }),
      ...some(1, { fromInvitation: true, submittedAt: TO - HOUR }),
      ...some(5, { withdrawn: true }),
      ...some(1, { withdrawn: true, fromInvitation: true }),
    ]);
    expect(statistics.invited).toEqual({ sent: 4, viewed: 2, interviewed: 2, hired: 2 });
    expect(statistics.all.stages).toEqual({ sent: 5, viewed: 0, interviewed: 0, hired: 0 });
    expect(statistics.withdrawn).toBe(5);
  });

  it('a price that the marketplace does not tell is not taken for none', async () => {
    const { all } = await read([...some(2, { hired: true }), ...some(3, { connects: 8 })]);
    expect(all.spending).toEqual({ proposals: 3, connects: 24, interviewed: 0, hired: 0 });
  });
});

describe('groups', () => {
  it('of boosts and positions are bands; what is not told belongs to none', async () => {
    const { groups } = await read([
      ...some(1, {}),
      ...some(2, { boost: 0, position: 1 }),
      ...some(3, { boost: 1, position: 5 }),
      ...some(4, { boost: 10, position: 6 }),
      ...some(5, { boost: 41, position: 51 }),
    ]);
    const bands = (dimension: 'boost' | 'position') =>
      groups[dimension].map(({ key, stages }) => ['band' in key && key.band, stages.sent]);
    expect(bands('boost')).toEqual([
      [{ from: 0, to: 0 }, 3],
      [{ from: 1, to: 10 }, 7],
      [{ from: 41 }, 5],
    ]);
    expect(bands('position')).toEqual([
      [{ from: 0, to: 5 }, 5],
      [{ from: 6, to: 10 }, 4],
      [{ from: 51 }, 5],
    ]);
  });

  it('of variants are compared within their template alone', async () => {
    const { groups, clearestDimension } = await read([
      ...some(30, { template: PITCH, variant: 'A', viewed: true }),
      ...some(30, { template: PITCH, variant: 'B', viewed: true }),
      ...some(40, { template: LONG, variant: 'A' }),
      ...some(40, { template: LONG, variant: 'B' }),
      ...some(5, { template: LONG }),
    ]);
    expect(clearestDimension).toBe('template');
    expect(
      groups.variant.map(({ key, stages, standings }) => [
        'variant' in key && `${key.template?.name} ${key.variant}`,
        stages.sent,
        standings?.viewed,
      ]),
    ).toEqual([
      ['Long letter A', 40, 'may-be-chance'],
      ['Long letter B', 40, 'may-be-chance'],
      ['Short pitch A', 30, 'may-be-chance'],
      ['Short pitch B', 30, 'may-be-chance'],
    ]);
  });

  it('of templates and profiles rank by proposals, including those without a template', async () => {
    const profile = { id: ProfileId.parse(301), label: 'Ana' };
    const { groups } = await read([
      ...some(2, { template: PITCH, profile }),
      ...some(5, {}),
      ...some(3, { template: LONG }),
    ]);
    expect(groups.template.map(({ key }) => key)).toEqual([
      { dimension: 'template' },
      { dimension: 'template', template: LONG },
      { dimension: 'template', template: PITCH },
    ]);
    expect(groups.profile.map(({ key, stages }) => [key, stages.sent])).toEqual([
      [{ dimension: 'profile', profile: { id: 301, name: 'Ana' } }, 2],
    ]);
  });

  it('of weekdays are those of the zone, through a change of its clocks', async () => {
    // Sunday 25 October 2026, 00:30 and 23:30 in Berlin: the clocks go back at 3 in between.
    const proposals = [
      ...some(1, { submittedAt: Date.UTC(2026, 9, 24, 22, 30) }),
      ...some(1, { submittedAt: Date.UTC(2026, 9, 25, 22, 30) }),
      ...some(1, { submittedAt: Date.UTC(2026, 9, 25, 23, 30) }),
    ];
    const days = async (timezone: string) =>
      (await read(proposals, { timezone })).groups.weekday.map(({ key, stages }) => [
        'weekday' in key && key.weekday,
        stages.sent,
      ]);
    expect(await days('Europe/Berlin')).toEqual([
      [1, 1],
      [7, 2],
    ]);
    expect(await days('UTC')).toEqual([
      [6, 1],
      [7, 2],
    ]);
    expect(await days('Pacific/Auckland')).toEqual([
      [1, 2],
      [7, 1],
    ]);
  });
});

describe('fifty thousand proposals', () => {
  it('are read with a turn for everything else after every thousand', async () => {
    let rests = 0;
    const proposals = some(50_000, { submittedAt: TO - 8 * DAY });
    const { all } = await read(proposals, {}, async () => {
      rests++;
    });
    expect(all.stages.sent).toBe(50_000);
    expect(rests).toBe(50);
  });
});
