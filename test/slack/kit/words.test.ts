import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChannelId, FilterId, ProjectKey } from '../../../src/ids.ts';
import type { ChannelNotice } from '../../../src/outbox/posts.ts';
import { suggestMuteWords } from '../../../src/slack/cards/mute-words.ts';
import {
  cardMenuValues,
  formatMutedWord,
  MAX_MUTED_WORD_LENGTH,
  parseCardMenuChoice,
  parseMutedWord,
} from '../../../src/slack/kit/button-values.ts';
import { queryErrorMessage, underlineWithCarets } from '../../../src/slack/kit/command-text.ts';
import { codeText } from '../../../src/slack/kit/mrkdwn.ts';
import { usageBarText } from '../../../src/slack/kit/numbers.ts';
import { clientLine } from '../../../src/slack/kit/project/client.ts';
import { verdictLine } from '../../../src/slack/kit/project/project-lines.ts';
import { listProjectRedFlags, listProjectWarnings } from '../../../src/slack/kit/project/red-flags.ts';
import { noticeMessage } from '../../../src/slack/status/notice.ts';
import { anyFilters, anyListed } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { CHANNEL, listed, lookedUp, NOW, REACT } from '../samples.ts';

const DAY = 86_400_000;

describe('what a channel is told', () => {
  const notices: readonly ChannelNotice[] = [
    { about: 'budget-low', used: 400, limit: 500, resetsAt: NOW + 10 * DAY, runsOutAt: NOW + 3 * DAY },
    { about: 'budget-low', used: 400, limit: 500, resetsAt: NOW + 10 * DAY },
    { about: 'budget-spent', left: 7, limit: 500, resetsAt: NOW + 10 * DAY },
    { about: 'budget-spent', left: 0, limit: 500, resetsAt: NOW + 10 * DAY },
    { about: 'account-credits-spent', remaining: 4, resetsAt: NOW + 10 * DAY },
    { about: 'account-credits-spent', remaining: 0 },
    { about: 'account-credits-spent', remaining: 0, resetsAt: NOW + 10 * DAY, looksLikeTrial: true },
    { about: 'account-credits-spent', remaining: 4, looksLikeTrial: true },
    { about: 'budget-spent', left: 0, limit: 50, resetsAt: NOW + 10 * DAY, looksLikeTrial: true },
    { about: 'feed-failing', code: 'unauthorised', since: NOW, filters: [] },
    { about: 'feed-failing', code: 'not-found', since: NOW, filters: [REACT] },
    { about: 'feed-recovered', since: NOW, filters: [] },
    { about: 'channel-unreachable', channel: CHANNEL, error: 'is_archived' },
    { about: 'channel-unreachable', channel: CHANNEL, error: 'some_new_error<!channel>' },
    { about: 'conversation-refused', channel: CHANNEL, error: 'missing_scope' },
    { about: 'conversation-refused', channel: ChannelId.parse('U1'), error: 'some_new_error<!channel>' },
    {
      about: 'post-given-up',
      channel: CHANNEL,
      why: 'refused',
      error: 'blocked_by_dlp_policy',
      project: ProjectKey.parse('~0219'),
    },
    { about: 'post-given-up', channel: ChannelId.parse('U1'), why: 'unclear', error: 'missing_scope' },
    {
      about: 'post-given-up',
      channel: CHANNEL,
      why: 'refused',
      error: 'new<!here>',
      project: ProjectKey.parse('x` <!channel>'),
    },
    { about: 'backfill-done', filter: REACT, asked: 20, posted: 20 },
    { about: 'backfill-done', filter: { id: FilterId.parse(7) }, asked: 20, posted: 3 },
  ];

  it('says what happened and what to do next', async () => {
    const text = notices.map((notice) => noticeMessage(notice).text).join('\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot('__snapshots__/notices.txt');
    for (const notice of notices) expectHarmless(noticeMessage(notice));
  });

  it('is harmless whatever filters are called', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        expectHarmless(noticeMessage({ about: 'feed-failing', code: 'server', since: NOW, filters }));
      }),
      { numRuns: 20 },
    );
  });
});

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
    expect(flags).toMatchSnapshot();
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
    if (words) expect(verdictLine(verdict, 100)).toMatch(words);
    expect(verdictLine(verdict, 100)).toMatchSnapshot();
  });
});

describe('the place of a mistake', () => {
  it('stands under it, also far into a long text', () => {
    const text = `${'word '.repeat(20)}budget:>lots ${'more '.repeat(20)}`;
    const [shown = '', carets = ''] = underlineWithCarets(text, 108, 4).split('\n');
    expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('lots');
  });

  it('never throws, and its message is harmless', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer(),
        fc.integer(),
        (text, at, length) => {
          const mistake = { kind: 'mistake', at, length, message: text || 'Wrong.', example: text } as const;
          const message = queryErrorMessage(text, mistake, '/gig subscribe filter 1 ');
          expectHarmless(message);
          expect(message.text.split('```').length).toBeLessThanOrEqual(3);
        },
      ),
    );
  });

  it('shows words in code that no backtick can leave', () => {
    expect(codeText('a `b` <!channel>')).toBe("`a 'b' &lt;!channel&gt;`");
  });
});

describe('what travels with a press', () => {
  it('fits an option and comes back as it was', () => {
    fc.assert(
      fc.property(anyListed, (project) => {
        for (const word of suggestMuteWords(project, MAX_MUTED_WORD_LENGTH)) {
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
