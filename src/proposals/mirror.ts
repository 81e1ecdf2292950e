/** The contract of the mirror: the proposals of followed profiles, in memory and in files of their own. Costs no credits. */
import type { Instant } from '../clock.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';

export interface MirrorProgress {
  readonly profile: ProfileId;
  /** `copying`: the first copy is not complete. */
  readonly state: 'waiting' | 'copying' | 'complete';
  readonly held: number;
  /** As the server last told. */
  readonly total?: number;
  /** At the present pace of the gate. */
  readonly leftMs?: number;
  /** When the newest page was last read well. */
  readonly readAt?: Instant;
  readonly trouble?: { readonly code: string; readonly since: Instant; readonly retryAt: Instant };
}

/** A proposal before and after something was read of it; without `before` it was not known. */
export interface ProposalChange {
  readonly before?: Proposal;
  readonly now: Proposal;
}

export interface ProposalMirror {
  /**
   * Loads what former runs kept, then copies and keeps up until stopped. Called once; never throws. An answer that comes
   * after the stop is thrown away and read again by the next run.
   */
  run(signal: AbortSignal): Promise<void>;
  /** What former runs kept is in memory. */
  readonly isLoaded: boolean;
  readonly size: number;
  /** Takes up to a tenth of a millisecond: its letter is unpacked. */
  get(id: ProposalId): Proposal | undefined;
  /** All but its letter, at once. */
  getFacts(id: ProposalId): ProposalWithoutTexts | undefined;
  getByApplicationUid(applicationUid: string): Proposal | undefined;
  /** Newest first, as of the moment of the call, whatever changes while it is walked through. */
  listNewestFirst(): Iterable<ProposalWithoutTexts>;
  /** Of the followed profiles. */
  estimateProgress(): readonly MirrorProgress[];
  /**
   * A proposal that was read elsewhere (by its id or uid) just now. Kept when it is known or its profile is followed, and
   * handed over like one of a page. Not to be called out of `onChanges`, which it would wait for.
   * @throws StorageError when it could not be kept, and whatever `onChanges` throws.
   */
  addFetchedProposal(proposal: Proposal): Promise<void>;
  /**
   * Told of every change, after it is kept: also of the past, and of what is loaded at the start (without `before`). The
   * listener must not throw.
   */
  onChange(listener: (changes: readonly ProposalChange[]) => void): void;
  /** Told of proposals that are no longer kept, since nobody follows their profiles any more. Must not throw. */
  onForget(listener: (forgotten: readonly ProposalWithoutTexts[]) => void): void;
  /** What is followed has changed: look again now. */
  wake(): void;
}
