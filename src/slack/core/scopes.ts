/** Why Gigdesk needs each permission; docs/install.md prints it, and a test compares it with manifest.yml. */
export const slackScopeReasons: Readonly<Record<string, string>> = {
  commands: 'the `/gig` command and the “Look up project” shortcut',
  'chat:write': 'post cards and notices, and keep them up to date',
  'channels:history': 'after a crash, find its own posts in public channels, so no card is posted twice',
  'groups:history': 'the same in private channels it was invited to',
  'im:history': 'the same in its own direct messages',
  'im:write': 'send direct messages: a channel became unreachable, or a person requests a role',
  'channels:read':
    "check that it's in a public channel before a subscription spends credits there; " +
    "show people their channels on the Home tab; decide who can see a job or a channel's spending",
  'groups:read': 'the same for private channels',
  'users:read': 'distinguish full members, guests and workspace admins, because their roles differ',
  'usergroups:read': "let `/gig access` give roles to user groups, and check who's in them on each press",
  'links:read': 'notice links to projects that people post',
  'links:write': 'add a two-line preview of those projects under the message',
  'files:write': "post a digest's charts in its thread",
};
