/** The contract of the mirror: the proposals of followed profiles, in memory and in files of their own. Costs no credits. */
import type { Instant } from '../clock.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';

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

/** A proposal before and after something was read of it. */
export interface ProposalChange {
  readonly before?: Proposal;
  readonly now: Proposal;
}

export interface Mirror {
  /** Copies and keeps up until stopped. */
  run(signal: AbortSignal): Promise<void>;
  readonly size: number;
  get(id: ProposalId): Proposal | undefined;
  byUid(applicationUid: string): Proposal | undefined;
  /** Newest first. */
  newest(): Iterable<Proposal>;
  progress(): readonly MirrorProgress[];
  /** A proposal that was read elsewhere (by its id or uid). */
  take(proposal: Proposal): Promise<void>;
  /** Told of every change, after it is kept; the listener must not throw. */
  onChange(listener: (changes: readonly ProposalChange[]) => void): void;
  /** What is followed has changed: look again now. */
  wake(): void;
}
