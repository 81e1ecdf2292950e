/** Rules for every message, with any input from strangers. */
import { expect } from 'vitest';
import type { Message } from '../../src/slack/core/routes.ts';
import { findMessageLimitProblems } from '../../src/slack/kit/check-limits.ts';

/** Within Slack's limits; no mention, no channel call, no foreign link, no invisible character. */
export function expectHarmless(message: Message): void {
  expect(findMessageLimitProblems(message)).toEqual([]);
  const sent: string[] = [];
  collectMrkdwn(message.blocks ?? [], sent);
  for (const text of [message.text, ...sent]) {
    expect(text).not.toMatch(/<(?!https?:\/\/|!date\^\d+\^|@[UW]|#C)|<@U0ANA>|<https:\/\/evil/u);
    // Our own zero-width space: it keeps Slack from capitalizing a day's name.
    expect(text.replaceAll(/(?<=<!date\^\d+\^)\u200b/gu, '')).not.toMatch(/[\p{Cf}\0]/u);
  }
}

function collectMrkdwn(value: unknown, into: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value && typeof value.text === 'string')
    into.push(value.text);
  for (const each of Object.values(value)) collectMrkdwn(each, into);
}
