/** Slack's permissions: why Gigdesk needs each, and what is lost without those that it can do without. */

/** Why it needs each. Installing asks for these, docs/install.md prints them, manifest.yml has the same. */
export const slackScopeReasons: Readonly<Record<string, string>> = {
  commands: 'the `/gig` command and the “Look up project” shortcut',
  'chat:write': 'post cards and notices, and keep them up to date',
  'channels:history': 'after a crash, find its own posts in public channels, so no card is posted twice',
  'groups:history': 'the same in private channels it was invited to',
  'im:history': 'the same in its own direct messages; answer with a menu when someone writes to it there',
  'im:write': 'send direct messages: a channel became unreachable, or a person requests a role',
  'channels:read':
    "check that it's in a public channel before a subscription spends credits there; " +
    "show people their channels on the Home tab; decide who can see a bid or a channel's spending",
  'groups:read': 'the same for private channels',
  'users:read': 'distinguish full members, guests and workspace admins, because their roles differ',
  'usergroups:read': "let `/gig access` give roles to user groups, and check who's in them on each press",
  'links:read': 'notice links to projects that people post',
  'links:write': 'add a two-line preview of those projects under the message',
  'files:write': 'send admins the audit log as a file',
  'app_mentions:read': 'answer with a menu when someone mentions it in a channel',
};

/** Those that it works without, and what is lost without each. docs/install.md prints it. */
export const optionalScopeLosses: Readonly<Record<string, string>> = {
  'channels:history':
    'after a crash or a lost answer, a public channel can miss a post: ' +
    "Gigdesk can't check, and never posts twice",
  'groups:history': 'the same in private channels',
  'im:history': 'the same in direct messages, and Gigdesk gives no answer there',
  'usergroups:read': "roles can't go to user groups, and groups with a role lose it",
  'links:read': 'project links that people post get no preview',
  'links:write': 'the same',
  'files:write': '`/gig audit export` sends no file',
  'app_mentions:read': 'Gigdesk gives no answer when someone mentions it',
};

/** The optional permissions that a token lacks. @param granted undefined: unknown, so none */
export function listMissingOptionalScopes(granted: readonly string[] | undefined): readonly string[] {
  if (!granted) return [];
  return Object.keys(optionalScopeLosses).filter((scope) => !granted.includes(scope));
}
