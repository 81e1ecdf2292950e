/** Offering the workspace's user groups. Their names are strangers' words. Pure. */
import { slackLimits } from '../blocks/limits.ts';
import { describeSlackError } from '../messages/slack-error-text.ts';
import type { UserGroup, UserGroups } from '../user-groups.ts';
import type { InputChoice } from './inputs.ts';

function choiceOf({ id, name, handle }: UserGroup): InputChoice {
  return { label: `@${handle} ${name}`, value: id };
}

/**
 * Every group that was chosen before is among them, whatever Slack tells, so that saving takes away only what was taken
 * away knowingly.
 */
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

/** Why not all of them are offered; undefined when they are. @param standing how groups that were chosen before are shown */
export function userGroupsNotice(groups: UserGroups, standing: string): string | undefined {
  switch (groups.kind) {
    case 'loading':
      return ':hourglass_flowing_sand: Loading user groups…';
    case 'known':
      return groups.groups.length > slackLimits.selectOptions.max
        ? 'This menu shows the first 100 user groups.'
        : undefined;
    case 'unreadable':
      return groups.error === 'missing_scope'
        ? `:warning: Couldn't load user groups: Gigdesk's Slack app needs the \`usergroups:read\` permission. Ask the person who runs Gigdesk to add it and reinstall the app. ${standing}`
        : `:warning: Couldn't load user groups: ${describeSlackError(groups.error)}. ${standing}`;
  }
}
