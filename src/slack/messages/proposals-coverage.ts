/** Which profiles the mirror of proposals covers, how fresh it is, and how far a first copy has come. */
import { type Instant, MINUTE } from '../../clock.ts';
import type { ProfileId } from '../../ids.ts';
import type { MirrorProgress } from '../../proposals/mirror.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count, duration, number, percent } from '../blocks/numbers.ts';
import { line, lines } from './parts.ts';
import { profileName } from './profile-name.ts';
import { describeProfileTrouble } from './profile-trouble.ts';
import { ago } from './when.ts';

/** How far the mirror has come with a profile, and what that is called. */
export interface CoveredProfile extends MirrorProgress {
  readonly name?: string;
}

export interface Coverage {
  readonly profiles: readonly CoveredProfile[];
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

function nameOf({ profile, name }: CoveredProfile): string {
  return profileName({ id: profile, name });
}

function readText(readAt: Instant | undefined): string {
  return readAt === undefined ? 'not checked yet' : `checked ${ago(readAt)}`;
}

/** `first copy 43% done (4,300 of 10,000) · about 12 minutes left`: never 100 % before it is complete. */
function copyText({ held, total, leftMs }: CoveredProfile): string {
  if (total === undefined || total <= 0) return `copying, ${count(held, 'proposal')} so far`;
  const done = percent(Math.min(0.99, Math.floor((held / total) * 100) / 100));
  const part = `copying, ${done} done (${number(Math.min(held, total))} of ${number(total)})`;
  return line(part, leftMs === undefined ? undefined : `about ${duration(leftMs)} left`);
}

function stateText(profile: CoveredProfile): string {
  switch (profile.state) {
    case 'waiting':
      return 'waiting to be copied';
    case 'copying':
      return copyText(profile);
    case 'complete':
      return `${count(profile.held, 'proposal')}, ${readText(profile.readAt)}`;
  }
}

function troubleText({ profile, trouble }: CoveredProfile): string | undefined {
  if (!trouble) return undefined;
  const { what } = describeProfileTrouble({
    feed: 'outcomes',
    profile: { id: profile },
    code: trouble.code,
  });
  return `failing since ${date(trouble.since)}: ${what}, next try ${date(trouble.retryAt, 'time')}`;
}

/** @param isTold its trouble is told elsewhere */
function profileLine(profile: CoveredProfile, isTold: boolean): string {
  const sign = profile.trouble ? ':warning: ' : '';
  return `${sign}${line(nameOf(profile), stateText(profile), isTold ? undefined : troubleText(profile))}`;
}

/** What somebody has to know of comes first. */
function byUrgency(a: CoveredProfile, b: CoveredProfile): number {
  const weight = ({ trouble, state }: CoveredProfile) => (trouble ? 2 : 0) + (state === 'complete' ? 0 : 1);
  return weight(b) - weight(a);
}

const NONE: ReadonlySet<ProfileId> = new Set();

/** Line by line, those in trouble and those that are not complete first. @param told whose trouble is told elsewhere */
export function profileLines(
  profiles: readonly CoveredProfile[],
  most: number = MOST_LINES,
  told: ReadonlySet<ProfileId> = NONE,
): string {
  const more = profiles.length - most;
  return lines(
    ...profiles
      .toSorted(byUrgency)
      .slice(0, most)
      .map((each) => profileLine(each, told.has(each.profile))),
    more > 0 ? `…and ${number(more)} more` : undefined,
  );
}

/** When all of them were read, where one time says it; undefined where they have to be told apart. */
function sharedReadAt(profiles: readonly CoveredProfile[]): Instant | undefined {
  const times = profiles.flatMap(({ state, trouble, readAt }) =>
    state === 'complete' && !trouble && readAt !== undefined ? [readAt] : [],
  );
  if (times.length === 0 || times.length < profiles.length) return undefined;
  const oldest = Math.min(...times);
  return Math.max(...times) - oldest <= SAME_MS ? oldest : undefined;
}

function indexText({ isLoaded, behind }: Coverage): string | undefined {
  if (!isLoaded)
    return ':hourglass_flowing_sand: Copied proposals are still loading, so results may be incomplete.';
  return behind > 0
    ? `:hourglass_flowing_sand: ${count(behind, 'proposal')} ${behind === 1 ? "isn't" : "aren't"} indexed yet, so search can't find ${behind === 1 ? 'it' : 'them'}. Try again in a moment.`
    : undefined;
}

/** Never empty. One line where all profiles stand alike, else one for each. mrkdwn. */
export function coverageText(coverage: Coverage): string {
  const { profiles } = coverage;
  if (profiles.length === 0) return lines(UNFOLLOWED, indexText(coverage));
  const readAt = sharedReadAt(profiles);
  const names = profiles.slice(0, MOST_NAMES).map(nameOf).join(', ');
  const more = profiles.length - MOST_NAMES;
  const all =
    readAt === undefined
      ? profileLines(profiles)
      : line(`Covers ${names}${more > 0 ? ` and ${number(more)} more` : ''}`, readText(readAt));
  return lines(all, indexText(coverage));
}

/** Whether a first copy is still to be made, so that there is more than what is found. */
export function isCopying({ profiles, isLoaded }: Coverage): boolean {
  return !isLoaded || profiles.some(({ state }) => state !== 'complete');
}

/** The section of `/gig status`. @param told the profiles whose trouble it tells already */
export function coverageSection(coverage: Coverage, told: ReadonlySet<ProfileId> = NONE): string {
  const { profiles } = coverage;
  const held = profiles.reduce((sum, profile) => sum + profile.held, 0);
  return lines(
    line(
      `*Proposals*: ${number(held)} copied from ${count(profiles.length, 'profile')}`,
      isCopying(coverage) ? 'still copying' : undefined,
    ),
    profileLines(profiles, MOST_LINES, told),
    indexText(coverage),
  );
}
