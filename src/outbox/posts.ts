/**
 * What is to stand in Slack: posts that features put on record in the same transaction as the change they tell of.
 * `slack/delivery` sends them, exactly once, and keeps them up to date. Features never talk to Slack themselves.
 */
import { z } from 'zod';
import {
  BidId,
  ChannelId,
  FilterId,
  InvitationUid,
  JobId,
  MessageTs,
  OrganizationId,
  ProfileId,
  ProjectKey,
  TeamId,
  UserId,
} from '../ids.ts';
import type { Collection, Key } from '../storage/store.ts';
import { BidNews } from './bid-news.ts';
import { OutcomeCounts, OutcomeNews } from './outcome-news.ts';

/** Chosen by whoever enqueues, the same for the same matter, so that enqueuing twice is enqueuing once. */
export const PostId = z.string().min(1).brand<'PostId'>();
export type PostId = z.infer<typeof PostId>;

const namedFilter = z.object({ id: FilterId, name: z.string().optional() });
/** What a channel follows of a profile, named where that is known. */
const profileFeed = {
  feed: z.enum(['invitations', 'outcomes']),
  profile: z.object({ id: ProfileId, name: z.string().optional() }),
  organization: z.object({ id: OrganizationId, name: z.string().optional() }).optional(),
};

/** What a notice about credits says of the account: it may be a trial, whose credits don't renew. */
const account = { looksLikeTrial: z.literal(true).optional() };

/** Something that a channel is told once. Numbers and names only; the wording is Slack's side's. */
export const Notice = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('budget-low'),
    used: z.number(),
    limit: z.number(),
    resetsAt: z.number(),
    /** When, at the present pace, nothing is left; missing where that is after the reset. */
    runsOutAt: z.number().optional(),
    /** It is the pool's that channels without an admin's word share. */
    isShared: z.literal(true).optional(),
    ...account,
  }),
  z.object({
    about: z.literal('budget-spent'),
    left: z.number(),
    limit: z.number(),
    resetsAt: z.number(),
    isShared: z.literal(true).optional(),
    ...account,
  }),
  z.object({
    about: z.literal('account-credits-spent'),
    remaining: z.number(),
    resetsAt: z.number().optional(),
    ...account,
  }),
  /** `code` is a MarketplaceErrorCode; `filters` empty: the whole feed. */
  z.object({
    about: z.literal('feed-failing'),
    code: z.string(),
    since: z.number(),
    filters: z.array(namedFilter),
  }),
  z.object({ about: z.literal('feed-recovered'), since: z.number(), filters: z.array(namedFilter) }),
  /** To whoever subscribed, as a direct message: the channel can't be written to any more. `error` is Slack's code. */
  z.object({ about: z.literal('channel-unreachable'), channel: ChannelId, error: z.string() }),
  /** Slack refuses posts in a channel, or by a user's id in the direct messages with a person. `error` is Slack's code. */
  z.object({ about: z.literal('conversation-refused'), channel: ChannelId, error: z.string() }),
  /** A post is not sent any more. unclear: it may have arrived. `error` is Slack's code, `project` that of a card. */
  z.object({
    about: z.literal('post-given-up'),
    channel: ChannelId,
    why: z.enum(['refused', 'unclear']),
    error: z.string(),
    project: ProjectKey.optional(),
  }),
  /** `code` is a MarketplaceErrorCode. */
  z.object({
    about: z.literal('profile-failing'),
    ...profileFeed,
    code: z.string(),
    since: z.number(),
  }),
  z.object({ about: z.literal('profile-recovered'), ...profileFeed, since: z.number() }),
  z.object({ about: z.literal('backfill-done'), filter: namedFilter, asked: z.number(), posted: z.number() }),
]);
export type Notice = z.infer<typeof Notice>;

export const PostContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card'), project: ProjectKey }),
  /** Stands for the cards, or invitations, whose `bundle` it is: of a flood, or of quiet hours. */
  z.object({
    kind: z.literal('flood'),
    quiet: z.literal(true).optional(),
    /** Missing: projects. */
    of: z.literal('invitation').optional(),
  }),
  z.object({ kind: z.literal('notice'), notice: Notice }),
  /** A bid whose project has no card in the channel: a message of its own, kept up to date. */
  z.object({ kind: z.literal('bid'), bid: BidId }),
  /** The same for a job that was not created here. */
  z.object({ kind: z.literal('job'), job: JobId }),
  /** A line in the thread of a card, a bid or a job: what has just become of it. */
  z.object({ kind: z.literal('bid-news'), news: BidNews }),
  z.object({ kind: z.literal('invitation'), invitation: InvitationUid }),
  /** Under an invitation whose letter its card shows the beginning of. */
  z.object({ kind: z.literal('invitation-letter'), invitation: InvitationUid }),
  /** Under an invitation whose status has changed, in the server's words. */
  z.object({
    kind: z.literal('invitation-status'),
    title: z.string(),
    before: z.string().optional(),
    status: z.string(),
  }),
  /** What has become of a proposal that no job of ours in the channel is about. */
  z.object({ kind: z.literal('outcome'), news: OutcomeNews }),
  z.object({ kind: z.literal('outcomes-rest'), rest: OutcomeCounts }),
  /** Under a card whose channel wants nothing but the deciding lines in it: the rest. */
  z.object({ kind: z.literal('card-details'), project: ProjectKey }),
  /** The post's own id names what it tells. */
  z.object({ kind: z.literal('digest') }),
  /** Under a digest: what one screen does not hold. `part` counts from 0. */
  z.object({ kind: z.literal('digest-more'), digest: PostId, part: z.number() }),
  /** The post's own id names what it tells. */
  z.object({ kind: z.literal('tuning-note') }),
  /** A channel that no admin has confirmed spends from the pool, of `limit` credits a period. */
  z.object({ kind: z.literal('new-budget'), channel: ChannelId, limit: z.number() }),
  /** Somebody asks for a role; key of the request. */
  z.object({ kind: z.literal('access-request'), request: z.string() }),
]);
export type PostContent = z.infer<typeof PostContent>;

export const Post = z.object({
  team: TeamId,
  id: PostId,
  /** A channel, or a user's id for a direct message. */
  channel: z.union([ChannelId, UserId]),
  content: PostContent,
  /** Stands in the thread of this post, where that was posted; else in the channel. */
  under: PostId.optional(),
  /**
   * held: until the quiet hours of its channel are over · waiting: to be sent · sending: was handed to Slack, answer not on record · posted · bundled: stands in a flood's
   * summary, not as a message of its own · failed: Slack refuses it for good, see `failure`.
   */
  state: z.enum(['held', 'waiting', 'sending', 'posted', 'bundled', 'failed']),
  /** Posts of a channel are sent in this order, smallest first: when its project was published, or when it was enqueued. */
  order: z.number(),
  enqueuedAt: z.number(),
  sendingSince: z.number().optional(),
  ts: MessageTs.optional(),
  /** The real conversation that it was posted in; differs from `channel` for a direct message. */
  postedIn: ChannelId.optional(),
  /** Counts changes of what it shows; `shown` is the one that stands in Slack. */
  revision: z.number(),
  shown: z.number(),
  /** For a card or an invitation: the flood's post that lists it. Kept after release, so that the summary can count. */
  bundle: PostId.optional(),
  /** Taken out of a flood by a person: never bundled again. */
  released: z.boolean().optional(),
  /** For a flood's summary: when it last took in more. */
  grewAt: z.number().optional(),
  failure: z.string().optional(),
});
export type Post = z.infer<typeof Post>;

/** It is still to be sent, or may have been: nobody knows yet what becomes of it. */
export function isPostPending(post: Pick<Post, 'state'> | undefined): boolean {
  return post?.state === 'held' || post?.state === 'waiting' || post?.state === 'sending';
}

/** Where a post stands among those that are held: the summary of cards first, then invitations, then what a pause lets through. */
export const heldPostRanks = { summary: 0, invitations: 1, outcomes: 2 } as const;

function heldRank({ kind }: PostContent): number {
  if (kind === 'flood') return heldPostRanks.summary;
  return kind === 'outcome' || kind === 'outcomes-rest' ? heldPostRanks.outcomes : heldPostRanks.invitations;
}

/** Key: [team, post id]. */
export const posts: Collection<Post> = {
  name: 'posts',
  schema: Post,
  indexes: {
    /** [team, state, channel, order]: what waits, oldest first; and what was under way when we crashed. */
    byState: (post) =>
      post.state === 'waiting' || post.state === 'sending'
        ? [post.team, post.state, post.channel, post.order]
        : undefined,
    /** [team, channel, rank, order]: what is held back there. */
    held: (post) =>
      post.state === 'held' ? [post.team, post.channel, heldRank(post.content), post.order] : undefined,
    /** [team, channel, order]: posted messages that show an older revision. */
    changed: (post) =>
      post.state === 'posted' && post.shown < post.revision
        ? [post.team, post.channel, post.order]
        : undefined,
    /** [team, flood's post id, state, order] */
    byBundle: (post) => (post.bundle ? [post.team, post.bundle, post.state, post.order] : undefined),
    /** [team, channel, what it stands for, enqueuedAt]: summaries of floods, but for those of quiet hours. */
    floods: ({ team, channel, content, enqueuedAt }) =>
      content.kind === 'flood' && !content.quiet
        ? [team, channel, content.of ?? 'card', enqueuedAt]
        : undefined,
    /** [team, channel, message ts]: from a pressed button back to what stands there. */
    byMessage: (post) => (post.ts ? [post.team, post.postedIn ?? post.channel, post.ts] : undefined),
    /** [team, channel, enqueuedAt]: what a channel was told since some moment. */
    byChannel: (post) => [post.team, post.channel, post.enqueuedAt],
    /** [team, enqueuedAt]: for clearing out the old. */
    byAge: (post) => [post.team, post.enqueuedAt],
  },
};

export function postKey(team: TeamId, id: PostId): Key {
  return [team, id];
}
