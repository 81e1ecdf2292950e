/** Why Slack lets us not into a channel, in words. */

const WORDS: Readonly<Record<string, string>> = {
  is_archived: 'it is archived',
  channel_not_found: 'it is gone, or Gigdesk was removed from it',
  not_in_channel: 'Gigdesk is not in it',
  restricted_action: 'its rules keep apps from posting',
  restricted_action_read_only_channel: 'its rules keep apps from posting',
  restricted_action_thread_only_channel: 'its rules keep apps from posting',
  missing_scope: "Gigdesk's Slack app lacks a permission",
  account_inactive: 'the Slack app was removed from the workspace',
  token_revoked: 'the Slack app was removed from the workspace',
};

/** Completes “Nothing can be posted there: …”. */
export function describeSlackTrouble(error: string): string {
  return WORDS[error] ?? `Slack says \`${error.replace(/[^a-z_]/gu, '').slice(0, 60)}\``;
}
