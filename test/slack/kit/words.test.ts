import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestMuteWords } from '../../../src/slack/cards/skip-window.ts';
import {
  cardMenuValues,
  formatMutedWord,
  MAX_MUTED_WORD_LENGTH,
  parseCardMenuChoice,
  parseMutedWord,
} from '../../../src/slack/kit/button-values.ts';
import { underlineWithCarets } from '../../../src/slack/kit/command-text.ts';
import { codeText } from '../../../src/slack/kit/mrkdwn.ts';
import { usageBarText } from '../../../src/slack/kit/numbers.ts';
import { clientLine } from '../../../src/slack/kit/project/client.ts';
import { verdictLine } from '../../../src/slack/kit/project/project-lines.ts';
import { listProjectRedFlags, listProjectWarnings } from '../../../src/slack/kit/project/red-flags.ts';
import { listed, lookedUp } from '../samples.ts';

describe('red flags', () => {
  it('are not raised by a good client, nor by what is not told', () => {
    expect(listProjectRedFlags(listed())).toEqual([]);
    expect(listProjectRedFlags(listed({ client: {} }))).toEqual([]);
  });

  it('are not raised by a new client, whose line says so', () => {
    const client = { verified: false, totalHires: 0, totalSpent: 0, reviews: 0 };
    expect(listProjectRedFlags(listed({ client }))).toEqual([]);
    expect(clientLine(client)).toMatch(/no hires.*not verified/u);
  });

  it('of a low grade are no warnings', () => {
    const project = listed({ description: 'Call me.', client: { totalHires: 12, hireRate: 0.2 } });
    expect(listProjectRedFlags(project)).toHaveLength(2);
    expect(listProjectWarnings(project)).toEqual([]);
  });

  it.each([
    ['a low rating', { client: { rating: 3.2, reviews: 12 } }, /rating/u],
    ['a low hire rate', { client: { totalHires: 12, hireRate: 0.2 } }, /20%.* 60 /u],
    ['no description', { description: ' \u0000\u200B ' }, /./u],
    ['a short description', { description: 'Call me.' }, /\b8 characters/u],
    ['a way of contact', { description: `${'Long enough. '.repeat(9)} Write me on Telegram.` }, /Telegram/u],
    [
      'work without pay',
      { description: `${'Long enough. '.repeat(9)} We begin with a free test.` },
      /“free test”/u,
    ],
    ['hidden signs', { title: 'Nice \u202Ejob' }, / 1 /u],
  ])('raise %s', (_, change, fact) => {
    const flags = listProjectRedFlags(listed(change));
    expect(flags).toContainEqual(expect.stringMatching(fact));
  });

  it.each([
    ['a low rating of few reviews', { rating: 1, reviews: 2 }],
    ['a low hire rate of few jobs', { totalHires: 1, hireRate: 0.2 }],
  ])('%s proves nothing', (_, client) => {
    expect(listProjectRedFlags(listed({ client }))).toEqual([]);
  });

  it('count the jobs posted where a lookup told them', () => {
    const project = lookedUp({ client: { hireRate: 0.1 }, clientMore: { jobsPosted: 90 } });
    expect(listProjectRedFlags(project)).toEqual([expect.stringMatching(/10%.* 90 /u)]);
  });
});

describe('the AI verdict', () => {
  it.each([
    [undefined, undefined],
    [{ other: {} }, undefined],
    [{ reason: 'Too small', other: {} }, /^\*.* Too small$/u],
    [{ decision: 'true', other: {} }, /^:white_check_mark: /u],
    [{ decision: 'Disqualified', reason: 'No budget', other: {} }, /^:no_entry_sign: .* No budget$/u],
    [{ decision: 'needs review', other: {} }, /^\*.*needs review\*$/u],
  ])('%j reads %s', (verdict, words) => {
    const line = verdictLine(verdict, 100);
    if (words) expect(line).toMatch(words);
    else expect(line).toBeUndefined();
  });
});

describe('the place of a mistake', () => {
  it('stands under it, also far into a long text', () => {
    const text = `${'word '.repeat(20)}budget:>lots ${'more '.repeat(20)}`;
    const [shown = '', carets = ''] = underlineWithCarets(text, 108, 4).split('\n');
    expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('lots');
  });

  it('shows words in code that no backtick can leave', () => {
    expect(codeText('a `b` <!channel>')).toBe("`a 'b' &lt;!channel&gt;`");
  });
});

describe('what travels with a press', () => {
  it('fits an option and comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string(), (title, skill) => {
        for (const word of suggestMuteWords({ title, skills: [skill] }, MAX_MUTED_WORD_LENGTH)) {
          const value = formatMutedWord(word);
          expect(value.length).toBeLessThanOrEqual(75);
          expect(parseMutedWord(value)).toBe(word);
        }
      }),
      { numRuns: 50 },
    );
    for (const value of Object.values(cardMenuValues)) expect(parseCardMenuChoice(value)).toBe(value);
  });

  it('is nothing when it was not written here', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        fc.pre(!Object.values<string>(cardMenuValues).includes(value));
        expect(parseCardMenuChoice(value)).toBeUndefined();
      }),
    );
  });
});

describe('telling words', () => {
  it('are the skills, then the longest words of the title, without empty ones', () => {
    const project = {
      title: 'Looking for an expert Shopify developer: need checkout',
      skills: ['React Native'],
    };
    expect(suggestMuteWords(project, 40)).toEqual(['react native', 'checkout', 'shopify']);
  });
});

describe('a meter', () => {
  it.each([
    [0, 500, '░░░░░░░░░░ 0%'],
    [200, 500, '▓▓▓▓░░░░░░ 40%'],
    [499, 500, '▓▓▓▓▓▓▓▓▓░ &gt;99%'],
    [1, 500, '░░░░░░░░░░ &lt;1%'],
    [700, 500, '▓▓▓▓▓▓▓▓▓▓ 140%'],
    [0, 0, '▓▓▓▓▓▓▓▓▓▓ 100%'],
  ])('of %d in %d', (used, of, bar) => {
    expect(usageBarText(used, of)).toBe(bar);
  });
});
