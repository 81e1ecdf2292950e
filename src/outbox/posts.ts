/**
 * Posts: the content that Slack should show. Features store posts in the same transaction as the change they
 * report, and never call Slack themselves. `slack/delivery` sends each post exactly once and keeps it up to
 * date.
 */

import { z } from 'zod';
import { DAY } from '../clock.ts';
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
  UserId,
} from '../ids.ts';
import { collection } from '../storage/store.ts';
import { BidNews, OutcomeCounts, OutcomeList, OutcomeNews } from './news.ts';

/** Chosen by the caller, the same for the same content, so that enqueuing twice has no effect. */
export const PostId = z.string().min(1).brand<'PostId'>();
export type PostId = z.infer<typeof PostId>;

const namedFilter = z.object({ id: FilterId, name: z.string().optional() });
const profileFeed = {
  feed: z.enum(['invitations', 'outcomes']),
  profile: z.object({ id: ProfileId, name: z.string().optional() }),
  organization: z.object({ id: OrganizationId, name: z.string().optional() }).optional(),
};

/** The account may be a trial, whose credits don't renew. */
const account = { looksLikeTrial: z.literal(true).optional() };

/** A notice that a channel gets once. Only numbers and names; the Slack side words them. */
export const ChannelNotice = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('budget-low'),
    used: z.number(),
    limit: z.number(),
    resetsAt: z.number(),
    /** When nothing is left at the current pace; missing if that is after the reset. */
    runsOutAt: z.number().optional(),
    /** The budget is the pool that channels without an admin's confirmation share. */
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
  /** A direct message to the subscriber: the channel can't be posted to anymore. `error` is Slack's code. */
  z.object({ about: z.literal('channel-unreachable'), channel: ChannelId, error: z.string() }),
  /** Slack refuses posts in a channel, or in direct messages (a user's id). `error` is Slack's code. */
  z.object({ about: z.literal('conversation-refused'), channel: ChannelId, error: z.string() }),
  /** Gigdesk gave up on a post. unclear: it may have arrived. `error`: Slack's code; `project`: a card's. */
  z.object({
    about: z.literal('post-given-up'),
    channel: ChannelId,
    why: z.enum(['refused', 'unclear']),
    error: z.string(),
    project: ProjectKey.optional(),
  }),
  /** `code` is a MarketplaceErrorCode. */
  z.object({ about: z.literal('profile-failing'), ...profileFeed, code: z.string(), since: z.number() }),
  z.object({ about: z.literal('profile-recovered'), ...profileFeed, since: z.number() }),
  /** A week has used most of its cap on connects. `user`: the cap of this person in the channel. */
  z.object({
    about: z.literal('connects-cap-near'),
    channel: ChannelId,
    user: UserId.optional(),
    used: z.number(),
    cap: z.number(),
  }),
  z.object({ about: z.literal('backfill-done'), filter: namedFilter, asked: z.number(), posted: z.number() }),
]);
export type ChannelNotice = z.infer<typeof ChannelNotice>;

const followed = { channel: ChannelId, project: ProjectKey };
/** In the query language. */
const followedRule = z.object({ filter: FilterId.optional(), rules: z.string() });
/** What a stage of the response clock says of one card. Its title is untrusted text. */
export const ResponseItem = z.object({
  stage: z.enum(['nudge', 'lead', 'warning', 'expiry']),
  of: z.enum(['project', 'invitation']),
  card: PostId,
  title: z.string(),
  /** When the card became free, or when it was claimed. */
  since: z.number(),
  claimedBy: UserId.optional(),
  /** For a warning. */
  expiresAt: z.number().optional(),
  /** What a person did with its button. */
  done: z
    .object({ by: UserId, what: z.enum(['extended', 'snoozed', 'claimed']), until: z.number().optional() })
    .optional(),
  /** What happened elsewhere, so that its buttons lead nowhere. again: a second nudge followed. */
  over: z
    .object({
      what: z.enum([
        'claimed',
        'assigned',
        'released',
        'expired',
        'skipped',
        'muted',
        'bidding',
        'bid',
        'again',
        'off',
      ]),
      by: UserId.optional(),
    })
    .optional(),
});
export type ResponseItem = z.infer<typeof ResponseItem>;

export const PostContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card'), project: ProjectKey }),
  /** A summary of the cards or invitations whose `bundle` it is: too many at once, or from quiet hours. */
  z.object({
    kind: z.literal('flood'),
    quiet: z.literal(true).optional(),
    /** Missing: projects. */
    of: z.literal('invitation').optional(),
  }),
  z.object({ kind: z.literal('notice'), notice: ChannelNotice }),
  /** A bid whose project has no card in the channel: its own message, kept up to date. */
  z.object({ kind: z.literal('bid'), bid: BidId }),
  /** The same for a job that wasn't created in Gigdesk. */
  z.object({ kind: z.literal('job'), job: JobId }),
  /** An update in the thread of a card, a bid or a job. */
  z.object({ kind: z.literal('bid-news'), news: BidNews }),
  /** Asks people to approve a waiting job. `round` counts the job's requests. */
  z.object({ kind: z.literal('approval-request'), job: JobId, round: z.number() }),
  /**
   * A bid or an approval that waits before it is sent, with Cancel. `round` counts its requests for a second
   * approval; 0: none is needed.
   */
  z.object({
    kind: z.literal('held-order'),
    bid: BidId.optional(),
    job: JobId.optional(),
    attempt: z.number(),
    round: z.number(),
  }),
  z.object({ kind: z.literal('invitation'), invitation: InvitationUid }),
  /** The whole letter, in the thread of an invitation whose card shows only an excerpt. */
  z.object({ kind: z.literal('invitation-letter'), invitation: InvitationUid }),
  /** A changed status in the server's words, in an invitation's thread. */
  z.object({
    kind: z.literal('invitation-status'),
    title: z.string(),
    before: z.string().optional(),
    status: z.string(),
  }),
  /** Outcomes of a proposal that belongs to no job in the channel. */
  z.object({ kind: z.literal('outcome'), news: OutcomeNews }),
  z.object({ kind: z.literal('outcomes-rest'), rest: OutcomeCounts }),
  z.object({ kind: z.literal('outcome-list'), list: OutcomeList }),
  /** In a card's thread: what the card leaves out, if the channel wants short cards. */
  z.object({ kind: z.literal('card-details'), project: ProjectKey }),
  /** A direct message to the person who got a card from a colleague. `link`: to the card. */
  z.object({
    kind: z.literal('card-assigned'),
    channel: ChannelId,
    project: ProjectKey,
    title: z.string(),
    by: UserId,
    link: z.string().optional(),
  }),
  /** A direct message about a project that a person follows; found for that channel, by that rule. */
  z.object({ kind: z.literal('followed-project'), ...followed, rule: followedRule }),
  /** The same for many found at once. `more` are left out. */
  z.object({ kind: z.literal('followed-list'), items: z.array(z.object(followed)), more: z.number() }),
  /** The post's own id is the digest's key. */
  z.object({ kind: z.literal('digest') }),
  /** In a digest's thread: what the main message leaves out. `part` counts from 0. */
  z.object({ kind: z.literal('digest-more'), digest: PostId, part: z.number() }),
  /** A channel without an admin's confirmation spends from the pool: `limit` credits per period. */
  z.object({ kind: z.literal('new-budget'), channel: ChannelId, limit: z.number() }),
  /** What Gigdesk does, with a button to set up the channel; `by` invited it. */
  z.object({ kind: z.literal('welcome'), by: UserId.optional() }),
  /** A direct message to the person who installed Gigdesk: connect the marketplace account. */
  z.object({ kind: z.literal('connect-account') }),
  /** A made-up card, marked as an example: no project was known when the channel was set up. */
  z.object({ kind: z.literal('example-card') }),
  /** Cards that nobody claimed, and claims without a bid. `more`: further cards, which aren't listed. */
  z.object({
    kind: z.literal('response'),
    items: z.array(ResponseItem),
    more: z.number(),
    mention: z.object({ users: z.array(UserId), groups: z.array(z.string()) }),
  }),
  /** What a person changed, for everyone in the channel; in the words of that moment, as mrkdwn. */
  z.object({
    kind: z.literal('announcement'),
    text: z.string(),
    /** Ways back, such as Unmute. */
    buttons: z.array(z.object({ id: z.string(), label: z.string(), value: z.string() })),
  }),
  /** A person asks for a role; key of the request. */
  z.object({ kind: z.literal('access-request'), request: z.string() }),
]);
export type PostContent = z.infer<typeof PostContent>;
/** What posts of one kind contain. */
export type PostContentOf<K extends PostContent['kind']> = Extract<PostContent, { readonly kind: K }>;

export const Post = z.object({
  id: PostId,
  /** A channel, or a user's id for a direct message. */
  channel: z.union([ChannelId, UserId]),
  content: PostContent,
  /** The post whose thread it belongs to. If that was never posted, it goes to the channel. */
  under: PostId.optional(),
  /**
   * held: until the channel's quiet hours are over · waiting: to be sent · sending: passed to Slack, result
   * not stored yet · posted · bundled: listed in a summary instead of its own message · failed: Slack refuses
   * it for good, see `failure`.
   */
  state: z.enum(['held', 'waiting', 'sending', 'posted', 'bundled', 'failed']),
  /** A channel's posts are sent in this order: by the project's publishing time, or the enqueue time. */
  order: z.number(),
  enqueuedAt: z.number(),
  sendingSince: z.number().optional(),
  ts: MessageTs.optional(),
  /** The conversation it was posted in; differs from `channel` for a direct message. */
  postedIn: ChannelId.optional(),
  /** `revision` counts content changes; `shown` is the revision that Slack shows. */
  revision: z.number(),
  shown: z.number(),
  /** For a card or an invitation: the summary that lists it. Kept after release, for the summary's count. */
  bundle: PostId.optional(),
  /** It is posted on its own, for example because a person released it from a summary: never bundled. */
  released: z.boolean().optional(),
  /** For a summary: when it last grew. */
  grewAt: z.number().optional(),
  failure: z.string().optional(),
});
export type Post = z.infer<typeof Post>;

/** Whether it still has to be sent, or may have been sent with an unknown result. */
export function isPostPending(post: Pick<Post, 'state'> | undefined): boolean {
  return post?.state === 'held' || post?.state === 'waiting' || post?.state === 'sending';
}

/** The order after quiet hours: the card summary, then invitations, then what a pause lets through. */
export const quietHoursReleaseRanks = { summary: 0, invitations: 1, outcomes: 2 } as const;

function heldRank({ kind }: PostContent): number {
  if (kind === 'flood') return quietHoursReleaseRanks.summary;
  return kind === 'outcome' || kind === 'outcomes-rest' || kind === 'outcome-list'
    ? quietHoursReleaseRanks.outcomes
    : quietHoursReleaseRanks.invitations;
}

export const posts = collection({
  name: 'posts',
  schema: Post,
  key: (it) => [it.id],
  indexes: {
    /** [state, channel, order]: waiting posts, oldest first; and posts being sent during a crash. */
    byState: (post) =>
      post.state === 'waiting' || post.state === 'sending'
        ? [post.state, post.channel, post.order]
        : undefined,
    /** [channel, rank, order]: posts that wait for the end of quiet hours. */
    held: (post) => (post.state === 'held' ? [post.channel, heldRank(post.content), post.order] : undefined),
    /** [channel, work, order]: posts that delivery has to send or update. */
    byWork: (post) => {
      const work = findDeliveryWork(post);
      return work && [post.channel, work, post.order];
    },
    /** [summary's post id, state, order] */
    byBundle: (post) => (post.bundle ? [post.bundle, post.state, post.order] : undefined),
    /** [channel, listed kind, enqueuedAt]: summaries, except those of quiet hours. */
    floods: ({ channel, content, enqueuedAt }) =>
      content.kind === 'flood' && !content.quiet ? [channel, content.of ?? 'card', enqueuedAt] : undefined,
    /** [channel, enqueuedAt]: the hourly summaries of small outcomes. */
    hourly: ({ channel, content, enqueuedAt }) =>
      content.kind === 'outcome-list' && content.list.of === 'hour' ? [channel, enqueuedAt] : undefined,
    /** [channel, message ts]: finds the post of a pressed button's message. */
    byMessage: (post) => (post.ts ? [post.postedIn ?? post.channel, post.ts] : undefined),
    /** [channel, enqueuedAt]: a channel's posts since a time. */
    byChannel: (post) => [post.channel, post.enqueuedAt],
    byAge: (post) => [post.enqueuedAt],
  },
  keepFor: { ms: 90 * DAY },
});

/** `changed`: the posted message shows an older revision. In the order of `byWork`. */
export type DeliveryWork = 'changed' | 'sending' | 'waiting';

export function findDeliveryWork({ state, shown, revision }: Post): DeliveryWork | undefined {
  if (state === 'waiting' || state === 'sending') return state;
  return state === 'posted' && shown < revision ? 'changed' : undefined;
}
