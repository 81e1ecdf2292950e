import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectDetailsMessage } from '../../../src/slack/kit/project/project-details.ts';
import { anyListed, anyLookedUp } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { listed, lookedUp } from '../samples.ts';
import { asText } from './as-text.ts';

describe('a project in full', () => {
  it('reads well', async () => {
    const message = projectDetailsMessage(lookedUp(), 'Cost this channel 1 credit.');
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/project-in-full.txt');
  });

  it('is shown from what a list told where nothing more could be had', async () => {
    const message = projectDetailsMessage(
      listed({ client: { verified: false } }),
      'This is what the list told.',
    );
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/project-from-list.txt');
  });

  it.each([
    ['2025-08-12T10:00:00Z', '2025-08-30T10:00:00Z', 'Aug 2025'],
    ['2025-08-12', '2025-11-01', 'Aug to Nov 2025'],
    ['2024-12-01', '2025-02-01', 'Dec 2024 to Feb 2025'],
    ['2025-08-12', undefined, 'since Aug 2025'],
    [undefined, '2025-08-12', 'Aug 2025'],
    ['last summer', '2025-13-01', 'last summer to 2025-13-01'],
  ])('tells when an earlier job was: from %s to %s is “%s”', (startDate, endDate, told) => {
    const job = { title: 'Job', ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
    const text = asText(projectDetailsMessage(lookedUp({ workHistory: [job] }), 'Foot.'));
    expect(text).toContain(`• *Job* – ${told}\n`);
  });

  it('leaves out what tells nothing: wishes for anyone, a type that the budget names, the site', () => {
    const plain = { locations: [], languages: ['English'], talentType: 'Any', english: 'Fluent' };
    const { jobType: _type, site: _site, ...bare } = lookedUp({ preferred: plain });
    const text = asText(projectDetailsMessage({ ...bare, jobType: 'Fixed', site: 'marketplace' }, 'Foot.'));
    expect(text).toContain('Fluent');
    expect(text).not.toContain('Any');
    expect(text).toBe(asText(projectDetailsMessage(bare, 'Foot.')));
    expect(text).toMatchSnapshot();
    expect(text).not.toMatch(/marketplace$/mu);
  });

  it.each([
    ['between words', 'words '.repeat(700), /^(?:words ?)+$/u],
    ['beside a sign and not through it', `${'a'.repeat(2_499)}${'😀'.repeat(400)}`, /^a*(?:😀)*$/u],
  ])('cuts its description %s', (_, description, whole) => {
    const { blocks = [] } = projectDetailsMessage(lookedUp({ description }), '');
    const texts = blocks.flatMap((block) =>
      block.type === 'section' && block.text?.type === 'plain_text' ? [block.text.text] : [],
    );
    expect(texts.join('').length).toBeGreaterThan(3_000);
    for (const text of texts) expect(text).toMatch(whole);
  });

  it('shows all that the lookup has paid for', () => {
    const project = lookedUp({
      preferred: { risingTalent: 'Included', locations: [], languages: [] },
      clientMore: {
        localTime: '10:00',
        timezone: 'Europe/Oslo',
        phoneVerified: false,
        jobsActive: 3,
        totalHoursPaid: 12_345.6,
        rankLevel: 3,
        rankDowngrade: { lowReviews: 4, scoredReviews: 20, recentLowReviews: 2, cappedAt: 3 },
      },
      workHistory: [
        {
          title: 'Shop',
          status: 'Closed',
          rate: 40,
          contractor: 'Mara Quist',
          comment: 'Great work.',
          commentOnClient: 'Paid late.',
        },
      ],
    });
    const verdict = { decision: 'qualified', score: 87.345, decidedAt: Date.UTC(2026, 10, 20, 9), other: {} };
    const text = asText(projectDetailsMessage({ ...project, verdict }, 'Foot.'));
    expect(text).toMatchSnapshot();
    for (const fact of [
      ' included',
      ' 87.35',
      `<!date^${Date.UTC(2026, 10, 20, 9) / 1_000}^`,
      ' 10:00 (Europe/Oslo)',
      ' 3 ',
      '12,346 ',
      ' 4 ',
      ' 20 ',
      '$40 ',
      'Mara Quist: “Paid late.”',
      '“Great work.”',
    ])
      expect(text).toContain(fact);
  });

  it('keeps five long work histories whole, in as many sections as they need', () => {
    const entry = { title: 'T'.repeat(200), comment: '&'.repeat(900), commentOnClient: '<'.repeat(900) };
    const message = projectDetailsMessage(
      lookedUp({ workHistory: Array.from({ length: 5 }, () => entry) }),
      'Foot.',
    );
    expectHarmless(message);
    expect(asText(message).match(/“(?:&amp;){9}/gu)).toHaveLength(5);
    expect(asText(message).match(/“(?:&lt;){9}/gu)).toHaveLength(5);
  });

  it('says what was cut', () => {
    const text = asText(
      projectDetailsMessage(
        lookedUp({
          description: 'word '.repeat(4_000),
          questions: Array.from({ length: 14 }, (_, n) => `Question ${n + 1}?`),
          workHistory: Array.from({ length: 9 }, () => ({ title: 'Job' })),
        }),
        '',
      ),
    );
    expect(text).toMatch(/^.*5,000.*19,999.*$/mu);
    expect(text).toMatch(/10\. Question 10\?\n….*\b4\b/u);
    expect(text.match(/• \*Job\*/gu)).toHaveLength(5);
    expect(text).toMatch(/\(9 /u);
    expect(text.replace(/(?:word ?){99,}…?/gu, 'word… ')).toMatchSnapshot();
  });

  it('is harmless and within the limits whatever strangers wrote', () => {
    fc.assert(
      fc.property(fc.oneof(anyLookedUp, anyListed), (project) => {
        expectHarmless(projectDetailsMessage(project, 'No credit was charged.'));
      }),
      { numRuns: 60 },
    );
  });
});
