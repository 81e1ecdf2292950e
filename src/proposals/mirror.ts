/**
 * The contract of the mirror: proposals of followed profiles, in memory and in their own files. Costs no
 * credits.
 */
import type { Clock, Instant, RandomSource } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { ProfileId, ProposalId, TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';
import type { ProfileFeedService } from '../profiles/profiles.ts';
import type { ItemCache } from '../storage/shelves/item-cache.ts';
import type { Store } from '../storage/store.ts';

export interface MirrorProgress {
  readonly profile: ProfileId;
  /** `copying`: the first copy is not complete. */
  readonly state: 'waiting' | 'copying' | 'complete';
  readonly held: number;
  /** The server's last total. */
  readonly total?: number;
  /** At the gate's present pace. */
  readonly leftMs?: number;
  /** When the newest page was last read successfully. */
  readonly readAt?: Instant;
  readonly trouble?: { readonly code: string; readonly since: Instant; readonly retryAt: Instant };
}

/** A proposal before and after an update; without `before` it is new. */
export interface ProposalChange {
  readonly before?: Proposal;
  readonly now: Proposal;
}

export type ProposalChangeHandler = (changes: readonly ProposalChange[]) => Promise<void>;

export interface ProposalMirror {
  /**
   * Loads stored data, then copies and updates until stopped. Call once; never throws. An answer that arrives
   * after the stop is dropped, and the next process requests it again.
   */
  run(signal: AbortSignal): Promise<void>;
  readonly isLoaded: boolean;
  readonly size: number;
  /** Takes up to 0.1 ms, since it unpacks the cover letter. */
  get(id: ProposalId): Proposal | undefined;
  /** Everything except the long texts, without unpacking. */
  getFacts(id: ProposalId): ProposalWithoutTexts | undefined;
  getByApplicationUid(applicationUid: string): Proposal | undefined;
  /** Newest first, as of the moment of the call, even if the mirror changes during iteration. */
  listNewestFirst(): Iterable<ProposalWithoutTexts>;
  /** Of the followed profiles. */
  estimateProgress(): readonly MirrorProgress[];
  /**
   * Adds a proposal that was just fetched elsewhere (by its id or uid). It is stored when it is known or its
   * profile is followed, and passed on like one of a page. Don't call it from `onChanges`: it would wait for
   * itself.
   * @throws StorageError when it can't be stored, and any error of `onChanges`.
   */
  addFetchedProposal(proposal: Proposal): Promise<void>;
  /**
   * Called after every stored change, including history and data loaded at the start (without `before`). The
   * listener must not throw.
   */
  onChange(listener: (changes: readonly ProposalChange[]) => void): void;
  /** Called with proposals dropped because nobody follows their profiles any more. Must not throw. */
  onForget(listener: (forgotten: readonly ProposalWithoutTexts[]) => void): void;
  /** The followed profiles have changed: check again now. */
  wake(): void;
}

/** The mirror's dependencies. */
export interface MirrorContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Used only by the mirror. */
  readonly shelves: ItemCache<Proposal>;
  readonly profiles: Pick<ProfileFeedService, 'listAllProfileFeeds'>;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposals'>;
  /** Learns names from the pages. */
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
  /** For the estimate of how long the first copy takes, and the pace of updates. */
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
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
