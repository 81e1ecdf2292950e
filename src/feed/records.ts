/** What the feed keeps: subscriptions, how far each filter was read, projects seen, cards, a channel's settings. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, FilterId, ProjectKey, TeamId, UserId } from '../ids.ts';
import { ListedProject, Verdict } from '../marketplace/schema.ts';
import { enumWithOlderValues } from '../storage/older-names.ts';
import { readWithoutInvalidFields } from '../storage/read-invalid-record.ts';
import type { Collection, Key } from '../storage/store.ts';

const instant = z.number();

/** What is older is cleared out. */
export const FEED_RETENTION_MS = 90 * DAY;

/** A channel wants the new projects of a filter. Key: [team, channel, filter]. */
export const Subscription = z.object({
  team: TeamId,
  channel: ChannelId,
  filter: FilterId,
  /** In the query language, as printed back; empty: every project. */
  rules: z.string(),
  by: UserId,
  createdAt: instant,
  /** Projects published before this are the past: seen, not told. */
  startsAt: instant,
  /** A backfill that was asked for and is not complete: how many past projects are still to be told. */
  backfillLeft: z.number().optional(),
  backfillAsked: z.number().optional(),
  /** How far the backfill is: told so far, and where its next page begins (missing before the first). */
  backfill: z.object({ askedAt: instant, told: z.number(), cursor: z.number().optional() }).optional(),
  /** Set when nothing can be posted there: Slack's error, told to whoever subscribed. */
  stopped: z.object({ at: instant, error: z.string() }).optional(),
});
export type Subscription = z.infer<typeof Subscription>;

export const subscriptions: Collection<Subscription> = {
  name: 'subscriptions',
  schema: Subscription,
  indexes: {
    /** [team, filter, channel] */
    byFilter: (it) => [it.team, it.filter, it.channel],
  },
};

/** A place that the reading of a filter had reached: the server's own timestamp, and when we got it. */
const mark = z.object({ ts: z.number(), at: instant });

/** A stretch of older projects that is paid for later: continue at `cursor`, down to where `floor` was passed. */
const gap = z.object({
  cursor: z.number(),
  floor: z.number().optional(),
  /** From here down everything was read before; newer than `floor`, which is passed to find what was indexed late. */
  until: z.number().optional(),
  foundAt: instant.optional(),
  /** The server sends the oldest first: cursors rise. */
  rising: z.boolean().optional(),
  /** The cursor stood still (many projects of the same second): only a wide page gets past it. */
  wide: z.boolean().optional(),
});
export type UnreadGap = z.infer<typeof gap>;
export type Watermark = z.infer<typeof mark>;

/** Polls fail: why, since when, when to try again. */
const trouble = z.object({
  /** A MarketplaceErrorCode. */
  code: z.string(),
  since: instant,
  failures: z.number(),
  retryAt: instant,
  /** Channels that have heard of it. */
  told: z.array(ChannelId).optional(),
});
export type FeedFailure = z.infer<typeof trouble>;

/** A filter that some channel follows. Key: [team, filter]. */
export const FilterState = z.object({
  team: TeamId,
  filter: FilterId,
  /** Learned from auto bidding setups; nothing else documented tells it. */
  name: z.string().optional(),
  /** Rising. The last is the newest; earlier ones are kept so that late projects are not missed. */
  marks: z.array(mark),
  gaps: z.array(gap),
  /** Learned arrivals: projects a second, and how many seconds of watching that rests on. */
  rate: z.object({ perSecond: z.number(), seconds: z.number() }),
  /** When a page of it was last asked for. */
  lastPollAt: instant.optional(),
  /** When the newest projects were last asked for, with success. */
  lastTopAt: instant.optional(),
  /** How many the next page of the newest must have room for, so that it reaches the place passed. */
  topRoom: z.number().optional(),
  /** A project of it came with an AI verdict, or with one that is not decided yet. */
  showsVerdicts: z.boolean().optional(),
  /** New projects since the last one that got a verdict. */
  withoutVerdict: z.number().optional(),
  /** It sent projects older than what was passed: a wide page would buy the past. */
  ignoresLatest: z.boolean().optional(),
  lastGoodAt: instant.optional(),
  /** Guesses at the server's unit that found nothing. */
  guesses: z.number().optional(),
  /** In which billing period it was last read: repeats are free only within one. */
  lastPeriodEnd: instant.optional(),
  /** Set while polls of this filter fail; `code` is a MarketplaceErrorCode. */
  trouble: trouble.optional(),
  /** Cards that still wait for their AI verdict: read again from `since`, at growing pauses. */
  awaiting: z.array(
    z.object({
      project: ProjectKey,
      since: z.number().optional(),
      foundAt: instant,
      step: z.number(),
      dueAt: instant,
    }),
  ),
});
export type FilterState = z.infer<typeof FilterState>;

export const filterStates: Collection<FilterState> = { name: 'filters', schema: FilterState, indexes: {} };

const FilterVerdict = z.object({ filter: FilterId, verdict: Verdict });
export type FilterVerdict = z.infer<typeof FilterVerdict>;

/** A project that some filter found. Key: [team, project]. */
export const SeenProject = z.object({
  team: TeamId,
  project: ListedProject,
  /** Every filter that found it, first finder first. */
  filters: z.array(FilterId),
  /** By filter, in their order. Absent where only the first finder has one: that is the project's. See `filter-verdicts.ts`. */
  verdicts: z.array(FilterVerdict).optional(),
  /** Those of them that have not sent it since its fields changed. */
  behind: z.array(FilterId).optional(),
  firstSeenAt: instant,
  /** Told now and then, not at every reading: a project that the server still sends is not cleared out. */
  lastSeenAt: instant.optional(),
});
export type SeenProject = z.infer<typeof SeenProject>;

export const seenProjects: Collection<SeenProject> = {
  name: 'projects',
  schema: SeenProject,
  indexes: {
    /** [team, first seen]: for clearing out the old. */
    byAge: (it) => [it.team, it.firstSeenAt],
  },
  packed: true,
};

const skipReasons = ['not-a-fit', 'budget-too-low', 'client', 'too-late', 'other'] as const;
export const SkipReason = z.enum(skipReasons);
export type SkipReason = z.infer<typeof SkipReason>;

/** People and user groups (by Slack's ids) whom a card mentions. */
const mentioned = { users: z.array(UserId), groups: z.array(z.string()) };

/** Whom a card mentions where the rules, in the query language, hold for its project. */
export const MentionRule = z.object({ rules: z.string(), ...mentioned });
export type MentionRule = z.infer<typeof MentionRule>;

/** What a channel has to do with a project. One each. Key: [team, channel, project]. */
export const Card = z.object({
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
  /** Filters of this channel that found it; the card names them all. */
  filters: z.array(FilterId),
  foundAt: instant,
  /**
   * posted: its post is in the outbox · deferred: the channel was out of budget or paused, it comes later ·
   * suppressed: it won't be posted, see `because`.
   */
  state: enumWithOlderValues(['posted', 'deferred', 'suppressed'], {
    told: 'posted',
    owed: 'deferred',
    withheld: 'suppressed',
  }),
  because: z.enum(['past', 'no-match', 'muted', 'unsubscribed']).optional(),
  claim: z.object({ by: UserId, at: instant }).optional(),
  skip: z.object({ by: UserId, at: instant, reason: SkipReason }).optional(),
  /** Decided when it was told; later rules change nothing. */
  mention: z.object(mentioned).optional(),
});
export type Card = z.infer<typeof Card>;

export const cards: Collection<Card> = {
  name: 'cards',
  schema: Card,
  indexes: {
    /** [team, channel, found]: a channel's deferred cards, oldest first. */
    deferred: (it) => (it.state === 'deferred' ? [it.team, it.channel, it.foundAt] : undefined),
    /** [team, channel, found] */
    byChannel: (it) => [it.team, it.channel, it.foundAt],
    /** [team, project, channel] */
    byProject: (it) => [it.team, it.project, it.channel],
    /** [team, who claimed it, when] */
    byClaimer: (it) => it.claim && [it.team, it.claim.by, it.claim.at],
    /** [team, found]: for clearing out the old. */
    byAge: (it) => [it.team, it.foundAt],
  },
};

/** What a channel does not want to see. */
export const Mute = z.object({
  kind: z.enum(['country', 'word']),
  value: z.string(),
  by: UserId,
  at: instant,
});
export type Mute = z.infer<typeof Mute>;

const cardButtons = ['bid', 'details', 'claim', 'more'] as const;
export const CardButton = z.enum(cardButtons);
export type CardButton = z.infer<typeof CardButton>;

/**
 * Hours in which cards wait; they come as one summary afterwards. Minutes of the local day; `from` may be later than `to`,
 * and where both are the same no hours of the day are quiet.
 */
export const QuietHours = z.object({
  from: z.number().int().min(0).max(1439),
  to: z.number().int().min(0).max(1439),
  /** Saturday and Sunday are quiet altogether. */
  weekends: z.boolean(),
});
export type QuietHours = z.infer<typeof QuietHours>;

/** Key: [team, channel]. Written when something differs from the defaults. */
export const ChannelSettings = z.object({
  team: TeamId,
  channel: ChannelId,
  density: z.enum(['full', 'compact']),
  mutes: z.array(Mute),
  /** Paused by a person; without `until`, until it is resumed. */
  paused: z.object({ by: UserId, at: instant, until: instant.optional() }).optional(),
  /** IANA name; missing: the configuration's. */
  timezone: z.string().optional(),
  /** A card shows the lines that decide; the excerpt and the skills go into its thread. */
  threadDetails: z.literal(true).optional(),
  /** What cards of this channel don't offer. */
  hiddenButtons: z.array(CardButton).optional(),
  quiet: QuietHours.optional(),
  mentions: z.array(MentionRule).optional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const channelSettings: Collection<ChannelSettings> = {
  name: 'channels',
  schema: ChannelSettings,
  indexes: {},
  // A pause that can't be read is one until somebody ends it.
  essential: {
    readInvalid: (onDisk) =>
      readWithoutInvalidFields(ChannelSettings, onDisk, {
        density: 'full',
        mutes: [],
        paused: { by: UserId.parse('unknown'), at: 0 },
      }),
  },
};

export function defaultChannelSettings(team: TeamId, channel: ChannelId): ChannelSettings {
  return { team, channel, density: 'full', mutes: [] };
}

/** State of the feed as a whole. Key: [team]. */
export const FeedState = z.object({
  team: TeamId,
  /** Trouble with the account or the service, not with one filter. */
  trouble: trouble.optional(),
  /** 1,000 when the server's timestamps turned out to be milliseconds; seconds until then. */
  timestampUnit: z.union([z.literal(1), z.literal(1_000)]),
  /** An answer has shown the unit. */
  unitKnown: z.literal(true).optional(),
  /** When old records were last cleared out. */
  clearedAt: instant.optional(),
});
export type FeedState = z.infer<typeof FeedState>;

export const feedStates: Collection<FeedState> = { name: 'feed', schema: FeedState, indexes: {} };

export function channelSettingsKey(team: TeamId, channel: ChannelId): Key {
  return [team, channel];
}

export function cardKey(team: TeamId, channel: ChannelId, project: ProjectKey): Key {
  return [team, channel, project];
}

export function seenProjectKey(team: TeamId, project: ProjectKey): Key {
  return [team, project];
}

export function filterStateKey(team: TeamId, filter: FilterId): Key {
  return [team, filter];
}

export function subscriptionKey(team: TeamId, channel: ChannelId, filter: FilterId): Key {
  return [team, channel, filter];
}
