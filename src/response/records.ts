/** Stored records of the response clock: a channel's settings, and the clock of each card. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { collection } from '../storage/store.ts';

const instant = z.number();
const minuteOfDay = z.number().int().min(0).max(1439);

/** Older clocks are deleted, as their cards are. */
export const CLOCK_RETENTION_MS = 90 * DAY;

/** A person, or a user group by Slack's ID. */
export const ResponseTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), user: UserId }),
  z.object({ kind: z.literal('group'), group: z.string() }),
]);
export type ResponseTarget = z.infer<typeof ResponseTarget>;

/** What an admin sets. All spans are minutes of working time. */
export const ResponsePlan = z.object({
  isOn: z.boolean(),
  claimTarget: z.number().int().positive(),
  bidTarget: z.number().int().positive(),
  /** Unclaimed for this long: the person or group on duty is mentioned. */
  nudgeAfter: z.number().int().positive(),
  /** Still unclaimed this much later: the lead is mentioned. */
  leadAfter: z.number().int().positive(),
  /** A claim without a bid is released after this; 0: never. */
  claimExpiry: z.number().int().min(0),
  /** Missing: all day. */
  hours: z.object({ from: minuteOfDay, to: minuteOfDay }).optional(),
  /** 1 is Monday. */
  days: z.array(z.number().int().min(1).max(7)).min(1),
  /** Missing: nobody. */
  duty: ResponseTarget.optional(),
  /** Missing: nobody. */
  lead: ResponseTarget.optional(),
});
export type ResponsePlan = z.infer<typeof ResponsePlan>;

/** Stored once an admin has saved it. */
export const ResponseSettings = ResponsePlan.extend({
  channel: ChannelId,
  /** People and groups on duty that couldn't be mentioned since these settings were saved. */
  skipped: z.array(ResponseTarget).optional(),
});
export type ResponseSettings = z.infer<typeof ResponseSettings>;

export const responseSettings = collection({
  name: 'response-settings',
  schema: ResponseSettings,
  key: (it) => [it.channel],
});

/**
 * The clock of one card or invitation: which stages it had, and when the next is due. It stays after its last
 * stage, so that no stage is repeated.
 */
export const ResponseClock = z.object({
  channel: ChannelId,
  post: PostId,
  /** When its first change was seen. */
  at: instant,
  /** `free`, or the claim that runs: a claim restarts the clock. */
  phase: z.string(),
  /** When the phase began, as far as this clock knows. */
  since: instant,
  /** How often its running claim was extended. */
  extended: z.number().int().min(0),
  /** The stages of an unclaimed card wait until then. */
  snoozedUntil: instant.optional(),
  /** Missing: no more stages in this phase. */
  dueAt: instant.optional(),
  /** Keys of the stages that were sent or passed: never again. */
  sent: z.array(z.string()),
  /** Messages about it whose buttons still lead somewhere. */
  open: z.array(PostId).optional(),
});
export type ResponseClock = z.infer<typeof ResponseClock>;

export const responseClocks = collection({
  name: 'response-clocks',
  schema: ResponseClock,
  key: (it) => [it.channel, it.post],
  indexes: {
    /** [channel, due] of running clocks. */
    byDue: (it) => (it.dueAt === undefined ? undefined : [it.channel, it.dueAt]),
    /** [channel, created] of clocks with such messages. */
    byOpen: (it) => (it.open ? [it.channel, it.at] : undefined),
    byAge: (it) => [it.at],
  },
  keepFor: { ms: CLOCK_RETENTION_MS },
});
