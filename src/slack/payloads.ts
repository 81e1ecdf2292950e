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

const pressed = z.object({
  action_id: z.string().max(255),
  value: z.string().max(2_000).optional(),
  selected_option: z.object({ value: z.string().max(2_000) }).nullish(),
});

export const ActionPayload = z.object({
  team,
  user,
  channel: channel.optional(),
  trigger_id: triggerId,
  response_url: responseUrl,
  container: z.object({ is_ephemeral: z.boolean().optional(), thread_ts: MessageTs.optional() }).optional(),
  message: z.object({ ts: MessageTs, thread_ts: MessageTs.optional() }).optional(),
  view: z.object({ id: z.string(), private_metadata: z.string().default('') }).optional(),
  actions: z.array(pressed).min(1),
});
export type ActionPayload = z.infer<typeof ActionPayload>;

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
