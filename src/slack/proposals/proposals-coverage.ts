/** Which profiles the proposal mirror covers, how fresh it is, and how far the first copy is. Pure. */
import { type Instant, MINUTE } from '../../clock.ts';
import type { ProfileId } from '../../ids.ts';
import type { MirrorProgress } from '../../proposals/mirror.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatDate, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration, formatNumber, formatPercent } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { profileName } from '../kit/words/profiles.ts';
import { describeProfileFailure } from '../subscriptions/subscriptions.ts';

/** The mirror's progress with a profile, and the profile's name. */
export interface ProfileCoverage extends MirrorProgress {
  readonly name?: string | undefined;
}

export interface ProposalsCoverage {
  readonly profiles: readonly ProfileCoverage[];
  /** Whether the proposals of earlier runs are in memory. */
  readonly isLoaded: boolean;
  /** Proposals that are not indexed yet. */
  readonly behind: number;
}

/** Profiles read within this time of each other count as equally fresh. */
const SAME_MS = 5 * MINUTE;
/** Copied proposals stay when the last feed of a profile ends. */
const UNFOLLOWED = 'No profiles are followed anymore. Results only include proposals copied earlier.';
const MOST_NAMES = 8;
const MOST_LINES = 10;

function nameOf({ profile, name }: ProfileCoverage): string {
  return profileName({ id: profile, name });
}

function readText(readAt: Instant | undefined): string {
  return readAt === undefined ? 'not checked yet' : `checked ${formatTimeAgo(readAt)}`;
}

/** `first copy 43% done (4,300 of 10,000) · about 12 minutes left`. Never says 100% before it is complete. */
function copyText({ held, total, leftMs }: ProfileCoverage): string {
  if (total === undefined || total <= 0) return `copying, ${formatCount(held, 'proposal')} so far`;
  const done = formatPercent(Math.min(0.99, Math.floor((held / total) * 100) / 100));
  const part = `copying, ${done} done (${formatNumber(Math.min(held, total))} of ${formatNumber(total)})`;
  return joinFacts(part, leftMs === undefined ? undefined : `about ${formatDuration(leftMs)} left`);
}

function stateText(profile: ProfileCoverage): string {
  switch (profile.state) {
    case 'waiting':
      return 'waiting to be copied';
    case 'copying':
      return copyText(profile);
    case 'complete':
      return `${formatCount(profile.held, 'proposal')}, ${readText(profile.readAt)}`;
  }
}

function troubleText({ profile, trouble }: ProfileCoverage): string | undefined {
  if (!trouble) return undefined;
  const { what } = describeProfileFailure({ feed: 'outcomes', profile: { id: profile }, code: trouble.code });
  const next = formatDate(trouble.retryAt, 'time');
  return `failing since ${formatDate(trouble.since)}: ${what}, next try ${next}`;
}

/** @param isTold whether its failure shows elsewhere */
function profileLine(profile: ProfileCoverage, isTold: boolean): string {
  const sign = profile.trouble ? ':warning: ' : '';
  const trouble = isTold ? undefined : troubleText(profile);
  return `${sign}${joinFacts(nameOf(profile), stateText(profile), trouble)}`;
}

function byUrgency(a: ProfileCoverage, b: ProfileCoverage): number {
  const weight = ({ trouble, state }: ProfileCoverage) => (trouble ? 2 : 0) + (state === 'complete' ? 0 : 1);
  return weight(b) - weight(a);
}

/** Failing and incomplete profiles first. @param shown those whose failure shows elsewhere */
function profileCoverageLines(
  profiles: readonly ProfileCoverage[],
  shown: ReadonlySet<ProfileId> = new Set(),
): string {
  const first = profiles.toSorted(byUrgency).slice(0, MOST_LINES);
  const lines = first.map((each) => profileLine(each, shown.has(each.profile)));
  return joinLines(...lines, andMoreText(profiles.length - MOST_LINES));
}

/** One read time for all profiles; undefined if they must be listed separately. */
function sharedReadAt(profiles: readonly ProfileCoverage[]): Instant | undefined {
  const times = profiles.flatMap(({ state, trouble, readAt }) =>
    state === 'complete' && !trouble && readAt !== undefined ? [readAt] : [],
  );
  if (times.length === 0 || times.length < profiles.length) return undefined;
  const oldest = Math.min(...times);
  return Math.max(...times) - oldest <= SAME_MS ? oldest : undefined;
}

function indexText({ isLoaded, behind }: ProposalsCoverage): string | undefined {
  if (!isLoaded)
    return ':hourglass_flowing_sand: Copied proposals are still loading, so results may be incomplete.';
  return behind > 0
    ? `:hourglass_flowing_sand: ${formatCount(behind, 'proposal')} ${behind === 1 ? "isn't" : "aren't"} ` +
        `indexed yet, so search can't find ${behind === 1 ? 'it' : 'them'}. Try again in a moment.`
    : undefined;
}

/** Never empty. One line if all profiles have the same status, else one line each. mrkdwn. */
export function proposalsCoverageText(coverage: ProposalsCoverage): string {
  const { profiles } = coverage;
  if (profiles.length === 0) return joinLines(UNFOLLOWED, indexText(coverage));
  const readAt = sharedReadAt(profiles);
  const names = profiles.slice(0, MOST_NAMES).map(nameOf).join(', ');
  const more = profiles.length - MOST_NAMES;
  const all =
    readAt === undefined
      ? profileCoverageLines(profiles)
      : joinFacts(`Covers ${names}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`, readText(readAt));
  return joinLines(all, indexText(coverage));
}

/** Whether a first copy is still running, so that there are more proposals than the results show. */
export function isStillCopyingProposals({ profiles, isLoaded }: ProposalsCoverage): boolean {
  return !isLoaded || profiles.some(({ state }) => state !== 'complete');
}

/** The section of `/gig status`. @param shown profiles whose failure it already shows */
export function proposalsStatusText(
  coverage: ProposalsCoverage,
  shown: ReadonlySet<ProfileId> = new Set(),
): string {
  const { profiles } = coverage;
  const held = profiles.reduce((sum, profile) => sum + profile.held, 0);
  return joinLines(
    joinFacts(
      `*Proposals*: ${formatNumber(held)} copied from ${formatCount(profiles.length, 'profile')}`,
      isStillCopyingProposals(coverage) ? 'still copying' : undefined,
    ),
    profileCoverageLines(profiles, shown),
    indexText(coverage),
  );
}
