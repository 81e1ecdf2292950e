/** Where the bot and a person talk, in world tests. */
import { expect } from 'vitest';
import type { World } from './world.ts';

/** The conversation of a person and the bot. */
export function directChannel({ slack }: Pick<World, 'slack'>, user: string): string {
  slack.directMessages(user);
  const { id } = slack.user(user);
  const found = slack.channels().find(({ kind, members }) => kind === 'im' && members.includes(id));
  return found?.id ?? expect.fail(`no conversation with ${user}`);
}
