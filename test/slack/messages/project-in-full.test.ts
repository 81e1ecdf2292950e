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
