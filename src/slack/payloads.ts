/** What Slack sends, as far as we use it. Everything in it is input: parsed here, believed nowhere. */
import { z } from 'zod';
import { ChannelId, MessageTs, TeamId, UserId } from '../ids.ts';

const userId = z
  .string()
  .regex(/^[UW][A-Z0-9]{1,30}$/u)
  .pipe(UserId);
const channelId = z
  .string()
  .regex(/^[CGD][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);
const triggerId = z.string().min(1).max(500);
const responseUrl = z.string().max(2_000).optional();
/** Far more than any command needs; what is longer gets an answer that says so. */
export const LONGEST_COMMAND = 12_000;

export const CommandPayload = z.object({
  team_id: TeamId,
  user_id: userId,
  channel_id: channelId,
  text: z.string().default(''),
  trigger_id: triggerId,
  response_url: responseUrl,
});
export type CommandPayload = z.infer<typeof CommandPayload>;

const team = z.object({ id: TeamId });
const user = z.object({ id: userId, team_id: TeamId.optional() });
const channel = z.object({ id: channelId });

/** Slack's inputs take 3,000 characters, by whatever it counts them; more is nothing that was typed. */
const typed = z.string().max(12_000);
const chosen = z.object({ value: z.string().max(2_000) });

const pressed = z.object({
  action_id: z.string().max(255),
  value: typed.nullish(),
  selected_option: chosen.nullish(),
});

/** What one element of a view holds; which of the fields is there depends on its kind. */
export const ElementState = z.object({
  value: typed.nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).max(100).nullish(),
  selected_user: userId.nullish(),
  selected_users: z.array(userId).max(1_000).nullish(),
  selected_time: z
    .string()
    .regex(/^\d{2}:\d{2}$/u)
    .nullish(),
  /** In seconds. */
  selected_date_time: z.number().int().nonnegative().nullish(),
});
export type ElementState = z.infer<typeof ElementState>;

/** By `block_id`, then by `action_id`. */
const viewState = z.object({
  values: z.record(z.string().max(255), z.record(z.string().max(255), ElementState)).default({}),
});

const view = z.object({
  id: z.string().min(1).max(255),
  root_view_id: z.string().max(255).nullish(),
  hash: z.string().max(255).default(''),
  callback_id: z.string().max(255).default(''),
  private_metadata: z.string().max(3_000).default(''),
  state: viewState.nullish(),
});
export type ViewPayload = z.infer<typeof view>;

export const ActionPayload = z.object({
  team,
  user,
  channel: channel.optional(),
  trigger_id: triggerId,
  response_url: responseUrl,
  container: z.object({ is_ephemeral: z.boolean().optional(), thread_ts: MessageTs.optional() }).optional(),
  message: z.object({ ts: MessageTs, thread_ts: MessageTs.optional() }).optional(),
  view: view.nullish(),
  actions: z.array(pressed).min(1),
});
export type ActionPayload = z.infer<typeof ActionPayload>;

/** The blocks of a submitted view, as far as errors can stand at them. */
const ViewBlocks = z.array(z.object({ type: z.string(), block_id: z.string().max(255) })).max(100);

export const SubmissionPayload = z.object({
  type: z.literal('view_submission'),
  team,
  user,
  trigger_id: triggerId,
  view: view.extend({ blocks: ViewBlocks }),
});
export type SubmissionPayload = z.infer<typeof SubmissionPayload>;

/** The inputs of a submission that can't be read otherwise: an error can still be shown there. */
export const RescuedBlocks = z.object({ view: z.object({ blocks: ViewBlocks }) });

export type RescuedBlocks = z.infer<typeof RescuedBlocks>;

export const ClosedPayload = z.object({ type: z.literal('view_closed'), team, user, view });

/** Of anything that concerns a view. */
export const ViewInBody = z.object({ view });

export const ShortcutPayload = z.object({
  callback_id: z.string().max(255),
  team,
  user,
  channel: channel.optional(),
  trigger_id: triggerId,
  response_url: responseUrl,
  message: z
    .object({ ts: MessageTs, text: z.string().default(''), blocks: z.unknown().optional() })
    .optional(),
});
export type ShortcutPayload = z.infer<typeof ShortcutPayload>;

export const HomeOpenedPayload = z.object({
  team_id: TeamId,
  event_id: z.string().min(1).max(200),
  /** `tab`: also told when somebody opens their conversation with the bot. */
  event: z.object({ user: userId, tab: z.string().optional() }),
});

export const LinkSharedPayload = z.object({
  team_id: TeamId,
  event_id: z.string().min(1).max(200),
  event: z.object({
    channel: channelId,
    user: userId,
    message_ts: MessageTs,
    /** `composer`: the message is still being written, so nothing stands in the channel yet. */
    source: z.string().optional(),
    links: z.array(z.object({ url: z.string().max(3_000), domain: z.string() })).max(100),
  }),
});
export type LinkSharedPayload = z.infer<typeof LinkSharedPayload>;
