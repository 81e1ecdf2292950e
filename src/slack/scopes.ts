/** Why Gigdesk asks for each permission; docs/install.md prints it, and a test holds it against manifest.yml. */
export const scopeReasons: Readonly<Record<string, string>> = {
  commands: 'the command `/gig` and the shortcut “Look up project”',
  'chat:write': 'post cards and notices, and keep them up to date',
  'channels:history':
    'after a crash, find its own messages in a public channel again, so that no card is posted twice',
  'groups:history': 'the same in private channels that it was invited to',
  'im:history': 'the same in direct messages that it wrote',
  'im:write':
    'tell people in direct messages what concerns them: a channel that can no longer be written to, a role that somebody asks for',
  'channels:read':
    'see whether it is a member of a public channel before a subscription spends credits for it, and show people on its Home the channels that they are in; decide who sees a job or what a channel spends',
  'groups:read': 'the same for private channels',
  'users:read': 'tell full members, guests and workspace admins apart, since they may do different things',
  'usergroups:read': 'let `/gig access` give roles to user groups, and see at a press who is in them',
  'links:read': 'notice links of projects that people post',
  'links:write': 'show such projects in two lines under the message',
  'files:write': 'bring the pictures of a digest into its thread',
};
