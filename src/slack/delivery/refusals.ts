/** What Slack's errors mean for delivery. Source: the tables of chat.postMessage and chat.update. Pure. */

/**
 * channel: nothing can be posted there until people change something · conversation: a permission is missing
 * there, or for this method; other conversations may work · content: the message is wrong, another one may
 * pass · token: nothing can be posted anywhere, if `auth.test` confirms it · later: none of these; retried
 * after growing delays.
 */
export type RefusalKind = 'channel' | 'conversation' | 'content' | 'token' | 'later';

const KINDS: Readonly<Record<Exclude<RefusalKind, 'later'>, ReadonlySet<string>>> = {
  channel: new Set([
    'as_user_not_supported',
    'cannot_dm_bot',
    'channel_not_found',
    'ekm_access_denied',
    'is_archived',
    'messages_tab_disabled',
    'not_in_channel',
    'posting_to_channel_denied',
    'restricted_action',
    'restricted_action_non_threadable_channel',
    'restricted_action_read_only_channel',
    'restricted_action_thread_locked',
    'restricted_action_thread_only_channel',
    'team_access_not_granted',
    'team_not_found',
    'user_disabled',
    'user_not_found',
    'user_not_visible',
    'users_not_found',
  ]),
  conversation: new Set(['access_denied', 'missing_scope', 'no_permission', 'not_allowed_token_type']),
  content: new Set([
    'attachment_payload_limit_exceeded',
    'block_mismatch',
    'invalid_arguments',
    'invalid_attachments',
    'invalid_blocks',
    'invalid_blocks_format',
    'invalid_metadata_format',
    'invalid_metadata_schema',
    'markdown_text_conflict',
    'metadata_must_be_sent_from_app',
    'metadata_too_large',
    'msg_blocks_too_long',
    'msg_too_long',
    'no_text',
    'too_many_attachments',
  ]),
  token: new Set([
    'account_inactive',
    'accesslimited',
    'invalid_auth',
    'not_authed',
    'org_login_required',
    'token_expired',
    'token_revoked',
    'two_factor_setup_required',
  ]),
};

export function classifyRefusal(code: string): RefusalKind {
  for (const kind of ['channel', 'conversation', 'content', 'token'] as const)
    if (KINDS[kind].has(code)) return kind;
  return 'later';
}

/** Slack can't add a reply: the message was deleted or its thread is locked. */
const THREAD_REFUSALS = new Set([
  'cannot_reply_to_message',
  'message_not_found',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
  'thread_not_found',
]);

/** Whether a refusal to post into or read a thread concerns only that thread. */
export function isThreadRefusal(code: string): boolean {
  return THREAD_REFUSALS.has(code);
}

/** An update that will never work: the message stays as it is. */
const FINAL_FOR_UPDATE = new Set([
  'cant_update_message',
  'edit_window_closed',
  'message_not_found',
  'update_failed',
]);

export function isPermanentUpdateRefusal(code: string): boolean {
  return FINAL_FOR_UPDATE.has(code) || classifyRefusal(code) === 'content';
}
