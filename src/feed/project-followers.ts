/** What the feed tells about the projects it finds, for people who follow some of them. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, ProjectKey } from '../ids.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';

export interface FoundForChannels {
  readonly project: ProjectKey;
  readonly filter: FilterId;
  /** Where it was found, whether or not the channel's rules let it through. */
  readonly channels: readonly ChannelId[];
  readonly at: Instant;
  /** Rules made later don't count. */
  readonly since: Instant;
}

export interface ProjectFollowers {
  /** Whether anybody follows projects; asked once for each page. */
  hasAny(tx: ReadTransaction): Promise<boolean>;
  /** Stores that a filter found a project. Who is interested is decided after the page is stored. */
  noteFound(tx: Transaction, found: FoundForChannels): Promise<void>;
}
