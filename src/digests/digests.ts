/** The digest service, as commands and the scheduler use it, and what all its parts need. */
import type { Clock, Instant } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { CreditsService } from '../credits/credits.ts';
import type { FeedService } from '../feed/feed.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ProfileFeedService } from '../profiles/profiles.ts';
import type { ProposalMirror } from '../proposals/mirror.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { SetupService } from '../setups/setups.ts';
import type { Store } from '../storage/store.ts';
import type { DigestPlan } from './records.ts';

export { type DigestPlan, readDigest } from './records.ts';

export interface PlannedDigest {
  readonly plan: DigestPlan;
  /** The time zone in use: the plan's, unless this machine doesn't know it. */
  readonly timezone: string;
  readonly next: Instant;
}

export interface DigestPlanRequest {
  readonly channel: ChannelId;
  readonly minute: number;
  readonly days: DigestPlan['days'];
  readonly timezone: string;
  readonly by: UserId;
}

export interface DigestService {
  readonly job: ScheduledJob;
  readDigestPlan(channel: ChannelId): Promise<PlannedDigest | undefined>;
  /** Starts with the next slot; a digest whose time has passed today isn't posted. */
  planDigest(order: DigestPlanRequest): Promise<PlannedDigest>;
  /** @returns false if there was none */
  stopDigest(channel: ChannelId, by: UserId): Promise<boolean>;
  /**
   * Posts a digest now, in addition to scheduled ones. It covers the time since the last one of any kind: at
   * least a day, at most a week.
   * @param press unique per click or command: repeating it posts nothing new
   * @param timezone the person's, for a channel without its own
   * @returns false if a digest was requested within the last minute
   * @throws ClockOffError while the wall clock is wrong
   */
  postDigestNow(channel: ChannelId, by: UserId, press: string, timezone?: string): Promise<boolean>;
}

export interface DigestsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: Pick<CreditsService, 'readBudgetState' | 'readAccountState'>;
  readonly setups: Pick<SetupService, 'readStoredSetups' | 'refreshIfOlderThan'>;
  readonly feed: Pick<FeedService, 'listSubscriptions' | 'readChannelSettings'>;
  readonly profiles: Pick<ProfileFeedService, 'listChannelProfileFeeds'>;
  readonly mirror: Pick<ProposalMirror, 'listNewestFirst' | 'isLoaded' | 'estimateProgress'>;
  /** IANA name, for channels without their own time zone. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}
