/**
 * Schemas of Slack's payloads, as far as we use them, and the values of a view's inputs. All of it is
 * untrusted input. Fields that Slack may omit or set to null are optional: an unreadable payload does nothing
 * for the person.
 */
import { z } from 'zod';
import { SECOND } from '../../clock.ts';
import { ChannelId, MessageTs, TeamId, UserId } from '../../ids.ts';
import type { PressedView, ViewInputValue, ViewValues } from './routes.ts';

const matching = (pattern: RegExp) => z.string().regex(pattern);
const userId = matching(/^[UW][A-Z0-9]{1,30}$/u).pipe(UserId);
const channelId = matching(/^[CGD][A-Z0-9]{1,30}$/u).pipe(ChannelId);
const triggerId = z.string().min(1).max(500);
const responseUrl = z.string().max(2_000).nullish();
/** Empty if Slack sends none. @param max refuses longer ones */
const words = (max = Number.POSITIVE_INFINITY) => {
  const text = z.string().max(max).nullish();
  return text.transform((given) => given ?? '');
};
/** The readable items of a list; drops the rest. */
export const readable = <T>(item: z.ZodType<T>) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((each) => {
      const { data } = item.safeParse(each);
      return data === undefined ? [] : [data];
    }),
  );

/** Far more than any command needs; longer ones get an error. */
export const MAX_COMMAND_LENGTH = 12_000;

export const CommandPayload = z.object({
  team_id: TeamId,
  user_id: userId,
  channel_id: channelId,
  text: words(),
  trigger_id: triggerId,
  response_url: responseUrl,
});
export type CommandPayload = z.infer<typeof CommandPayload>;

/** Null for organization-wide installs; then the person's own workspace counts. */
const team = z.object({ id: TeamId }).nullish();
const user = z.object({ id: userId, team_id: TeamId.nullish() });
const channel = z.object({ id: channelId });

/** Slack's inputs take 3,000 characters, however it counts them; nobody can type more. */
const typed = z.string().max(12_000);
const chosen = z.object({ value: z.string().max(2_000) });

const pressed = z.object({
  action_id: z.string().max(255),
  value: typed.nullish(),
  selected_option: chosen.nullish(),
});

/** The state of one element of a view; its kind decides which field is set. */
const ViewElementState = z.object({
  value: typed.nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).max(100).nullish(),
  selected_user: userId.nullish(),
  selected_users: z.array(userId).max(1_000).nullish(),
  selected_conversation: ChannelId.nullish(),
  selected_time: matching(/^\d{2}:\d{2}$/u).nullish(),
  /** In seconds. */
  selected_date_time: z.number().int().nonnegative().nullish(),
});
type ViewElementState = z.infer<typeof ViewElementState>;

/** By `block_id`, then by `action_id`. */
const viewStates = z.record(z.string().max(255), z.record(z.string().max(255), ViewElementState));

/** The workspace that opened the view; it may differ from that of the person who uses it (Slack Connect). */
const installedTeam = TeamId.nullish().catch(undefined);

const view = z.object({
  id: z.string().min(1).max(255),
  root_view_id: z.string().max(255).nullish(),
  hash: words(255),
  callback_id: words(255),
  private_metadata: words(3_000),
  state: z.object({ values: viewStates.nullish() }).nullish(),
  app_installed_team_id: installedTeam,
});
type ViewPayload = z.infer<typeof view>;

export const ActionPayload = z.object({
  team,
  user,
  channel: channel.nullish(),
  trigger_id: triggerId,
  response_url: responseUrl,
  container: z.object({ is_ephemeral: z.boolean().nullish(), thread_ts: MessageTs.nullish() }).nullish(),
  message: z.object({ ts: MessageTs, thread_ts: MessageTs.nullish() }).nullish(),
  view: view.nullish(),
  actions: z.array(pressed),
});
export type ActionPayload = z.infer<typeof ActionPayload>;

/** The blocks of a submitted view that can show errors: for other kinds, Slack may omit the `block_id`. */
const InputBlocks = readable(z.object({ type: z.literal('input'), block_id: z.string().min(1).max(255) }));

export const SubmissionPayload = z.object({
  type: z.literal('view_submission'),
  team,
  user,
  trigger_id: triggerId,
  view: view.extend({ blocks: InputBlocks }),
});
export type SubmissionPayload = z.infer<typeof SubmissionPayload>;

/** The readable parts of an unreadable submission: enough to notify the person. */
export const PartialSubmissionPayload = z.object({
  type: z.literal('view_submission'),
  view: z
    .object({
      id: z.string().optional().catch(undefined),
      root_view_id: z.string().optional().catch(undefined),
      blocks: InputBlocks.catch([]),
    })
    .catch({ id: undefined, root_view_id: undefined, blocks: [] }),
});
export type PartialSubmissionPayload = z.infer<typeof PartialSubmissionPayload>;

/** The sender of an unreadable call, and where to reply. */
export const PartialCallPayload = z.object({
  user: z.object({ id: userId }).optional().catch(undefined),
  channel: channel.optional().catch(undefined),
  /** In commands. */
  user_id: userId.optional().catch(undefined),
  channel_id: channelId.optional().catch(undefined),
  response_url: z.string().max(2_000).optional().catch(undefined),
});

export const ViewClosedPayload = z.object({ type: z.literal('view_closed'), team, user, view });

/** Any payload with a view. */
export const PayloadWithView = z.object({ view });

/** The workspace of a call; undefined if Slack names none. */
export function findPayloadTeam(
  payload: Pick<ActionPayload, 'team' | 'user'> & {
    readonly view?: Pick<ViewPayload, 'app_installed_team_id'> | null | undefined;
  },
): TeamId | undefined {
  const { team: at, user: by, view: opened } = payload;
  return opened?.app_installed_team_id ?? at?.id ?? by.team_id ?? undefined;
}

export const ShortcutPayload = z.object({
  callback_id: words(255),
  team,
  user,
  channel: channel.nullish(),
  trigger_id: triggerId,
  response_url: responseUrl,
  message: z.object({ ts: MessageTs, text: words(), blocks: z.unknown().optional() }).nullish(),
});
export type ShortcutPayload = z.infer<typeof ShortcutPayload>;

const eventPayload = <E extends z.ZodType>(event: E) =>
  z.object({ team_id: TeamId, event_id: z.string().min(1).max(200), event });

/** `tab`: Slack also sends the event when a person opens their direct messages with the bot. */
export const HomeOpenedPayload = eventPayload(z.object({ user: userId, tab: z.string().nullish() }));

/** Any person who joins a channel; `inviter` is missing if nobody invited them. */
export const MemberJoinedPayload = eventPayload(
  z.object({ user: userId, channel: channelId, inviter: userId.nullish().catch(undefined) }),
);

/** A channel was converted, and has another ID for good. */
export const ChannelIdChangedPayload = eventPayload(
  z.object({ old_channel_id: channelId, new_channel_id: channelId }),
);

/** A mention of the bot, or a direct message to it. Messages of bots have no `user`, or a `bot_id`. */
export const MessagePayload = eventPayload(
  z.object({
    channel: channelId,
    user: userId.nullish().catch(undefined),
    bot_id: z.string().nullish(),
    /** Edits, deletions, joins and so on have one. */
    subtype: z.string().nullish(),
    channel_type: z.string().nullish(),
    thread_ts: MessageTs.nullish(),
  }),
);

export const LinkSharedPayload = eventPayload(
  z.object({
    channel: channelId,
    user: userId,
    message_ts: MessageTs,
    /** `composer`: the message is still being written, so it isn't in the channel yet. */
    source: z.string().nullish(),
    /** Far more than previews ever show. */
    links: readable(z.object({ url: z.string().max(3_000), domain: words(255) })).transform((links) =>
      links.slice(0, 100),
    ),
  }),
);
export type LinkSharedPayload = z.infer<typeof LinkSharedPayload>;

/** The kind of call; undefined if no one waits for an answer. */
export function getCallKind(body: unknown): 'command' | 'action' | 'shortcut' | 'view' | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('command' in body) return 'command';
  const type = 'type' in body ? body.type : undefined;
  if (type === 'view_submission') return 'view';
  if (type === 'block_actions') return 'action';
  return type === 'shortcut' || type === 'message_action' ? 'shortcut' : undefined;
}

function fieldValue(element: ViewElementState): ViewInputValue | undefined {
  const { value, selected_option: option, selected_options: options, selected_date_time: seconds } = element;
  if (value) return { text: value };
  if (option) return { option: option.value };
  if (options && options.length > 0) return { options: options.map((it) => it.value) };
  if (element.selected_time) return { time: element.selected_time };
  if (element.selected_conversation) return { channel: element.selected_conversation };
  const users = element.selected_users ?? (element.selected_user ? [element.selected_user] : []);
  if (users.length > 0) return { users };
  return typeof seconds === 'number' ? { at: seconds * SECOND } : undefined;
}

/** By `block_id`; a map, since block IDs come from outside and could be any word. */
function readValues(view: ViewPayload): ViewValues {
  const values = new Map<string, ViewInputValue>();
  for (const [blockId, elements] of Object.entries(view.state?.values ?? {})) {
    const [element] = Object.values(elements);
    const value = element && fieldValue(element);
    if (value) values.set(blockId, value);
  }
  return values;
}

export function readPressedView(view: ViewPayload): PressedView {
  return {
    id: view.id,
    rootId: view.root_view_id || view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    privateMetadata: view.private_metadata,
    values: readValues(view),
  };
}

const orgWide = z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false);

/** What says for which installation Slack sends a payload. */
const AddressedPayload = z.object({
  /** Of events; with several, Slack means the first. */
  authorizations: z
    .array(
      z
        .object({ team_id: installedTeam, is_enterprise_install: orgWide })
        .catch({ is_enterprise_install: false }),
    )
    .nullish()
    .catch(undefined),
  /** Of events and commands. */
  team_id: installedTeam,
  view: z.object({ app_installed_team_id: installedTeam }).nullish().catch(undefined),
  team: z.object({ id: installedTeam }).nullish().catch(undefined),
  is_enterprise_install: orgWide,
});

/**
 * The workspace whose installation a raw payload is for: in channels shared between companies, the workspace
 * of the person may be another one.
 * @returns undefined if the payload names none, or is for an organization-wide installation
 */
export function findInstallingTeam(body: unknown): TeamId | undefined {
  const { data } = AddressedPayload.safeParse(body);
  const [authorization] = data?.authorizations ?? [];
  if (!data || data.is_enterprise_install || authorization?.is_enterprise_install) return undefined;
  const ofView = data.view?.app_installed_team_id;
  return authorization?.team_id ?? data.team_id ?? ofView ?? data.team?.id ?? undefined;
}

const RemovalPayload = z.object({
  type: z.literal('event_callback'),
  event: z.union([
    z.object({ type: z.literal('app_uninstalled') }),
    // The tokens of people say nothing of the app's own.
    z.object({ type: z.literal('tokens_revoked'), tokens: z.object({ bot: z.array(z.unknown()).min(1) }) }),
  ]),
});

/** Both events come when someone removes the app, in any order. @param body a raw payload */
export function saysAppWasRemoved(body: unknown): boolean {
  return RemovalPayload.safeParse(body).success;
}
