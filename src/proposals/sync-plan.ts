/** Decides what is read next of a profile: its newest page, the copy's next page, or a sweep's. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { DAY, type Instant, isRecent, MINUTE } from '../clock.ts';
import { backgroundSlotLimit } from '../marketplace/gate/gate.ts';
import type { ProfileSync } from '../profiles/records.ts';
import {
  computeNewestPageNumber,
  decideNextCopyPage,
  isNewestPageMissing,
  isProposalCopyComplete,
} from './copy-plan.ts';
import { computeFirstSweepPage } from './sweep-plan.ts';

export type SyncStep =
  | { readonly kind: 'read'; readonly page: number; readonly why: 'newest' | 'copy' | 'sweep' }
  | { readonly kind: 'rest'; readonly until: Instant };

/** Source of the largest page: docs/marketplace-api.md, Limits. */
export const MAX_PROPOSALS_PER_PAGE = 100;

const NEWEST_EVERY_MS = 2 * MINUTE;
const SWEPT_EVERY_MS = DAY;
/**
 * During a copy, the newest page is read after this many copied pages: just over one request in a hundred.
 */
const COPIED_BETWEEN_NEWEST = 80;
/** Newest pages take at most this share of the gate's background slots. */
const SHARE_FOR_NEWEST = 0.5;

/** Time between two reads of a profile's newest page; longer when many profiles share few requests. */
export function getNewestPageIntervalMs(profiles: number, limitPerMinute: number): number {
  const perMinute = backgroundSlotLimit(limitPerMinute) * SHARE_FOR_NEWEST;
  return Math.max(NEWEST_EVERY_MS, Math.ceil((profiles / perMinute) * MINUTE));
}

export function getProposalListLayout({ copy }: ProfileSync) {
  const { total } = copy ?? {};
  return {
    size: copy?.size ?? MAX_PROPOSALS_PER_PAGE,
    ascending: copy?.ascending ?? false,
    ...omitUndefined({ total }),
  };
}

/** How many of the server's proposals are neither stored nor received in an unreadable form. */
export function countMissingProposals({ copy }: ProfileSync): number {
  if (copy?.total === undefined) return 0;
  return Math.max(0, copy.total - (copy.held ?? 0) - (copy.unreadable ?? 0));
}

function readNewest(sync: ProfileSync): SyncStep {
  return {
    kind: 'read',
    page: computeNewestPageNumber(sync.copy?.runs ?? [], getProposalListLayout(sync)),
    why: 'newest',
  };
}

function sweep(sync: ProfileSync): SyncStep {
  return {
    kind: 'read',
    page: sync.sweepPage ?? computeFirstSweepPage(getProposalListLayout(sync)),
    why: 'sweep',
  };
}

type Copy = NonNullable<ProfileSync['copy']>;

/** Applies while pages are missing after the first run. */
function goOnCopying(sync: ProfileSync, copy: Copy, isNewestFresh: boolean): SyncStep {
  if (!isNewestFresh && (copy.sinceNewest ?? 0) >= COPIED_BETWEEN_NEWEST) return readNewest(sync);
  return {
    kind: 'read',
    page: decideNextCopyPage(copy.runs ?? [], getProposalListLayout(sync)) ?? 1,
    why: 'copy',
  };
}

/** The list was read to its end, but proposals are missing: read new ones first, then everything again. */
function findMissing(sync: ProfileSync, copy: Copy): SyncStep {
  return (copy.sinceNewest ?? 0) > 0 ? readNewest(sync) : sweep(sync);
}

function keepUp(sync: ProfileSync, isNewestFresh: boolean, pauseMs: number, now: Instant): SyncStep {
  const { readAt = now, sweptAt = now, sweepPage } = sync;
  if (!isNewestFresh) return readNewest(sync);
  if (sweepPage !== undefined || !isRecent(sync.sweptAt, SWEPT_EVERY_MS, now)) return sweep(sync);
  return { kind: 'rest', until: Math.min(readAt + pauseMs, sweptAt + SWEPT_EVERY_MS) };
}

/** @param pauseMs between reads of the newest page */
export function decideSyncStep(sync: ProfileSync, pauseMs: number, now: Instant): SyncStep {
  const { copy, readAt } = sync;
  if (!copy?.runs || isNewestPageMissing(copy.runs)) return readNewest(sync);
  const isNewestFresh = isRecent(readAt, pauseMs, now);
  if (!isProposalCopyComplete(copy.runs)) return goOnCopying(sync, copy, isNewestFresh);
  if (copy.copiedAt === undefined) return findMissing(sync, copy);
  return keepUp(sync, isNewestFresh, pauseMs, now);
}
