/** Why Slack refuses posts in a channel, in words. Pure. */

const WORDS: Readonly<Record<string, string>> = {
  is_archived: 'the channel is archived',
  channel_not_found: 'the channel was deleted, or Gigdesk was removed from it',
  not_in_channel: "Gigdesk isn't in the channel",
  restricted_action: "the channel's settings don't let apps post",
  restricted_action_read_only_channel: "the channel's settings don't let apps post",
  restricted_action_thread_only_channel: "the channel's settings don't let apps post",
  missing_scope: "Gigdesk's Slack app is missing a permission",
  no_permission: "Gigdesk's Slack app is missing a permission",
  access_denied: 'Slack denied access',
  invalid_auth: 'Slack rejected the token',
  not_authed: 'Slack rejected the token',
  token_expired: 'the token has expired',
  account_inactive: 'the Slack app was removed from the workspace',
  token_revoked: 'the Slack app was removed from the workspace',
};

/** Completes “Nothing can be posted there: …”. */
export function describeSlackError(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ?? `Slack returned ${codeOf(error)}`;
}

/** The same with Slack's own code, for readers who can look it up. */
export function describeSlackErrorWithCode(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ? `${words} (${codeOf(error)})` : describeSlackError(error);
}

function codeOf(error: string): string {
  return `\`${error.replace(/[^a-z_]/gu, '').slice(0, 60)}\``;
}
