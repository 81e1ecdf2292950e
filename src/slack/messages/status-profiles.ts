/** How what is followed of profiles stands, for the status: one line for all channels that follow the same. */
import type { ProfileId } from '../../ids.ts';
import type { ProfileFeedView } from '../../profiles/profiles.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { profileFeedKey } from './feed-count.ts';
import { line, lines } from './parts.ts';
import { feedNameOf } from './profile-feed-block.ts';
import { profileFeedText } from './profile-name.ts';
import { describeProfileTrouble } from './profile-trouble.ts';
import { ago } from './when.ts';

const MOST = 8;

/** All that live of one reading. */
type Followed = readonly [ProfileFeedView, ...ProfileFeedView[]];

/** By what is followed, in the order of their channels. */
export function followedTogether(views: readonly ProfileFeedView[]): readonly Followed[] {
  const found = new Map<string, Followed>();
  for (const view of views) {
    const key = profileFeedKey(view);
    const there = found.get(key);
    found.set(key, there ? [...there, view] : [view]);
  }
  return [...found.values()];
}

export function isFailing([{ sync }]: Followed): boolean {
  return sync?.trouble !== undefined;
}

function troubleText([view]: Followed): string | undefined {
  const { trouble } = view.sync ?? {};
  if (!trouble) return undefined;
  const { what } = describeProfileTrouble({ ...feedNameOf(view), code: trouble.code });
  return `   ${what}, since ${date(trouble.since)}, next try ${date(trouble.retryAt, 'time')}`;
}

/** Nobody can be told of it: it is not read meanwhile. */
function isStopped(followed: Followed): boolean {
  return followed.every(({ feed }) => feed.stopped);
}

function sign(followed: Followed): string {
  if (isFailing(followed)) return ':warning:';
  return isStopped(followed) ? ':white_circle:' : ':large_green_circle:';
}

function followedText(followed: Followed): string {
  const [view] = followed;
  const { lastGoodAt } = view;
  const stopped = followed.filter(({ feed }) => feed.stopped).length;
  const read = isFailing(followed) || isStopped(followed) ? 'last worked' : 'checked';
  return lines(
    line(
      `${sign(followed)} ${profileFeedText(feedNameOf(view))}`,
      lastGoodAt === undefined ? 'not checked yet' : `${read} ${ago(lastGoodAt)}`,
      count(followed.length, 'channel'),
      stopped > 0
        ? `${stopped === followed.length ? 'stopped' : `stopped in ${number(stopped)}`}: Slack refuses posts`
        : undefined,
    ),
    troubleText(followed),
  );
}

/** Those in trouble first. */
function shownOf(all: readonly Followed[]): readonly Followed[] {
  return all.toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a))).slice(0, MOST);
}

/** mrkdwn; undefined where nothing is followed. */
export function profilesText(all: readonly Followed[]): string | undefined {
  if (all.length === 0) return undefined;
  const more = all.length - MOST;
  return lines(...shownOf(all).map(followedText), more > 0 ? `…and ${number(more)} more` : undefined);
}

/** The profiles whose proposals can't be read, as `profilesText` tells already. */
export function toldOfProposals(all: readonly Followed[]): ReadonlySet<ProfileId> {
  const told = shownOf(all).filter((each) => isFailing(each) && each[0].feed.kind === 'outcomes');
  return new Set(told.map(([{ feed }]) => feed.profile));
}
