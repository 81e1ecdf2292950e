import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { ProposalId, UserId } from '../../../src/ids.ts';
import { sharedStatsMessage, statsMessage } from '../../../src/slack/messages/stats.ts';
import { statsValue } from '../../../src/slack/messages/stats-values.ts';
import { DIMENSIONS } from '../../../src/statistics/groups.ts';
import { complete } from '../fake-proposals.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, NOW } from '../samples.ts';
import { asText } from './as-text.ts';
import { HOSTILE } from './bidding-samples.ts';
import { anyCoverage, anyProposal } from './proposals-samples.ts';
import { aMonth, factsOf, PITCH, some } from './stats-samples.ts';

describe('statistics', () => {
  it.each(DIMENSIONS)('by %s', async (dimension) => {
    const message = statsMessage(await factsOf(aMonth(), { dimension }));
    expectHarmless(message);
    await expect(asText(message)).toMatchFileSnapshot(`__snapshots__/stats-${dimension}.txt`);
  });

  it('begin with the dimension in which a difference is surest', async () => {
    const words = asText(statsMessage(await factsOf(aMonth())));
    expect(words).toContain('*By template*');
    expect(words).toMatch(
      /“Short pitch” \(12\)\* · 60 sent[^\n]*\n67% viewed \(54 to 77%\), \*clearly more\*/u,
    );
  });

  it('do not measure what is too small a sample', async () => {
    const words = asText(statsMessage(await factsOf(aMonth())));
    expect(words).toContain('*“Question first” (14)* · 6 sent · too few to say (under 10)');
  });

  it('of few proposals say that, in all and in each group, and how to see more', async () => {
    const words = asText(statsMessage(await factsOf(some(6, { template: PITCH }))));
    expect(words).toContain('*6 proposals sent in the last 30 days* · too few to say much (under 10):');
    expect(words).toContain('Too few proposals in each of these to measure them.\n`/gig stats 90`');
    expect(words).not.toMatch(/In brackets|Clearly/u);
  });

  it('speak of no interview only where there was none', async () => {
    const paid = some(2, { template: PITCH, connects: 8 });
    const untold = some(12, { template: PITCH, viewed: true, interviewed: true, connects: undefined });
    const all = [...paid, ...untold].map((each, at) => ({ ...each, id: ProposalId.parse(at + 1) }));
    expect(asText(statsMessage(await factsOf(all)))).not.toContain('no interview yet');
    expect(asText(statsMessage(await factsOf(paid)))).toContain('16 connects spent, no interview yet');
  });

  it('of nothing but answers to invitations do not say that they are too young', async () => {
    const answers = some(12, { fromInvitation: true, submittedAt: NOW - 20 * DAY });
    const words = asText(statsMessage(await factsOf(answers)));
    expect(words).toContain('No proposal was sent in the last 30 days.');
    expect(words).toContain('12 answers to invitations');
  });

  it('promise no comparison where there is nothing to compare with', async () => {
    const words = asText(
      statsMessage(await factsOf(some(40, { template: PITCH }), { dimension: 'profile' })),
    );
    expect(words).toContain('too few others to compare');
    expect(words).not.toContain('Clearly');
  });

  it('of 6 days say that it is too early to compare', async () => {
    const young = [
      ...some(40, { template: PITCH, viewed: true, submittedAt: NOW - DAY }),
      ...some(40, { submittedAt: NOW - DAY }),
    ];
    const words = asText(statsMessage(await factsOf(young, { days: 6 })));
    expect(words).toContain('too early to compare');
    expect(words).not.toMatch(/clearly|chance/u);
  });

  it('of which nothing is old enough, or nothing was sent, say so, and how to see more', async () => {
    const young = some(3, { submittedAt: NOW - DAY });
    const words = asText(statsMessage(await factsOf(young)));
    expect(words).toContain('No proposal of the last 30 days is old enough');
    expect(words).toContain('Counted apart: 3 sent in the last 7 days');
    const none = asText(statsMessage(await factsOf([])));
    expect(none).toContain('No proposal was sent in the last 30 days');
    expect(none).toContain('`/gig stats 90`');
    expect(asText(statsMessage(await factsOf([], { days: 365 })))).not.toContain('/gig stats');
  });

  it('say that a first copy is not complete', async () => {
    const facts = await factsOf(aMonth());
    const coverage = { ...facts.coverage, profiles: [complete({ state: 'copying', held: 50, total: 200 })] };
    const words = asText(statsMessage({ ...facts, coverage }));
    expect(words).toContain('Not everything is copied yet');
    expect(words).toContain('first copy 25% done (50 of 200)');
  });

  it('are shared without choices, with the name of whoever shared them', async () => {
    const facts = await factsOf(aMonth(), { days: 60 });
    const message = sharedStatsMessage(facts, ANA);
    expectHarmless({ text: 'Shared', blocks: message.blocks?.slice(1) ?? [] });
    expect(asText(message)).toContain('<@U0ANA> shared statistics of proposals:');
    expect(asText(message)).toContain('`/gig stats 60` shows those of now');
    expect(JSON.stringify(message)).not.toMatch(/"button"|static_select/u);
  });
});

describe('two hundred templates of long hostile names', () => {
  it.each(DIMENSIONS)('fit one message by %s', async (dimension) => {
    const proposals = Array.from({ length: 200 }, (_, n) =>
      some(11, {
        template: { id: 1_000_000_000 + n, name: (HOSTILE[n % HOSTILE.length] ?? '').repeat(50) },
        variant: (HOSTILE[n % HOSTILE.length] ?? '').repeat(50),
        viewed: n % 3 === 0,
      }),
    ).flat();
    const facts = await factsOf(proposals, { dimension });
    expectHarmless(statsMessage(facts));
    expectHarmless(sharedStatsMessage(facts, UserId.parse('U0BEN')));
  });

  it('are eight, and how many more there are', async () => {
    const proposals = Array.from({ length: 200 }, (_, n) =>
      some(10, { template: { id: n + 1, name: `T${n}` } }),
    ).flat();
    const words = asText(statsMessage(await factsOf(proposals, { dimension: 'template' })));
    expect(words).toContain('…and 192 more with 1,920 proposals');
    expect(words.match(/10 sent/gu)).toHaveLength(8);
  });
});

describe('whatever proposals hold', () => {
  it('the message stays within Slack’s limits and harmless', async () => {
    const facts = fc.record({
      proposals: fc.array(anyProposal, { maxLength: 12 }),
      coverage: anyCoverage,
      dimension: fc.constantFrom(...DIMENSIONS),
      days: fc.constantFrom(1, 6, 30, 365),
    });
    await fc.assert(
      fc.asyncProperty(facts, async ({ proposals, coverage, dimension, days }) => {
        const recent = proposals.map((each, n) => ({ ...each, submittedAt: NOW - n * DAY }));
        const read = await factsOf(recent, { days, dimension });
        expectHarmless(statsMessage({ ...read, coverage }));
        expectHarmless(sharedStatsMessage({ ...read, coverage }, UserId.parse('U0BEN')));
      }),
    );
  });
});

describe('the choice of a dimension', () => {
  it('comes back as it was written', () => {
    for (const dimension of DIMENSIONS)
      expect(statsValue.read(statsValue.write({ days: 365, dimension }))).toEqual({ days: 365, dimension });
  });

  it.each(['', '30', '0:boost', '366:boost', '30:nose', '30:boost:', '-1:boost', '1e2:boost', '__proto__'])(
    'is nothing when it is “%s”',
    (value) => {
      expect(statsValue.read(value)).toBeUndefined();
    },
  );
});
