/** Updates a profile's sync record after a page was read and stored. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ProfileSync } from '../profiles/records.ts';
import { isProposalCopyComplete, mergePageIntoRanges, type ProposalPageFacts } from './copy-plan.ts';
import { countMissingProposals, decideNextSweepPage, type SyncStep } from './sync-plan.ts';

type Copy = NonNullable<ProfileSync['copy']>;

interface PageReadResult {
  readonly why: Extract<SyncStep, { kind: 'read' }>['why'];
  readonly facts: ProposalPageFacts;
  /** Proposals of the page that weren't stored for the profile before. */
  readonly found: number;
  /** How many are stored for it now. */
  readonly held: number;
  readonly unreadable: number;
  readonly at: Instant;
}

/** Whether it is the newest page, whatever the reason for reading it. */
function isNewest({ why, facts }: PageReadResult): boolean {
  return why === 'newest' || (why === 'sweep' && facts.page === 1 && !facts.ascending);
}

function recordCopy(sync: ProfileSync, read: PageReadResult): Copy {
  const { facts, held, at } = read;
  const before: Copy = sync.copy ?? { startedAt: at, requests: 0 };
  const { ascending, size, total } = facts;
  // The direction changed: known positions are no longer valid.
  const runs = before.ascending === ascending ? (before.runs ?? []) : [];
  const goesOn = read.why === 'copy' || isNewest(read);
  const isFirst = before.copiedAt === undefined;
  const sinceNewest = isNewest(read) ? 0 : (before.sinceNewest ?? 0) + (read.why === 'copy' ? 1 : 0);
  return {
    ...before,
    ...omitUndefined({ total }),
    size,
    ascending,
    held,
    sinceNewest,
    requests: before.requests + (isFirst ? 1 : 0),
    unreadable: (before.unreadable ?? 0) + (isFirst && read.why !== 'sweep' ? read.unreadable : 0),
    runs: goesOn ? mergePageIntoRanges(runs, facts) : [...runs],
  };
}

function recordSweep(sync: ProfileSync, copy: Copy, read: PageReadResult): ProfileSync {
  const { sweepPage: _page, sweepFound: foundBefore = 0, sweepAll = false, ...rest } = sync;
  const { facts, at } = read;
  const found = foundBefore + read.found;
  const missing = countMissingProposals({ ...sync, copy });
  const isAll = sweepAll || copy.copiedAt === undefined;
  const next = decideNextSweepPage(copy.runs ?? [], facts, { isAll, found: read.found, missing }, at);
  if (next !== undefined) {
    return { ...rest, copy, sweepPage: next, sweepFound: found, ...(isAll ? { sweepAll: true } : {}) };
  }
  const swept = { ...rest, sweptAt: at };
  if (!isAll) return { ...swept, copy };
  // While the sweep finds proposals, there may be more.
  if (missing > 0 && found > 0) return { ...swept, copy, sweepAll: true };
  return { ...swept, copy: { ...copy, copiedAt: copy.copiedAt ?? at, shortBy: missing } };
}

/**
 * The first copy is complete when the whole list was read and as many proposals are stored as the server
 * counts.
 */
function settleCopy(sync: ProfileSync, read: PageReadResult): ProfileSync {
  const { copy } = sync;
  if (!copy || !isProposalCopyComplete(copy.runs ?? [])) return sync;
  const missing = countMissingProposals(sync);
  if (copy.copiedAt === undefined) {
    if (missing > 0) return sync;
    const { sweepPage: _page, sweepAll: _all, sweepFound: _found, ...rest } = sync;
    return { ...rest, copy: { ...copy, copiedAt: read.at }, sweptAt: read.at };
  }
  if (!isNewest(read) || sync.sweepPage !== undefined) return sync;
  if (missing > 0 && missing !== (copy.shortBy ?? 0)) return { ...sync, sweepAll: true };
  const { sweepAll: _all, ...content } = sync;
  return content;
}

export function applyPageRead(sync: ProfileSync, read: PageReadResult): ProfileSync {
  const copy = recordCopy(sync, read);
  const readAt = isNewest(read) ? { readAt: read.at } : {};
  const after = { ...sync, ...readAt, copy };
  return settleCopy(read.why === 'sweep' ? recordSweep(after, copy, read) : after, read);
}
