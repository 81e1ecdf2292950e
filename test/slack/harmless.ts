/** Rules for every message, with any input from strangers. */
import { expect } from 'vitest';
import type { Message } from '../../src/slack/core/routes.ts';
import { findMessageLimitProblems } from '../../src/slack/kit/check-limits.ts';
import { findLostParts, listPlainForms } from './plain-forms.ts';
import { findMessageRubricProblems } from './rubric.ts';

/** Within Slack's limits and rubric, in all its forms, and harmless. */
export function expectHarmless(message: Message): void {
  expect(findMessageLimitProblems(message)).toEqual([]);
  const own = message.blocks ?? [];
  const forms = listPlainForms(own);
  for (const { refused, blocks } of forms) {
    expect(findMessageLimitProblems({ ...message, blocks })).toEqual([]);
    expect(blocks.map(({ type }) => type)).not.toContain(refused[0]);
    expect(findLostParts(own, blocks)).toEqual([]);
  }
  expect(findMessageRubricProblems(own)).toEqual([]);
  expectHarmlessTexts(message.text, [own, ...forms.map(({ blocks }) => blocks)]);
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

function collectMrkdwn(value: unknown, into: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value && typeof value.text === 'string')
    into.push(value.text);
  for (const each of Object.values(value)) collectMrkdwn(each, into);
}
