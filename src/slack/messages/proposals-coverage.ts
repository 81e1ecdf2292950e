/** Which profiles the mirror of proposals covers, how fresh it is, and how far a first copy has come. */
import { type Instant, MINUTE } from '../../clock.ts';
import type { ProfileId } from '../../ids.ts';
import type { MirrorProgress } from '../../proposals/mirror.ts';
import { formatDate } from '../blocks/mrkdwn.ts';
import { formatCount, formatDuration, formatNumber, formatPercent } from '../blocks/numbers.ts';
import { joinFacts, joinLines } from './block-builders.ts';
import { describeProfileFailure } from './profile-failure.ts';
import { profileName } from './profile-name.ts';
import { formatTimeAgo } from './time-ago.ts';

/** How far the mirror has come with a profile, and what that is called. */
export interface ProfileCoverage extends MirrorProgress {
  readonly name?: string;
}

export interface ProposalsCoverage {
  readonly profiles: readonly ProfileCoverage[];
  /** What former runs kept is in memory. */
  readonly isLoaded: boolean;
  /** Proposals that are not indexed yet. */
  readonly behind: number;
}

/** Profiles that were read within so long of one another are as fresh as one another. */
const SAME_MS = 5 * MINUTE;
/** What was copied stays when the last feed of a profile ends. */
const UNFOLLOWED = 'No profiles are followed anymore. Results only include proposals copied earlier.';
const MOST_NAMES = 8;
const MOST_LINES = 10;

function nameOf({ profile, name }: ProfileCoverage): string {
  return profileName({ id: profile, name });
}

function readText(readAt: Instant | undefined): string {
  return readAt === undefined ? 'not checked yet' : `checked ${formatTimeAgo(readAt)}`;
}

/** `first copy 43% done (4,300 of 10,000) · about 12 minutes left`: never 100 % before it is complete. */
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
  const { what } = describeProfileFailure({
    feed: 'outcomes',
    profile: { id: profile },
    code: trouble.code,
  });
  return `failing since ${formatDate(trouble.since)}: ${what}, next try ${formatDate(trouble.retryAt, 'time')}`;
}

/** @param isTold its trouble is told elsewhere */
function profileLine(profile: ProfileCoverage, isTold: boolean): string {
  const sign = profile.trouble ? ':warning: ' : '';
  return `${sign}${joinFacts(nameOf(profile), stateText(profile), isTold ? undefined : troubleText(profile))}`;
}

/** What somebody has to know of comes first. */
function byUrgency(a: ProfileCoverage, b: ProfileCoverage): number {
  const weight = ({ trouble, state }: ProfileCoverage) => (trouble ? 2 : 0) + (state === 'complete' ? 0 : 1);
  return weight(b) - weight(a);
}

const NONE: ReadonlySet<ProfileId> = new Set();

/** Line by line, those in trouble and those that are not complete first. @param told whose trouble is told elsewhere */
export function profileCoverageLines(
  profiles: readonly ProfileCoverage[],
  most: number = MOST_LINES,
  told: ReadonlySet<ProfileId> = NONE,
): string {
  const more = profiles.length - most;
  return joinLines(
    ...profiles
      .toSorted(byUrgency)
      .slice(0, most)
      .map((each) => profileLine(each, told.has(each.profile))),
    more > 0 ? `…and ${formatNumber(more)} more` : undefined,
  );
}

/** When all of them were read, where one time says it; undefined where they have to be told apart. */
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
    ? `:hourglass_flowing_sand: ${formatCount(behind, 'proposal')} ${behind === 1 ? "isn't" : "aren't"} indexed yet, so search can't find ${behind === 1 ? 'it' : 'them'}. Try again in a moment.`
    : undefined;
}

/** Never empty. One line where all profiles stand alike, else one for each. mrkdwn. */
export function coverageText(coverage: ProposalsCoverage): string {
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

/** Whether a first copy is still to be made, so that there is more than what is found. */
export function isStillCopyingProposals({ profiles, isLoaded }: ProposalsCoverage): boolean {
  return !isLoaded || profiles.some(({ state }) => state !== 'complete');
}

/** The section of `/gig status`. @param told the profiles whose trouble it tells already */
export function coverageSection(coverage: ProposalsCoverage, told: ReadonlySet<ProfileId> = NONE): string {
  const { profiles } = coverage;
  const held = profiles.reduce((sum, profile) => sum + profile.held, 0);
  return joinLines(
    joinFacts(
      `*Proposals*: ${formatNumber(held)} copied from ${formatCount(profiles.length, 'profile')}`,
      isStillCopyingProposals(coverage) ? 'still copying' : undefined,
    ),
    profileCoverageLines(profiles, MOST_LINES, told),
    indexText(coverage),
  );
}
