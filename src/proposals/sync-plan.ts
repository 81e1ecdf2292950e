/**
 * Decides whose turn it is among the followed profiles, what is read next of one (its newest page, the copy's
 * next page, or the daily sweep's), and when after a failure. Pure.
 */
import { backoffMs } from '../base/backoff.ts';
import { DAY, HOUR, type Instant, isRecent, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import type { ProfileId } from '../ids.ts';
import { backgroundSlotLimit } from '../marketplace/gate/gate.ts';
import type { CopiedProposalRange, ProfileSync } from '../profiles/records.ts';
import {
  countFailure,
  getFailureRule,
  getProfileConcern,
  getRetryTime,
  type SourceFailure,
} from '../sources/failure-rules.ts';
import {
  computeNewestPageNumber,
  countPages,
  decideNextCopyPage,
  isLastPage,
  isNewestPageMissing,
  isProposalCopyComplete,
  type ProposalPageFacts,
} from './copy-plan.ts';

export type SyncStep =
  | { readonly kind: 'read'; readonly page: number; readonly why: 'newest' | 'copy' | 'sweep' }
  | { readonly kind: 'rest'; readonly until: Instant };

/** Source of the largest page: docs/marketplace-api.md, Limits. */
export const MAX_PROPOSALS_PER_PAGE = 100;

const NEWEST_EVERY_MS = 2 * MINUTE;
const SWEPT_EVERY_MS = DAY;
/** After this many copied pages, the newest page is read: just over one request in a hundred. */
const COPIED_BETWEEN_NEWEST = 80;
/** Newest pages take at most this share of the gate's background slots. */
const SHARE_FOR_NEWEST = 0.5;

/** Time between two reads of a profile's newest page; longer when many profiles share few requests. */
export function getNewestPageIntervalMs(profiles: number, limitPerMinute: number): number {
  const perMinute = backgroundSlotLimit(limitPerMinute) * SHARE_FOR_NEWEST;
  return Math.max(NEWEST_EVERY_MS, Math.ceil((profiles / perMinute) * MINUTE));
}

export function getProposalListLayout({ copy }: ProfileSync) {
  const { size = MAX_PROPOSALS_PER_PAGE, ascending = false, total } = copy ?? {};
  return { size, ascending, total };
}

/** How many of the server's proposals are neither stored nor received in an unreadable form. */
export function countMissingProposals({ copy }: ProfileSync): number {
  if (copy?.total === undefined) return 0;
  return Math.max(0, copy.total - (copy.held ?? 0) - (copy.unreadable ?? 0));
}

function readNewest(sync: ProfileSync): SyncStep {
  const page = computeNewestPageNumber(sync.copy?.runs ?? [], getProposalListLayout(sync));
  return { kind: 'read', page, why: 'newest' };
}

function sweep(sync: ProfileSync): SyncStep {
  const { size, total = 0, ascending } = getProposalListLayout(sync);
  const first = ascending ? Math.max(1, Math.ceil(total / size)) : 1;
  return { kind: 'read', page: sync.sweepPage ?? first, why: 'sweep' };
}

/** @param pauseMs between reads of the newest page */
export function decideSyncStep(sync: ProfileSync, pauseMs: number, now: Instant): SyncStep {
  const { copy, readAt = now, sweptAt = now, sweepPage } = sync;
  if (!copy?.runs || isNewestPageMissing(copy.runs)) return readNewest(sync);
  const { runs, sinceNewest = 0 } = copy;
  const isNewestFresh = isRecent(sync.readAt, pauseMs, now);
  if (!isProposalCopyComplete(runs)) {
    if (!isNewestFresh && sinceNewest >= COPIED_BETWEEN_NEWEST) return readNewest(sync);
    return { kind: 'read', page: decideNextCopyPage(runs, getProposalListLayout(sync)) ?? 1, why: 'copy' };
  }
  // The list was read to its end, but proposals are missing: read new ones first, then everything again.
  if (copy.copiedAt === undefined) return sinceNewest > 0 ? readNewest(sync) : sweep(sync);
  if (!isNewestFresh) return readNewest(sync);
  if (sweepPage !== undefined || !isRecent(sync.sweptAt, SWEPT_EVERY_MS, now)) return sweep(sync);
  return { kind: 'rest', until: Math.min(readAt + pauseMs, sweptAt + SWEPT_EVERY_MS) };
}

type NextProfileSync =
  | { readonly kind: 'read'; readonly sync: ProfileSync; readonly step: Extract<SyncStep, { kind: 'read' }> }
  /** Without a time: nothing is followed. */
  | { readonly kind: 'rest'; readonly until?: Instant };

/**
 * Among profiles with something to read, the one whose last turn is the longest ago.
 * @param lastTurn a number that grows with every turn
 */
export function chooseNextProfileSync(
  syncs: readonly ProfileSync[],
  lastTurn: ReadonlyMap<ProfileId, number>,
  limitPerMinute: number,
  now: Instant,
): NextProfileSync {
  const shared = syncs.flatMap(({ trouble }) =>
    trouble && getProfileConcern(trouble.code) === 'account' ? [getSyncRetryTime(trouble, now)] : [],
  );
  const rest = Math.max(0, ...shared);
  if (rest > now) return { kind: 'rest', until: rest };
  const pauseMs = getNewestPageIntervalMs(syncs.length, limitPerMinute);
  const steps = syncs.map((sync) => {
    const until = sync.trouble ? getSyncRetryTime(sync.trouble, now) : 0;
    const rests = { kind: 'rest', until } as const;
    return { sync, step: until > now ? rests : decideSyncStep(sync, pauseMs, now) };
  });
  const turnOf = ({ profile }: ProfileSync) => lastTurn.get(profile) ?? 0;
  const [next] = steps
    .flatMap(({ sync, step }) => (step.kind === 'read' ? [{ kind: 'read', sync, step } as const] : []))
    .sort((a, b) => turnOf(a.sync) - turnOf(b.sync));
  if (next) return next;
  const untils = steps.flatMap(({ step }) => (step.kind === 'rest' ? [step.until] : []));
  return untils.length > 0 ? { kind: 'rest', until: Math.min(...untils) } : { kind: 'rest' };
}

const FIRST_PAUSE_MS = 30 * SECOND;
const LONGEST_PAUSE_MS = HOUR;
/** Longest pause after a transient failure: people wait for outcomes that only this pause delays. */
const LONGEST_TRANSIENT_MS = 10 * MINUTE;
/** The profile was disconnected, or never belonged to this team. Only people can connect it again. */
const DISCONNECTED_PAUSE_MS = 6 * HOUR;
const DISCONNECTED: ReadonlySet<string> = new Set(['not-found', 'forbidden']);
const JITTER = 0.1;

function pauseMs(code: string, failures: number): number {
  if (DISCONNECTED.has(code)) return DISCONNECTED_PAUSE_MS;
  const rule = getFailureRule(code);
  const [first, longest] =
    rule.concern === 'account'
      ? [rule.firstPauseMs, rule.longestPauseMs]
      : [FIRST_PAUSE_MS, rule.transient ? LONGEST_TRANSIENT_MS : LONGEST_PAUSE_MS];
  return backoffMs(failures, first, longest);
}

/** @param random decides the jitter */
export function escalateSyncFailure(
  before: SourceFailure | undefined,
  { code, retryAfterMs = 0 }: { readonly code: string; readonly retryAfterMs?: number },
  at: Instant,
  random: RandomSource,
): SourceFailure {
  const asked = Math.min(retryAfterMs, LONGEST_PAUSE_MS);
  return countFailure(before, code, at, (failures) =>
    Math.round(at + Math.max(pauseMs(code, failures) * (1 + JITTER * random()), asked)),
  );
}

/** When to try again. A time beyond the longest pause comes from a wrong clock. */
export function getSyncRetryTime(trouble: SourceFailure, now: Instant): Instant {
  const at = getRetryTime(trouble, now);
  return at > now + DISCONNECTED_PAUSE_MS * (1 + JITTER) ? now : at;
}

const PROPOSAL_SWEEP_DAYS = 60;

/**
 * The next page; undefined when the sweep is done.
 * @param isAll whether to go to the end, however old
 * @param found how many of the page's proposals weren't stored before
 */
export function decideNextSweepPage(
  runs: readonly CopiedProposalRange[],
  facts: ProposalPageFacts,
  { isAll, found, missing }: { readonly isAll: boolean; readonly found: number; readonly missing: number },
  now: Instant,
): number | undefined {
  const { page, sortKeys, itemCount, ascending } = facts;
  const times = sortKeys.map(([at]) => at).filter((at) => at > 0);
  const reach = now - PROPOSAL_SWEEP_DAYS * DAY;
  const isOld = !isAll && times.length > 0 && Math.min(...times) < reach;
  if (isOld) return undefined;
  if (ascending) return page > 1 ? page - 1 : undefined;
  if (itemCount === 0) return undefined;
  if (!isLastPage(runs, facts)) return page + 1;
  // The server's page count may be wrong while proposals are missing and pages still bring new ones.
  const isDoubtful = isAll && found > 0 && missing > 0 && countPages(facts) !== undefined;
  return isDoubtful ? page + 1 : undefined;
}
