/**
 * The response clock: how fast a channel claims and bids, who gets nudged, and claims that expire. The
 * contract; `stages.ts` has the table of stages.
 */
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Post, PostId, ResponseItem } from '../outbox/posts.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { Claim } from '../sources/claims.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { MeasuredPeriod } from './gather-times.ts';
import type { ResponseTimes } from './measure.ts';
import type { ResponsePlan, ResponseSettings, ResponseTarget } from './records.ts';

export { ResponsePlan, type ResponseSettings, type ResponseTarget } from './records.ts';

/** In the order of the form; used in the audit log and in announcements. */
export const RESPONSE_FIELDS = {
  isOn: 'response clock',
  claimTarget: 'claim target',
  bidTarget: 'bid target',
  nudgeAfter: 'nudge',
  leadAfter: 'lead nudge',
  claimExpiry: 'claim expiry',
  hours: 'working hours',
  days: 'working days',
  duty: 'on duty',
  lead: 'lead',
} as const satisfies Record<keyof ResponsePlan, string>;
export type ResponseField = keyof ResponsePlan;

/** Whether a stage's message has nothing more to say of this card. A snoozed nudge may have. */
export function isItemClosed({ done, over }: Pick<ResponseItem, 'done' | 'over'>): boolean {
  return over !== undefined || (done !== undefined && done.what !== 'snoozed');
}

/** What the form offers at first. */
export const DEFAULT_RESPONSE_PLAN: ResponsePlan = {
  isOn: false,
  claimTarget: 10,
  bidTarget: 30,
  nudgeAfter: 10,
  leadAfter: 10,
  claimExpiry: 60,
  hours: { from: 9 * 60, to: 18 * 60 },
  days: [1, 2, 3, 4, 5],
};

/** How long **Snooze** postpones the next stage, in minutes of working time. */
export const SNOOZE_MINUTES = 30;

export interface ChangeResponseOutcome {
  readonly changed: readonly ResponseField[];
  /** Changed fields that another person had also changed while the form was open. */
  readonly overwritten: readonly ResponseField[];
  readonly plan: ResponsePlan;
}

/** The card or invitation of a stage, by its post in its own channel. */
export interface ClockPlace {
  readonly channel: ChannelId;
  /** The card's own post. */
  readonly post: PostId;
  /** The stage's message, which shows what was done. */
  readonly message: PostId;
}

export type ExtendOutcome =
  | { readonly kind: 'extended'; readonly until?: Instant }
  | ({ readonly kind: 'held' } & Claim)
  /** Nobody has claimed it, it was bid on, or claims don't expire: there is nothing to extend. */
  | { readonly kind: 'free' | 'ended' | 'off' }
  | { readonly kind: 'no-card' };

export type SnoozeOutcome =
  | { readonly kind: 'snoozed'; readonly until: Instant }
  /** It was claimed, skipped or bid on, or had its last nudge: nobody is nudged anyway. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'no-card' };

/** What a card shows of its clock: moments that only change with the card. */
export interface CardDeadlines {
  readonly claimBy?: Instant;
  readonly bidBy?: Instant;
  readonly claimExpiresAt?: Instant;
}

/** Asks Slack who can't be mentioned in a channel. Never throws; without an answer, everyone can. */
export type FindUnavailable = (
  channel: ChannelId,
  targets: readonly ResponseTarget[],
) => Promise<ReadonlySet<string>>;

export interface ResponseService {
  /** undefined: never saved. */
  readSettings(channel: ChannelId): Promise<ResponseSettings | undefined>;
  /** Changes only what differs between `shown` and `wanted`. */
  changePlan(
    channel: ChannelId,
    choices: { readonly shown: ResponsePlan; readonly wanted: ResponsePlan },
    by: UserId,
  ): Promise<ChangeResponseOutcome>;
  /** Restarts the time of a claim. Only for the person who claimed it, or an admin. */
  extendClaim(
    place: ClockPlace,
    who: { readonly by: UserId; readonly mayExtendOthers: boolean },
  ): Promise<ExtendOutcome>;
  /** Postpones the next stages of an unclaimed card. */
  snooze(place: ClockPlace, by: UserId): Promise<SnoozeOutcome>;
  /** Shows on the stage's message that a person claimed the card there. */
  noteClaim(place: ClockPlace, by: UserId): Promise<void>;
  /** Shows on the stage's message what happened to the card, if its buttons lead nowhere now. */
  showEnd(place: ClockPlace): Promise<void>;
  /** For rendering, inside delivery's transaction. undefined: the clock is off. */
  readDeadlines(tx: ReadTransaction, post: Post, card: DeadlineCard): Promise<CardDeadlines | undefined>;
  /** How fast the channel was; reads no more than the period. */
  readTimes(channel: ChannelId, period: MeasuredPeriod): Promise<ResponseTimes>;
  /** Every minute: sends the stages that are due, and releases expired claims. */
  readonly job: ScheduledJob;
}

export interface DeadlineCard {
  readonly claim?: Claim | undefined;
  readonly firstClaim?: Pick<Claim, 'by' | 'at'> | undefined;
  readonly skip?: unknown;
  readonly sharedBy?: UserId | undefined;
  readonly publishedAt?: Instant | undefined;
  readonly postedAt?: Instant | undefined;
}
