/** The workspace's objects as Slack's JSON. */
import { SECOND } from '../../clock.ts';
import { fileExtension, mimeTypeForFile } from './file-types.ts';
import { withoutUndefined } from './json-reading.ts';
import type {
  JsonObject,
  SlackChannel,
  SlackMessage,
  SlackUser,
  SlackUserGroup,
  SlackView,
  UploadedFile,
} from './objects.ts';
import type { SlackSimulatorContext } from './simulator-context.ts';
import { privateFileUrl } from './web/private-files.ts';

/** The workspace's creation date. Slack's dates are in whole seconds. */
const CREATED_S = 1_700_000_000;

export function userJson(user: SlackUser): JsonObject {
  const restricted = {
    is_restricted: user.guest !== undefined,
    is_ultra_restricted: user.guest === 'single',
  };
  return withoutUndefined({
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: user.deleted,
    real_name: user.name,
    tz: user.tz,
    profile: { real_name: user.name, display_name: user.name },
    is_admin: user.admin,
    is_owner: user.owner,
    is_primary_owner: false,
    ...restricted,
    is_bot: user.bot,
    is_app_user: false,
    enterprise_user: user.enterprise && {
      id: user.enterprise.id ?? user.id,
      enterprise_id: 'E0GIGDESK',
      teams: [...user.enterprise.teams],
    },
    is_stranger: user.stranger ? true : undefined,
    updated: CREATED_S,
  });
}

export function channelJson(channel: SlackChannel, botId: string): JsonObject {
  if (channel.kind === 'im')
    return {
      id: channel.id,
      created: CREATED_S,
      is_im: true,
      is_archived: channel.archived,
      user: channel.members.find((member) => member !== botId),
    };
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    created: CREATED_S,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_archived: channel.archived,
    is_general: false,
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    is_org_shared: false,
    is_member: channel.members.includes(botId),
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}

export function groupJson(group: SlackUserGroup, teamId: string): JsonObject {
  return {
    id: group.id,
    team_id: teamId,
    is_usergroup: true,
    name: group.handle,
    handle: group.handle,
    date_delete: 0,
    user_count: group.users.length,
    users: group.users,
  };
}

/** `withMetadata`: the history omits metadata unless requested. */
export function messageJson(
  site: SlackSimulatorContext,
  message: SlackMessage,
  withMetadata = true,
): JsonObject {
  const replies = message.threadTs === undefined ? site.messages.replies(message) : [];
  const latest = replies.at(-1);
  const { world } = site;
  const unfurled = Object.entries(message.unfurls).map(([url, unfurl], index) => ({
    id: index + 1,
    from_url: url,
    original_url: url,
    is_app_unfurl: true,
    app_id: world.bot.appId,
    ...unfurl,
  }));
  const attachments = [...message.attachments, ...unfurled];
  return withoutUndefined({
    type: 'message',
    subtype: message.broadcast ? 'thread_broadcast' : undefined,
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: world.team.id,
    ...(message.byBot
      ? { bot_id: world.bot.botId, app_id: world.bot.appId, bot_profile: botJson(site) }
      : {}),
    blocks: message.blocks.length > 0 ? message.blocks : undefined,
    attachments: attachments.length > 0 ? attachments : undefined,
    metadata: withMetadata ? message.metadata : undefined,
    edited: message.edited ? { user: message.user, ts: message.ts } : undefined,
    thread_ts: message.threadTs ?? (latest ? message.ts : undefined),
    reply_count: latest ? replies.length : undefined,
    reply_users: latest ? [...new Set(replies.map((each) => each.user))] : undefined,
    latest_reply: latest?.ts,
    reactions:
      message.reactions.length > 0
        ? message.reactions.map(({ name, users }) => ({ name, users, count: users.length }))
        : undefined,
    files:
      message.fileIds.length > 0
        ? message.fileIds.flatMap((id) => {
            const file = site.files.find(id);
            return file ? [fileJson(site, file)] : [];
          })
        : undefined,
  });
}

export function botJson(site: SlackSimulatorContext): JsonObject {
  const { bot, team } = site.world;
  return {
    id: bot.botId,
    app_id: bot.appId,
    user_id: bot.userId,
    name: bot.name,
    team_id: team.id,
    deleted: false,
  };
}

/** A file in messages and submissions. @see web/private-files.ts for its URLs */
export function fileJson(site: SlackSimulatorContext, file: UploadedFile): JsonObject {
  const filetype = fileExtension(file.name) ?? 'binary';
  const created = Math.floor(file.at / SECOND);
  const address = privateFileUrl(site, file);
  return withoutUndefined({
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: mimeTypeForFile(file.name),
    filetype,
    user: file.user,
    user_team: site.world.team.id,
    mode: 'hosted',
    is_external: false,
    alt_txt: file.altText,
    size: file.bytes.length,
    url_private: address,
    url_private_download: `${address}?download`,
  });
}

/** `state`: the person's input. */
export function viewJson(site: SlackSimulatorContext, view: SlackView, state: JsonObject = {}): JsonObject {
  const { bot, team } = site.world;
  const words = (text: string | undefined) =>
    text === undefined ? null : { type: 'plain_text', text, emoji: true };
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.privateMetadata,
    callback_id: view.callbackId,
    state: { values: state },
    hash: view.hash,
    title: words(view.title),
    clear_on_close: view.clearOnClose,
    notify_on_close: view.notifyOnClose,
    close: words(view.close),
    submit: words(view.submit),
    previous_view_id: view.previousViewId ?? null,
    root_view_id: view.rootViewId,
    app_id: bot.appId,
    external_id: view.externalId,
    app_installed_team_id: team.id,
    bot_id: bot.botId,
  };
}
