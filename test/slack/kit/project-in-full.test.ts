import { describe, expect, it } from 'vitest';
import { projectDetailsMessage } from '../../../src/slack/kit/project/project-details.ts';
import { lookedUp } from '../samples.ts';

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) =>
    key === 'text' && typeof it === 'string' ? [it] : textsIn(it),
  );
}

function textOf(change: object): string {
  return textsIn(projectDetailsMessage({ ...lookedUp(), ...change }, 'Foot.').blocks).join('\n');
}

describe('a project in full', () => {
  it.each([
    ['2025-08-12T10:00:00Z', '2025-08-30T10:00:00Z', 'Aug 2025'],
    ['2025-08-12', '2025-11-01', 'Aug to Nov 2025'],
    ['2024-12-01', '2025-02-01', 'Dec 2024 to Feb 2025'],
    ['2025-08-12', undefined, 'since Aug 2025'],
    [undefined, '2025-08-12', 'Aug 2025'],
    ['last summer', '2025-13-01', 'last summer to 2025-13-01'],
  ])('tells when an earlier job was: from %s to %s is “%s”', (startDate, endDate, told) => {
    const job = { title: 'Job', ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
    expect(textOf({ workHistory: [job] })).toContain(`• *Job* – ${told}`);
  });

  it('leaves out what tells nothing: wishes for anyone, a type that the budget names, the site', () => {
    const preferred = { locations: [], languages: ['English'], talentType: 'Any', english: 'Fluent' };
    const text = textOf({ preferred, jobType: 'Fixed', site: 'marketplace' });
    expect(text).toContain('Fluent');
    expect(text).not.toMatch(/Any|Type: Fixed|marketplace$/mu);
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

  it('shows what the client said, and how the site ranks the client', () => {
    const text = textOf({
      clientMore: {
        localTime: '10:00',
        timezone: 'Europe/Oslo',
        totalHoursPaid: 12_345.6,
        rankDowngrade: { lowReviews: 4, scoredReviews: 20, recentLowReviews: 2, cappedAt: 3 },
      },
      workHistory: [{ title: 'Shop', rate: 40, contractor: 'Mara Quist', commentOnClient: 'Paid late.' }],
      verdict: { decision: 'qualified', score: 87.345, other: {} },
    });
    for (const fact of [
      ' 87.35',
      '10:00 (Europe/Oslo)',
      '12,346 ',
      ' 4 ',
      ' 20 ',
      '$40 ',
      'Mara Quist: “Paid late.”',
    ])
      expect(text).toContain(fact);
  });

  it('says what was cut', () => {
    const text = textOf({
      description: 'word '.repeat(4_000),
      questions: Array.from({ length: 14 }, (_, n) => `Question ${n + 1}?`),
      workHistory: Array.from({ length: 9 }, () => ({ title: 'Job', comment: '&'.repeat(900) })),
    });
    expect(text).toMatch(/^.*5,000.*19,999.*$/mu);
    expect(text).toMatch(/10\. Question 10\?\n….*\b4\b/u);
    expect(text.match(/• \*Job\*/gu)).toHaveLength(5);
    expect(text.match(/“(?:&amp;){9}/gu)).toHaveLength(5);
  });
});
