/** The workspace's user groups, as far as Slack lists them, and choices of them. Names: strangers' text. */
import type { KnownBlock } from '@slack/types';
import { contextBlock } from '../kit/block-builders.ts';
import type { InputChoice } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import type { UserGroupNames } from '../kit/words/labels.ts';
import { toSlackCallError } from './errors.ts';
import { describeSlackError } from './failures.ts';
import type { Services, SlackCalls } from './routes.ts';

type UserGroup = Awaited<ReturnType<SlackCalls['listUserGroups']>>[number];

/** `loading`: not asked yet. `error`: Slack's code. */
export type UserGroups =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly groups: readonly UserGroup[] }
  | { readonly kind: 'unreadable'; readonly error: string };

/** Never throws. */
export async function readUserGroups({ slack, log }: Pick<Services, 'slack' | 'log'>): Promise<UserGroups> {
  try {
    return { kind: 'known', groups: await slack.listUserGroups() };
  } catch (thrown) {
    const { code } = toSlackCallError(thrown);
    log.warn('could not load user groups', { error: code });
    return { kind: 'unreadable', error: code };
  }
}

/** Group handles for messages; asks Slack only if there are groups. Missing: unknown, show the ID. */
export async function readGroupNames(
  services: Pick<Services, 'slack' | 'log'>,
  ids: readonly string[],
): Promise<UserGroupNames> {
  if (ids.length === 0) return new Map();
  const read = await readUserGroups(services);
  return read.kind === 'known' ? new Map(read.groups.map((it) => [it.id, it.handle])) : new Map();
}

function choiceOf({ id, name, handle }: UserGroup): InputChoice {
  return { label: `@${handle} ${name}`, value: id };
}

/** Includes the groups chosen before, whatever Slack returns: saving removes only what the user removed. */
export function userGroupChoices(groups: UserGroups, chosen: readonly string[]): readonly InputChoice[] {
  const known = groups.kind === 'known' ? groups.groups : [];
  const before = [...new Set(chosen)];
  const first = before.map((id) => {
    const group = known.find((it) => it.id === id);
    return group ? choiceOf(group) : { label: `Group ${id}`, value: id };
  });
  const others = known.filter(({ id }) => !before.includes(id)).map(choiceOf);
  const sorted = others.toSorted((a, b) => (a.label < b.label ? -1 : 1));
  return [...first, ...sorted].slice(0, slackLimits.selectOptions.max);
}

/**
 * Why some groups are missing in a form; no block if none are. @param standing how the previously chosen
 * groups are shown
 */
export function userGroupsBlocks(groups: UserGroups, standing: string): KnownBlock[] {
  switch (groups.kind) {
    case 'loading':
      return [contextBlock(':hourglass_flowing_sand: Loading user groups…')];
    case 'known':
      return groups.groups.length > slackLimits.selectOptions.max
        ? [contextBlock('This menu shows the first 100 user groups.')]
        : [];
    case 'unreadable': {
      const isForbidden = groups.error === 'missing_scope';
      const why = isForbidden
        ? "Gigdesk's Slack app needs the `usergroups:read` permission"
        : describeSlackError(groups.error);
      const advice = 'Ask the person who runs Gigdesk to add the permission and reinstall the app.';
      return [
        alertBlock('warning', `Couldn't load user groups: ${why}.`),
        contextBlock(isForbidden ? `${advice} ${standing}` : standing),
      ];
    }
  }
}
