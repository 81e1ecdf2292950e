import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { ProposalId } from '../../../src/ids.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { proposalsCoverageText } from '../../../src/slack/proposals/proposals-coverage.ts';
import { statsMenu } from '../../../src/slack/stats/stats-groups.ts';
import { statsMessage } from '../../../src/slack/stats/stats-message.ts';
import { GROUP_DIMENSIONS } from '../../../src/statistics/groups.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { complete } from '../fake-proposals.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { anyCoverage, anyProposal } from '../proposals/proposals-samples.ts';
import { NOW } from '../samples.ts';
import { aMonth, factsOf, PITCH, some } from './stats-samples.ts';

describe('statistics', () => {
  it.each(GROUP_DIMENSIONS)('by %s', async (dimension) => {
    const message = statsMessage(await factsOf(aMonth(), { dimension }));
    expectHarmless(message);
    await expect(asText(message)).toMatchFileSnapshot(`__snapshots__/stats-${dimension}.txt`);
  });

  it('begin with the dimension in which a difference is surest', async () => {
    const words = asText(statsMessage(await factsOf(aMonth())));
    expect(words).toMatch(/“Short pitch” \(12\) \| 60 \| 67% .*clearly more often/u);
    expect(words).toBe(asText(statsMessage(await factsOf(aMonth(), { dimension: 'template' }))));
    expect(words).toMatchSnapshot();
  });

  it('do not measure what is too small a sample', async () => {
    const words = asText(statsMessage(await factsOf(aMonth())));
    const [line = ''] = /^“Question first” \(14\) .*$/mu.exec(words) ?? [];
    expect(line).toMatch(/ 6 .*\b10\b/u);
    expect(line).not.toContain('%');
    expect(line).toMatchSnapshot();
  });

  it('of few proposals say that, in all and in each group, and how to see more', async () => {
    const words = asText(statsMessage(await factsOf(some(6, { template: PITCH }))));
    expect(words).toMatchSnapshot();
    expect(words).toMatch(/^\*6 .* 30 .*\b10\b.*:$/mu);
    expect(words).toMatch(/^\[.*\b90\b.*\]$/mu);
  });

  it('speak of no interview only where there was none', async () => {
    const paid = some(2, { template: PITCH, connects: 8 });
    const untold = some(12, { template: PITCH, viewed: true, interviewed: true, connects: undefined });
    const all = [...paid, ...untold].map((each, at) => ({ ...each, id: ProposalId.parse(at + 1) }));
    const spent = async (of: typeof all) =>
      /^:coin: .*$/mu.exec(asText(statsMessage(await factsOf(of))))?.[0];
    expect(await spent(all)).toMatch(/^:coin: 16 /u);
    expect(await spent(paid)).toMatch(/^:coin: 16 /u);
    expect(await spent(all)).toMatchSnapshot();
    expect(await spent(paid)).toMatchSnapshot();
  });

  it('of nothing but answers to invitations do not say that they are too young', async () => {
    const answers = some(12, { fromInvitation: true, submittedAt: NOW - 20 * DAY });
    const words = asText(statsMessage(await factsOf(answers)));
    expect(words).toContain(statsMessage(await factsOf([])).text);
    expect(words).toMatch(/\b12\b/u);
    expect(words).toMatchSnapshot();
  });

  it('promise no comparison where there is nothing to compare with', async () => {
    const words = asText(
      statsMessage(await factsOf(some(40, { template: PITCH }), { dimension: 'profile' })),
    );
    expect(words).toMatchSnapshot();
  });

  it('of 6 days say that it is too early to compare', async () => {
    const young = [
      ...some(40, { template: PITCH, viewed: true, submittedAt: NOW - DAY }),
      ...some(40, { submittedAt: NOW - DAY }),
    ];
    const words = asText(statsMessage(await factsOf(young, { days: 6 })));
    expect(words).toMatchSnapshot();
    expect(words).not.toBe(asText(statsMessage(await factsOf(young, { days: 30 }))));
  });

  it('of which nothing is old enough, or nothing was sent, say so, and how to see more', async () => {
    const young = some(3, { submittedAt: NOW - DAY });
    const words = asText(statsMessage(await factsOf(young)));
    expect(words).toMatch(/\b3 .* 7 /u);
    expect(words).toMatchSnapshot();
    const none = asText(statsMessage(await factsOf([])));
    expect(none).toMatch(/^\[.*\b90\b.*\]$/mu);
    expect(none).toMatchSnapshot();
    expect(presses(statsMessage(await factsOf([], { days: 365 })))).toEqual([actionIds.statsFunnel]);
  });

  it('say that a first copy is not complete', async () => {
    const facts = await factsOf(aMonth());
    const coverage = { ...facts.coverage, profiles: [complete({ state: 'copying', held: 50, total: 200 })] };
    const words = asText(statsMessage({ ...facts, coverage }));
    expect(words).toContain(proposalsCoverageText(coverage));
    expect(words).toMatch(/25%.*\(50 of 200\)/u);
    expect(words).toMatchSnapshot();
  });
});

describe('many templates of long hostile names', () => {
  it.each(GROUP_DIMENSIONS)('fit one message by %s', async (dimension) => {
    const proposals = Array.from({ length: 60 }, (_, n) =>
      some(11, {
        template: { id: 1_000_000_000 + n, name: (HOSTILE[n % HOSTILE.length] ?? '').repeat(50) },
        variant: (HOSTILE[n % HOSTILE.length] ?? '').repeat(50),
        viewed: n % 3 === 0,
      }),
    ).flat();
    const facts = await factsOf(proposals, { dimension });
    expectHarmless(statsMessage(facts));
  });

  it('are thirty, and how many more there are', async () => {
    const proposals = Array.from({ length: 200 }, (_, n) =>
      some(10, { template: { id: n + 1, name: `T${n}` } }),
    ).flat();
    const words = asText(statsMessage(await factsOf(proposals, { dimension: 'template' })));
    expect(words).toMatch(/^….*\b170\b.*\b1,700\b/mu);
    expect(words.match(/“T\d+”/gu)).toHaveLength(30);
    expect(/^….*$/mu.exec(words)?.[0]).toMatchSnapshot();
  });
});

describe('whatever proposals hold', () => {
  it('the message stays within Slack’s limits and harmless', async () => {
    const facts = fc.record({
      proposals: fc.array(anyProposal, { maxLength: 12 }),
      coverage: anyCoverage,
      dimension: fc.constantFrom(...GROUP_DIMENSIONS),
      days: fc.constantFrom(1, 6, 30, 365),
    });
    await fc.assert(
      fc.asyncProperty(facts, async ({ proposals, coverage, dimension, days }) => {
        const recent = proposals.map((each, n) => ({ ...each, submittedAt: NOW - n * DAY }));
        const read = await factsOf(recent, { days, dimension });
        expectHarmless(statsMessage({ ...read, coverage }));
      }),
    );
  });
});

describe('the choice of a dimension', () => {
  it('comes back as it was written', () => {
    for (const dimension of GROUP_DIMENSIONS)
      expect(statsMenu.read(statsMenu.write({ days: 365, dimension }))).toEqual({
        days: 365,
        dimension,
      });
  });

  it.each(['', '30', '0:boost', '366:boost', '30:nose', '30:boost:', '-1:boost', '1e2:boost', '__proto__'])(
    'is nothing when it is “%s”',
    (value) => {
      expect(statsMenu.read(value)).toBeUndefined();
    },
  );
});
