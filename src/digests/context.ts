/** Dependencies that all digest modules share. */
import type { Clock } from '../clock.ts';
import type { CreditsService } from '../credits/credits-service.ts';
import type { FeedService } from '../feed/feed.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ChartRenderer } from '../pictures/chart-renderer.ts';
import type { ProfileFeedService } from '../profiles/profile-feed-service.ts';
import type { ProposalMirror } from '../proposals/mirror.ts';
import type { SetupService } from '../setups/setup-service.ts';
import type { Store } from '../storage/store.ts';
import type { ChartUploadPort } from './digests.ts';

export interface DigestsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: Pick<CreditsService, 'readBudgetState' | 'readAccountState'>;
  readonly setups: Pick<SetupService, 'readStoredSetups' | 'refreshIfOlderThan'>;
  readonly feed: Pick<FeedService, 'listSubscriptions' | 'readChannelSettings'>;
  readonly profiles: Pick<ProfileFeedService, 'listChannelProfileFeeds'>;
  readonly mirror: Pick<ProposalMirror, 'listNewestFirst' | 'isLoaded' | 'estimateProgress'>;
  readonly charts: Pick<ChartRenderer, 'renderChart'>;
  readonly port: ChartUploadPort;
  /** IANA name, for channels without their own time zone. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly log: Log;
}
