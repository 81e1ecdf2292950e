/** The mirror's dependencies. */
import type { Clock, RandomSource } from '../clock.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { ProfileFeedService } from '../profiles/profile-feed-service.ts';
import type { DiskCache } from '../storage/shelves/disk-cache.ts';
import type { Store } from '../storage/store.ts';
import type { ProposalChangeHandler } from './mirror-writer.ts';

export interface MirrorContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Used only by the mirror. */
  readonly shelves: DiskCache<Proposal>;
  readonly profiles: Pick<ProfileFeedService, 'listAllProfileFeeds'>;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposals'>;
  /** Learns names from the pages. */
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
  /** For the estimate of how long the first copy takes, and the pace of updates. */
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /**
   * Gets all news and is awaited before it is stored:
   * - a new proposal of a followed profile (no `before`), submitted after the profile's first copy was
   *   complete;
   * - any change to a known proposal of a followed profile whose first copy is complete.
   *
   * A first copy passes nothing here. A profile that was unfollowed for a while counts as a first copy again.
   * If the process ends or this throws before the news is stored, the same news comes again, so the handler
   * must be idempotent. Otherwise each change comes once. Files lost from disk and read again may also repeat
   * news.
   */
  readonly onChanges?: ProposalChangeHandler;
}
