/** Stored records of the feed: subscriptions, filter states, projects, cards, channel settings. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import { ListedProject, Verdict } from '../marketplace/schema.ts';
import { SourceFailure } from '../sources/failure-rules.ts';
import { readWithoutInvalidFields } from '../storage/invalid-records.ts';
import { collection } from '../storage/store.ts';
import { ProjectFit } from './fit-reasons.ts';

const instant = z.number();

/** Older records are deleted. */
export const FEED_RETENTION_MS = 90 * DAY;

/** A channel's subscription to a filter. */
export const Subscription = z.object({
  channel: ChannelId,
  filter: FilterId,
  /** In the query language, normalized; empty: every project. */
  rules: z.string(),
  by: UserId,
  createdAt: instant,
  /** Projects published before this are past: stored, but not posted. */
  startsAt: instant,
  /** An unfinished backfill. */
  backfill: z
    .object({
      askedAt: instant,
      by: UserId,
      /** How many past projects were requested, are still needed, and were posted so far. */
      asked: z.number(),
      left: z.number(),
      posted: z.number(),
      /** Where its next page begins; missing before the first. */
      cursor: z.number().optional(),
      /** What its pages have cost so far, as far as their answers said. */
      credits: z.number(),
      /** The decision's audit entry: its key. */
      audit: z.array(z.union([z.string(), z.number()])),
    })
    .optional(),
  /** Set when nothing can be posted there, with Slack's error. The subscriber was notified. */
  stopped: z.object({ at: instant, error: z.string() }).optional(),
});
export type Subscription = z.infer<typeof Subscription>;

export const subscriptions = collection({
  name: 'subscriptions',
  schema: Subscription,
  key: (it) => [it.channel, it.filter],
  indexes: {
    /** [filter, channel] */
    byFilter: (it) => [it.filter, it.channel],
  },
});

/** A watermark of a filter's reads: the server's own timestamp, and when Gigdesk got it. */
const mark = z.object({ ts: z.number(), at: instant });

/** Unread older projects that are paid for later: continue at `cursor`, until older than `floor`. */
const gap = z.object({
  cursor: z.number(),
  floor: z.number().optional(),
  /**
   * Everything older was read before. Newer than `floor`, which also finds projects that were indexed late.
   */
  until: z.number().optional(),
  foundAt: instant,
  /** The server sends the oldest first, so cursors rise. */
  rising: z.boolean().optional(),
  /** The cursor didn't move (many projects in the same second): only a larger page gets past it. */
  wide: z.boolean().optional(),
  /** Of a check for late projects: how many more pages it may read. */
  left: z.number().optional(),
});
export type UnreadGap = z.infer<typeof gap>;
export type Watermark = z.infer<typeof mark>;

/** A filter that a channel follows. */
export const FilterState = z.object({
  filter: FilterId,
  /** Taken from auto bidding setups, the only documented source. */
  name: z.string().optional(),
  /** Ascending; the last is the newest. Earlier ones are kept so that late projects aren't missed. */
  marks: z.array(mark),
  gaps: z.array(gap),
  /** Estimated projects per second, and the seconds of observation behind that. */
  rate: z.object({ perSecond: z.number(), seconds: z.number() }),
  /** When one of its pages was last requested. */
  lastPollAt: instant.optional(),
  /** When its newest projects were last requested successfully. */
  lastTopAt: instant.optional(),
  /** How many projects the next page of newest ones must request to reach its `latest_published_ts`. */
  topRoom: z.number().optional(),
  /** One of its projects had an AI verdict, decided or not. */
  showsVerdicts: z.boolean().optional(),
  /** New projects since the last one that got a verdict. */
  withoutVerdict: z.number().optional(),
  /** It sent projects older than requested: a larger page would buy past projects. */
  ignoresLatest: z.boolean().optional(),
  lastGoodAt: instant.optional(),
  /** How many guesses of the server's unit found nothing. */
  guesses: z.number().optional(),
  /** The billing period of the last read: repeats are free only within one. */
  lastPeriodEnd: instant.optional(),
  /** Whatever was published since then was first read in this billing period. */
  freeSince: instant.optional(),
  /** When it was last checked for projects that are listed late. */
  lastLateAt: instant.optional(),
  /** Set while polls of this filter fail. */
  trouble: SourceFailure.optional(),
  /** Projects that still wait for their AI verdict: read again from `since`, at growing intervals. */
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

export const filterStates = collection({ name: 'filters', schema: FilterState, key: (it) => [it.filter] });

const FilterVerdict = z.object({ filter: FilterId, verdict: Verdict });
export type FilterVerdict = z.infer<typeof FilterVerdict>;

/** A project that a filter found. */
export const SeenProject = z.object({
  project: ListedProject,
  /** All filters that found it, in the order they did. */
  filters: z.array(FilterId),
  /**
   * Per filter, in the order of `filters`. Missing if only the first filter has one: then `project` contains
   * it. See `merge-project.ts`.
   */
  verdicts: z.array(FilterVerdict).optional(),
  /** Filters that haven't sent it since its fields changed. */
  behind: z.array(FilterId).optional(),
  firstSeenAt: instant,
  /** Updated occasionally. It keeps projects that the server still sends from being deleted. */
  lastSeenAt: instant.optional(),
});
export type SeenProject = z.infer<typeof SeenProject>;

export const seenProjects = collection({
  name: 'projects',
  schema: SeenProject,
  key: (it) => [it.project.key],
  indexes: {
    byAge: (it) => [it.firstSeenAt],
  },
  keepFor: { ms: FEED_RETENTION_MS },
  packed: true,
});

export const SkipReason = z.enum(['not-a-fit', 'budget-too-low', 'client', 'too-late', 'other']);
export type SkipReason = z.infer<typeof SkipReason>;

/** Mentioned people and user groups, by Slack's ids. */
const mentioned = { users: z.array(UserId), groups: z.array(z.string()) };

/** Mentions for cards whose project matches the rules (query language). */
export const MentionRule = z.object({ rules: z.string(), ...mentioned });
export type MentionRule = z.infer<typeof MentionRule>;

/** A channel's card for a project, one per project. */
export const Card = z.object({
  channel: ChannelId,
  project: ProjectKey,
  /** This channel's filters that found it. */
  filters: z.array(FilterId),
  /** Of `filters`, those whose rules it passed: the card names them. Not of suppressed or shared cards. */
  passed: z.array(FilterId).optional(),
  foundAt: instant,
  /**
   * posted: its post is in the outbox · deferred: the channel was out of budget or paused, it comes later ·
   * suppressed: it won't be posted, see `because`.
   */
  state: z.enum(['posted', 'deferred', 'suppressed']),
  because: z.enum(['past', 'no-match', 'muted', 'unsubscribed']).optional(),
  /** `assignedBy`: a colleague gave it to `by`. */
  claim: z
    .object({ by: UserId, at: instant, assignedBy: UserId.optional(), isPublic: z.boolean().optional() })
    .optional(),
  /** Stays after a release. */
  firstClaim: z.object({ by: UserId, at: instant }).optional(),
  /** When its project was published and its post was stored. Missing in shared cards. */
  publishedAt: instant.optional(),
  postedAt: instant.optional(),
  skip: z.object({ by: UserId, at: instant, reason: SkipReason }).optional(),
  /** A person posted it here, not a filter. */
  sharedBy: UserId.optional(),
  /** Decided when the card is posted; later rules don't change it. */
  mention: z.object(mentioned).optional(),
  /** Decided when the card is posted, and again when its project changes. Missing in shared cards. */
  fit: ProjectFit.optional(),
});
export type Card = z.infer<typeof Card>;

export const cards = collection({
  name: 'cards',
  schema: Card,
  key: (it) => [it.channel, it.project],
  indexes: {
    /** [channel, found]: a channel's deferred cards, oldest first. */
    deferred: (it) => (it.state === 'deferred' ? [it.channel, it.foundAt] : undefined),
    /** [channel, found] */
    byChannel: (it) => [it.channel, it.foundAt],
    /** [project, channel] */
    byProject: (it) => [it.project, it.channel],
    /** [claimed by, claimed at] */
    byClaimer: (it) => it.claim && [it.claim.by, it.claim.at],
    byAge: (it) => [it.foundAt],
  },
});

export const Mute = z.object({
  kind: z.enum(['country', 'word']),
  value: z.string(),
  by: UserId,
  at: instant,
});
export type Mute = z.infer<typeof Mute>;
export type MuteTarget = Pick<Mute, 'kind' | 'value'>;

export const CardButton = z.enum(['bid', 'details', 'claim', 'more']);
export type CardButton = z.infer<typeof CardButton>;

/**
 * Hours when cards wait; one summary follows afterwards. Minutes of the local day. `from` may be later than
 * `to`; if both are equal, no hours of the day are quiet.
 */
export const QuietHours = z.object({
  from: z.number().int().min(0).max(1439),
  to: z.number().int().min(0).max(1439),
  /** All of Saturday and Sunday is quiet. */
  weekends: z.boolean(),
});
export type QuietHours = z.infer<typeof QuietHours>;

/** How much of what happens a channel gets as messages; `decide-noise.ts` says what each level means. */
export const NoiseLevel = z.enum(['quiet', 'normal', 'everything']);
export type NoiseLevel = z.infer<typeof NoiseLevel>;

/** Stored only if something differs from the defaults. */
export const ChannelSettings = z.object({
  channel: ChannelId,
  density: z.enum(['full', 'compact']),
  mutes: z.array(Mute),
  /** Paused by a person; without `until`, until resumed. */
  paused: z.object({ by: UserId, at: instant, until: instant.optional() }).optional(),
  /** IANA name; missing: the configured one. */
  timezone: z.string().optional(),
  /** Cards are short; the excerpt and the skills go into the thread. */
  threadDetails: z.literal(true).optional(),
  /** Buttons that this channel's cards don't show. */
  hiddenButtons: z.array(CardButton).optional(),
  quiet: QuietHours.optional(),
  mentions: z.array(MentionRule).optional(),
  /** Missing: normal. */
  level: NoiseLevel.optional(),
  /** How long a request for approval stays open, in hours; 0: until someone answers. Missing: 24. */
  approvalHours: z.number().int().min(0).max(720).optional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const channelSettings = collection({
  name: 'channels',
  schema: ChannelSettings,
  key: (it) => [it.channel],
  // An unreadable pause counts as a pause until a person ends it.
  essential: {
    readInvalid: (onDisk) =>
      readWithoutInvalidFields(ChannelSettings, onDisk, {
        density: 'full',
        mutes: [],
        paused: { by: UserId.parse('unknown'), at: 0 },
      }),
  },
});

export function defaultChannelSettings(channel: ChannelId): ChannelSettings {
  return { channel, density: 'full', mutes: [] };
}

/** The state of the whole feed. One record. */
export const FeedState = z.object({
  /** A failure of the account or the service, not of one filter. */
  trouble: SourceFailure.optional(),
  /** 1,000 once the server's timestamps turn out to be milliseconds; 1 (seconds) until then. */
  timestampUnit: z.union([z.literal(1), z.literal(1_000)]),
  /** A response has shown the unit. */
  unitKnown: z.literal(true).optional(),
});
export type FeedState = z.infer<typeof FeedState>;

export const feedStates = collection({ name: 'feed', schema: FeedState, key: () => [] });
