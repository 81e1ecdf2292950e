/** Rules for every message, with any input from strangers. */
import { expect } from 'vitest';
import type { Message } from '../../src/slack/core/routes.ts';
import { findMessageLimitProblems } from '../../src/slack/kit/check-limits.ts';
import { toPlainBlocks } from '../../src/slack/kit/plain-blocks.ts';
import { listReplaceableBlocks, REPLACEABLE_BLOCKS } from '../../src/slack/kit/replaceable-blocks.ts';
import { findMessageRubricProblems } from './rubric.ts';

/** Within Slack's limits and rubric, in all its forms, and harmless. */
export function expectHarmless(message: Message): void {
  for (const blocks of formsOf(message))
    expect(findMessageLimitProblems({ ...message, ...(blocks ? { blocks } : {}) })).toEqual([]);
  expect(findMessageRubricProblems(message.blocks ?? [])).toEqual([]);
  expectHarmlessTexts(message.text, formsOf(message));
}

/** No mention, no channel call, no foreign link, no invisible character. */
export function expectHarmlessTexts(text: string, blocks: unknown): void {
  const sent: string[] = [];
  collectMrkdwn(blocks, sent);
  for (const shown of [text, ...sent]) {
    expect(shown).not.toMatch(/<(?!https?:\/\/|!date\^\d+\^|@[UW]|#C)|<@U0ANA>|<https:\/\/evil/u);
    // Our own zero-width space: it keeps Slack from capitalizing a day's name.
    expect(shown.replaceAll(/(?<=<!date\^\d+\^)\u200b/gu, '')).not.toMatch(/[\p{Cf}\0]/u);
  }
}

/** The blocks as they are, and the plain forms for a Slack that refuses newer ones. */
function formsOf({ blocks }: Message): readonly Message['blocks'][] {
  if (!blocks || listReplaceableBlocks(blocks).size === 0) return [blocks];
  const refused = [['data_table', 'container'], REPLACEABLE_BLOCKS] as const;
  return [blocks, ...refused.map((types) => toPlainBlocks(blocks, new Set(types), 'message'))];
}

function collectMrkdwn(value: unknown, into: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value && typeof value.text === 'string')
    into.push(value.text);
  for (const each of Object.values(value)) collectMrkdwn(each, into);
}
