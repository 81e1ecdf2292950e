import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectInFull } from '../../../src/slack/messages/project-in-full.ts';
import { anyListed, anyLookedUp } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { listed, lookedUp } from '../samples.ts';
import { asText } from './as-text.ts';

describe('a project in full', () => {
  it('reads well', async () => {
    const message = projectInFull(lookedUp(), 'Cost this channel 1 credit.');
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/project-in-full.txt');
  });

  it('is shown from what a list told where nothing more could be had', async () => {
    const message = projectInFull(listed({ client: { verified: false } }), 'This is what the list told.');
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
    const text = asText(projectInFull(lookedUp({ workHistory: [job] }), 'Foot.'));
    expect(text).toContain(`• *Job* – ${told}\n`);
  });

  it('leaves out what tells nothing: wishes for anyone, a type that the budget names, the site', () => {
    const plain = { locations: [], languages: ['English'], talentType: 'Any', english: 'Fluent' };
    const text = asText(
      projectInFull(lookedUp({ preferred: plain, jobType: 'Fixed', site: 'marketplace' }), 'Foot.'),
    );
    expect(text).toContain('*Wants*\nEnglish: Fluent\n');
    expect(text).not.toContain('Job type');
    expect(text).not.toMatch(/marketplace$/mu);
  });

  it.each([
    ['between words', 'words '.repeat(700), /^(?:words ?)+$/u],
    ['beside a sign and not through it', `${'a'.repeat(2_499)}${'😀'.repeat(400)}`, /^a*(?:😀)*$/u],
  ])('cuts its description %s', (_, description, whole) => {
    const { blocks = [] } = projectInFull(lookedUp({ description }), '');
    const texts = blocks.flatMap((block) =>
      block.type === 'section' && block.text?.type === 'plain_text' ? [block.text.text] : [],
    );
    expect(texts.join('').length).toBeGreaterThan(3_000);
    for (const text of texts) expect(text).toMatch(whole);
  });

  it('says what was cut', () => {
    const text = asText(
      projectInFull(
        lookedUp({
          description: 'word '.repeat(4_000),
          questions: Array.from({ length: 14 }, (_, n) => `Question ${n + 1}?`),
          workHistory: Array.from({ length: 9 }, () => ({ title: 'Job' })),
        }),
        '',
      ),
    );
    expect(text).toContain('Cut at 5,000 of 19,999 characters: the link has the rest.');
    expect(text).toContain('10. Question 10?\n…and 4 more');
    expect(text).toContain("*Client's work history* (9 jobs)");
  });

  it('is harmless and within the limits whatever strangers wrote', () => {
    fc.assert(
      fc.property(fc.oneof(anyLookedUp, anyListed), (project) => {
        expectHarmless(projectInFull(project, 'No credit was charged.'));
      }),
      { numRuns: 60 },
    );
  });
});
