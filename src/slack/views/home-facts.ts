/** All that a Home shows, gathered once. Pure. */
import type { BidDraft, Job } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import type { AccountState, BudgetState } from '../../credits/credits-service.ts';
import type { PlannedDigest } from '../../digests/digests.ts';
import type { FeedStatus, SubscriptionStatus } from '../../feed/feed.ts';
import type { ChannelSettings } from '../../feed/records.ts';
import type { ChannelId, InvitationUid, UserId } from '../../ids.ts';
import type { GateStatus } from '../../marketplace/gate.ts';
import type { ListedProject, Verdict } from '../../marketplace/schema.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';
import type { SetupList } from '../../setups/setup-service.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { Person } from '../routes.ts';

/** The first of a list, and how many more there are. */
export interface TruncatedList<T> {
  readonly shown: readonly T[];
  readonly more: number;
  /** Nobody counted further. */
  readonly orMore?: true;
}

/** A conversation with Gigdesk, by its own id or by that of the person, and no channel. */
export function isDirect(channel: ChannelId): boolean {
  return !/^[CG]/u.test(channel);
}

export interface JobAwaitingApproval {
  readonly job: Job;
  /** Who bid, where that was in a direct message. */
  readonly by?: UserId;
  /** Of the project, as far as it is known. */
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

export type HomeDraft =
  | { readonly kind: 'bid'; readonly draft: BidDraft }
  | { readonly kind: 'template'; readonly draft: TemplateDraft };

export interface HomeChannel {
  readonly channel: ChannelId;
  /** A stranger's words. */
  readonly name: string;
  /** The reader's there. */
  readonly role: Person['role'];
  readonly budget: BudgetState;
  readonly settings: ChannelSettings;
  readonly subscriptions: readonly SubscriptionStatus[];
  readonly profiles: readonly ProfileFeedStatus[];
  readonly digest?: PlannedDigest;
}

export interface HomeFacts {
  /** What came of the last press; harmless mrkdwn. */
  readonly notice?: string;
  /** The reader everywhere. */
  readonly person: Person;
  readonly account: AccountState;
  readonly feed: Pick<FeedStatus, 'trouble'>;
  readonly gate: GateStatus;
  /** The present. */
  readonly at: Instant;
  /** Set while Slack has not said in which channels the reader is: these are public ones that they were in at `at`. */
  readonly remembered?: { readonly at?: Instant };
  readonly waiting: TruncatedList<JobAwaitingApproval>;
  readonly claims: TruncatedList<HomeClaim>;
  readonly drafts: TruncatedList<HomeDraft>;
  /** Those in trouble first, then by name. */
  readonly channels: readonly HomeChannel[];
  /** Channels beyond these, in which nobody looked. */
  readonly moreChannels: number;
  readonly setups: SetupList;
}
