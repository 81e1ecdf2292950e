/** Invariants after any action of people, the marketplace or Slack. */
import { expect } from 'vitest';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { World } from './world.ts';

function mrkdwnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnIn)];
}

/** Text for people: no mentions, no foreign links, no internals. */
export function expectDecent(words: string): void {
  expect(words).not.toMatch(/<!(?:channel|here|everyone|subteam)|<https?:\/\/evil/u);
  expect(words).not.toMatch(/at .*\.ts:\d|\bundefined\b|\bNaN\b|\[object /u);
}

export function expectDecentMessage(message: SlackMessage): void {
  expectDecent([message.text, ...mrkdwnIn(message.blocks)].join('\n'));
}

export function expectDecentView(view: SlackView): void {
  expectDecent([view.title, ...mrkdwnIn(view.blocks)].join('\n'));
}

/** Everything the app has shown so far: in these channels and their threads, and to single people. */
export function allShown(
  { slack }: World,
  channels: readonly string[] = ['web', 'data'],
): readonly SlackMessage[] {
  const posted = channels.flatMap((name) =>
    slack.messages(name).flatMap((message) => slack.thread(name, message.ts)),
  );
  return [...posted, ...slack.ephemerals()].filter((message) => message.byBot);
}
