/**
 * Everything an App Home shows, collected once, and the values of its buttons: parsed back as untrusted
 * input, they only identify a record. Pure.
 */
import { z } from 'zod';
import type { Bid, BidDraft, HeldOrder, Job } from '../../bidding/bidding.ts';
import type { Instant } from '../../clock.ts';
import type { AccountState, BudgetState } from '../../credits/credits.ts';
import type { PlannedDigest } from '../../digests/digests.ts';
import type { ChannelSettings, FeedStatus, SubscriptionStatus } from '../../feed/feed.ts';
import {
  type ChannelId,
  DraftId,
  FilterId,
  InvitationUid,
  OrganizationId,
  ProfileId,
  ProjectKey,
  type UserId,
} from '../../ids.ts';
import type { GateStatus } from '../../marketplace/gate/gate.ts';
import type { ListedProject, Verdict } from '../../marketplace/schema.ts';
import { ProfileFeedKind, type ProfileFeedStatus } from '../../profiles/profiles.ts';
import type { SetupList } from '../../setups/setups.ts';
import type { TemplateDraft } from '../../templates/templates.ts';
import type { UserChannel } from '../core/home-cache.ts';
import type { Person } from '../core/routes.ts';
import { ChannelValue, jsonValueCodec } from '../kit/button-values.ts';

/** The first items of a list, and how many more there are. */
export interface TruncatedList<T> {
  readonly shown: readonly T[];
  readonly more: number;
  /** Counting stopped at a limit. */
  readonly orMore?: true;
}

export interface JobAwaitingApproval {
  readonly job: Job;
  /** Who placed the bid, for a bid from a direct message. */
  readonly by?: UserId;
  readonly title?: string;
  readonly verdict?: Verdict;
}

export type HomeClaim = {
  readonly channel: ChannelId;
  readonly at: Instant;
  /** To the card's message. */
  readonly link?: string;
} & (
  | { readonly kind: 'project'; readonly project: Pick<ListedProject, 'key' | 'title' | 'url'> }
  | { readonly kind: 'invitation'; readonly uid: InvitationUid; readonly title: string }
);

/** A bid or an approval that waits before it is sent, with a link to its message. */
export type HomeHeldOrder = HeldOrder & { readonly link?: string };

export type HomeDraft =
  | { readonly kind: 'bid'; readonly draft: BidDraft }
  | { readonly kind: 'template'; readonly draft: TemplateDraft };

export interface HomeChannel {
  readonly channel: ChannelId;
  /** A stranger's text. */
  readonly name: string;
  /** The user's role there. */
  readonly role: Person['role'];
  readonly budget: BudgetState;
  readonly settings: ChannelSettings;
  readonly subscriptions: readonly SubscriptionStatus[];
  readonly profiles: readonly ProfileFeedStatus[];
  readonly digest?: PlannedDigest;
  /** How fast the channel claims and bids; safe mrkdwn. */
  readonly response?: string;
}

export interface HomeFacts {
  /** The result of the last action; safe mrkdwn. */
  readonly notice?: string;
  /** With the workspace-wide role. */
  readonly person: Person;
  readonly account: AccountState;
  /** Whether a marketplace account is connected; missing: its token comes from the environment. */
  readonly isConnected?: boolean;
  readonly feed: Pick<FeedStatus, 'trouble'>;
  readonly gate: GateStatus;
  readonly at: Instant;
  /** Set while Slack has not said which channels the user is in: these are the public ones known at `at`. */
  readonly remembered?: { readonly at?: Instant };
  readonly waiting: TruncatedList<JobAwaitingApproval>;
  /** Bids that wait before they are sent: the user's own, and those that need the user's approval. */
  readonly held: Readonly<Record<'own' | 'toApprove', TruncatedList<HomeHeldOrder>>>;
  /** The user's own bids that may or may not exist. */
  readonly uncertain: TruncatedList<Bid>;
  readonly claims: TruncatedList<HomeClaim>;
  readonly drafts: TruncatedList<HomeDraft>;
  /** Channels with problems first, then by name. */
  readonly channels: readonly HomeChannel[];
  /** Channels of the user that Gigdesk was invited to, and that get nothing yet; by name. */
  readonly invitedTo: readonly UserChannel[];
  /** Further channels, which were not read. */
  readonly moreChannels: number;
  readonly setups: SetupList;
}

const channel = ChannelValue;

/** A project's or an invitation's card in a channel. */
export const homeClaimValueCodec = jsonValueCodec(
  z.union([z.object({ channel, project: ProjectKey }), z.object({ channel, uid: InvitationUid })]),
);
/** `channel`: where the user may build templates; missing: in none of the channels shown. */
export const homeTemplateValueCodec = jsonValueCodec(
  z.object({ draft: DraftId, channel: channel.optional() }),
);
export const homeChannelValueCodec = jsonValueCodec(z.object({ channel }));
export const followedFilterValueCodec = jsonValueCodec(z.object({ channel, filter: FilterId }));
export const followedProfileValueCodec = jsonValueCodec(
  z.object({ channel, feed: ProfileFeedKind, profile: ProfileId, organization: OrganizationId.optional() }),
);
