/** Slack permissions that Gigdesk works without, and what is lost without each. docs/install.md prints it. */
export const optionalScopeLosses: Readonly<Record<string, string>> = {
  'channels:history':
    'after a crash or a lost answer, a public channel can miss a post: ' +
    "Gigdesk can't check, and never posts twice",
  'groups:history': 'the same in private channels',
  'im:history': 'the same in direct messages, and Gigdesk gives no answer there',
  'usergroups:read': "roles can't go to user groups, and groups with a role lose it",
  'links:read': 'project links that people post get no preview',
  'links:write': 'the same',
  'files:write': 'digests have no charts, only their text',
  'app_mentions:read': 'Gigdesk gives no answer when someone mentions it',
};

/** The optional permissions that a token lacks. @param granted undefined: unknown, so none */
export function listMissingOptionalScopes(granted: readonly string[] | undefined): readonly string[] {
  if (!granted) return [];
  return Object.keys(optionalScopeLosses).filter((scope) => !granted.includes(scope));
}
