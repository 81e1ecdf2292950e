/** What is said of a request: guesses at a mistyped command, and what a late answer answers. */
import { describe, expect, it } from 'vitest';
import { unknownCommandMessage } from '../../../src/slack/core/request-errors.ts';
import { addRequestHeading } from '../../../src/slack/core/slow-reply.ts';
import { sectionBlock } from '../../../src/slack/kit/block-builders.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';

describe('a mistyped command', () => {
  it.each([
    ['statsu', ['list', 'stats', 'status'], ['stats', 'status', 'help']],
    ['nonsense', ['list', 'stats'], ['help']],
    ['Follow', ['list', 'subscribe'], ['subscribe', 'help']],
    ['follow', ['list'], ['help']],
    ['constructor', ['list'], ['help']],
  ])('%s of %j leads to %j', (word, known, meant) => {
    const { text } = unknownCommandMessage(word, known);
    expect([...text.matchAll(/`\/gig (\w+)`/gu)].map(([, command]) => command)).toEqual(meant);
  });
});

it('a late answer says what it answers, unless it has no room for that', () => {
  const full = { text: 'full', blocks: Array.from({ length: 50 }, () => sectionBlock('row')) };
  expect(addRequestHeading('`/gig job 1`', full)).toBe(full);
  const fits = addRequestHeading('`/gig job 1`', { ...full, blocks: full.blocks.slice(1) });
  expect([fits.blocks?.length, findMessageLimitProblems(fits)]).toEqual([50, []]);
});
