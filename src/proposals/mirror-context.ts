/** What the mirror is handed. */
import type { Clock, Random } from '../clock.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { ProfileFeedService } from '../profiles/profile-feed-service.ts';
import type { DiskCache } from '../storage/shelves/disk-cache.ts';
import type { Store } from '../storage/store.ts';
import type { ProposalChangeHandler } from './mirror-writer.ts';

export interface MirrorContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Of the mirror alone. */
  readonly shelves: DiskCache<Proposal>;
  readonly profiles: Pick<ProfileFeedService, 'listAllProfileFeeds'>;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposals'>;
  /** Learns names from what is read. */
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
  /** For the estimate of how long the first copy takes, and the pace of keeping up. */
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /**
   * Handed every piece of news, and waited for, before it is kept:
   * - a proposal of a followed profile that was not known (no `before`) and was submitted after the profile's first copy was
   *   complete;
   * - a known proposal of a followed profile whose first copy is complete, when anything of it has changed.
   *
   * A first copy hands over nothing. A profile that was not followed for a while is copied anew in this sense. When the
   * process ends, or this throws, before it is kept, it is handed over again: whoever takes it must bear that. Otherwise
   * each change comes once. What was lost of the files on disk, and is read anew, may come again, too.
   */
  readonly onChanges?: ProposalChangeHandler;
}
