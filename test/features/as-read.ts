/** Text as people read it: names for ids, and nothing that differs between runs. Fit for snapshots. */
import type { Role } from '../../src/access/access.ts';
import { UserId } from '../../src/ids.ts';
import { notAllowedMessage } from '../../src/slack/core/request-errors.ts';
import type { SlackView } from '../../src/workbench/slack/objects.ts';
import { mrkdwnToPlainText } from '../../src/workbench/slack/text/mrkdwn.ts';
import { renderViewText } from '../../src/workbench/slack/text.ts';
import type { World } from './world.ts';

const NOBODY = UserId.parse('U0');

/** The random reference that finds an error in the log. */
const REF = /([_(])ref [A-Za-z0-9-]+/gu;

/** The names behind the ids of people and channels. */
export function namesIn({ slack }: World): (id: string) => string | undefined {
  return (id) => {
    try {
      return id.startsWith('C') ? slack.channel(id).name : slack.user(id).name;
    } catch {
      return undefined;
    }
  };
}

/** Mrkdwn, each line once: a message's text and its blocks mostly repeat each other. */
export function asRead(world: World, words: string): string {
  const plain = mrkdwnToPlainText(words.replaceAll(REF, '$1ref …'), namesIn(world));
  return [...new Set(plain.split('\n'))].join('\n');
}

/** A modal with all its options. */
export function viewAsRead(world: World, view: SlackView): string {
  return renderViewText(view, { width: 100, nameOf: namesIn(world) }).replaceAll(REF, '$1ref …');
}

/** A person's message when `role` may not do what needs `needs`; in one message, as sent to Slack. */
export function refusalFor(needs: Role, role: Role = 'viewer'): string {
  return notAllowedMessage({ user: NOBODY, role }, needs).text;
}
