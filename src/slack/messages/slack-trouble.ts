/** Why Slack lets us not into a channel, in words. */

const WORDS: Readonly<Record<string, string>> = {
  is_archived: 'it is archived',
  channel_not_found: 'it is gone, or Gigdesk was removed from it',
  not_in_channel: 'Gigdesk is not in it',
  restricted_action: 'its rules keep apps from posting',
  restricted_action_read_only_channel: 'its rules keep apps from posting',
  restricted_action_thread_only_channel: 'its rules keep apps from posting',
  missing_scope: "Gigdesk's Slack app lacks a permission",
  no_permission: "Gigdesk's Slack app lacks a permission",
  access_denied: 'access is denied',
  invalid_auth: 'Slack refuses the token',
  not_authed: 'Slack refuses the token',
  token_expired: 'the token has expired',
  account_inactive: 'the Slack app was removed from the workspace',
  token_revoked: 'the Slack app was removed from the workspace',
};

/** Completes “Nothing can be posted there: …”. */
export function describeSlackTrouble(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ?? `Slack says ${codeOf(error)}`;
}

/** The same with Slack's own code, for those who can look it up. */
export function describeWithCode(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ? `${words} (${codeOf(error)})` : describeSlackTrouble(error);
}

function codeOf(error: string): string {
  return `\`${error.replace(/[^a-z_]/gu, '').slice(0, 60)}\``;
}
