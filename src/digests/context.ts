/** What all parts of the digest service need. */
import type { Clock } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { CreditsService } from '../credits/create-credits.ts';
import type { FeedService } from '../feed/create-feed.ts';
import type { Log } from '../log.ts';
import type { ProfileFeedService } from '../profiles/profiles.ts';
import type { ProposalMirror } from '../proposals/mirror.ts';
import type { SetupService } from '../setups/setups.ts';
import type { Store } from '../storage/store.ts';

export interface DigestsContext {
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
