/** Publishes a user's App Home: stored data at once, then again if the refreshed data differs. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { isRecent, MINUTE } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { UserId } from '../../ids.ts';
import { isAccountMissing } from '../account/account.ts';
import { SlackCallError } from '../core/errors.ts';
import type { OpenHomeState } from '../core/home-cache.ts';
import type { HomeOpenedCall, Person, Services } from '../core/routes.ts';
import {
  fetchUserChannels,
  readUserChannelsWithTimeout,
  saveUserChannels,
  type UserChannelsResult,
} from '../core/user-channels.ts';
import { gatherHomeContent, type HomeContent } from './gather-home.ts';
import { homeView, outsiderHome } from './home-view.ts';

/** How long to wait for the user's channels: the App Home should show within one second. */
const PATIENCE_MS = 600;

export function handleHomeOpened({ services, person }: HomeOpenedCall): Promise<void> {
  return services.homes.withOpenHome(person.user, (home) => open(services, person, home));
}

/** Publishes the App Home again after an action in it. @param notice the action's result; safe mrkdwn */
export function publishHomeAfterPress(services: Services, user: UserId, notice?: string): Promise<void> {
  return services.homes.withOpenHome(user, async (home) => {
    if (notice === undefined) delete home.notice;
    else home.notice = notice;
    const person = await services.resolvePerson(user);
    await draw(services, person, home, () => placesNow(services, user, true));
  });
}

/** Unless it already shows. Slack's errors are logged: the next opening tries again. */
async function publish(
  { slack, log }: Services,
  user: UserId,
  home: OpenHomeState,
  view: ReturnType<typeof homeView>,
): Promise<void> {
  const now = JSON.stringify(view);
  if (home.published === now) return;
  try {
    await slack.publishHome(user, view);
    home.published = now;
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    delete home.published;
    log.warn('could not publish a Home tab', { user, error: thrown.code });
  }
}

/** @param places requested when its turn comes @returns undefined for a user who may not see any of it */
function draw(
  services: Services,
  person: Person,
  home: OpenHomeState,
  places: () => Promise<UserChannelsResult>,
): Promise<HomeContent | undefined> {
  let gathered: HomeContent | undefined;
  const { user, role } = person;
  const turn = services.homes.runInTurn(user, async () => {
    const where = await places();
    if (!hasRoleAtLeast(role, 'viewer')) return publish(services, user, home, outsiderHome(person));
    gathered = await gatherHomeContent(services, person, where);
    const { notice } = home;
    await publish(services, user, home, homeView({ ...gathered.facts, notice }));
  });
  return turn.then(() => gathered);
}

/** Saves the user's channels for the next opening. Failing to save does no harm. */
async function keep(services: Services, user: UserId, { activeChannels }: HomeContent): Promise<void> {
  try {
    await saveUserChannels(services, user, activeChannels);
  } catch (thrown) {
    services.log.error('could not store the channels of a Home tab', { user, error: asError(thrown) });
  }
}

/** The user's channels from a recent answer. `ask` false: Slack failed to answer a moment ago. */
function placesNow(services: Services, user: UserId, ask: boolean): Promise<UserChannelsResult> {
  const known = services.homes.findUserChannels(user);
  const asked = known || !ask ? Promise.resolve(known) : fetchUserChannels(services, user);
  return readUserChannelsWithTimeout(services, user, asked, PATIENCE_MS);
}

async function open(services: Services, person: Person, home: OpenHomeState): Promise<void> {
  const { user } = person;
  // The queued opening will show the newest data.
  if (home.isOpening) return;
  home.isOpening = true;
  const isMember = hasRoleAtLeast(person.role, 'viewer');
  const asked = isMember ? fetchUserChannels(services, user) : Promise.resolve([]);
  const first = await draw(services, person, home, () => {
    home.isOpening = false;
    delete home.notice;
    // Another process or an older version may have published the view that shows now.
    delete home.published;
    return readUserChannelsWithTimeout(services, user, asked, PATIENCE_MS);
  });
  if (!first || home.isRefreshing) return;
  home.isRefreshing = true;
  const [places] = await Promise.all([asked, refreshHome(services, first)]);
  home.isRefreshing = false;
  const now = await draw(services, person, home, () => placesNow(services, user, places !== undefined));
  if (now && places) await keep(services, user, now);
}

const SETUPS_FRESH_MS = 5 * MINUTE;
/** Jobs are tracked anyway; a check in between catches what was done in the dashboard. */
const JOB_FRESH_MS = 2 * MINUTE;
const MOST_LOOKS = 5;

async function tried(services: Services, what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    services.log.warn('could not refresh part of a Home tab', { what, error: asError(thrown) });
  }
}

async function lookAt(services: Services, { facts }: HomeContent): Promise<void> {
  const { bidding, clock } = services;
  const old = facts.waiting.shown.filter(({ job }) => !isRecent(job.readAt, JOB_FRESH_MS, clock.now()));
  for (const { job } of old.slice(0, MOST_LOOKS)) await bidding.refreshJob(job.id);
}

async function findLinks(services: Services, { unlinked }: HomeContent): Promise<void> {
  const { slack, homes } = services;
  for (const { channel, ts } of unlinked) {
    const link = ts && (await slack.fetchPermalink(channel, ts));
    if (ts && link) homes.cacheMessageLink(channel, ts, link);
  }
}

/**
 * Refreshes what may be newer than the store: setups, waiting jobs, card links. Each may fail alone. Resolves
 * when all have finished. Every marketplace answer includes the account's balance. Never throws.
 */
async function refreshHome(services: Services, gathered: HomeContent): Promise<void> {
  const { person } = gathered.facts;
  const isReachable = !isAccountMissing(services);
  await Promise.all([
    isReachable &&
      hasRoleAtLeast(person.role, 'viewer') &&
      tried(services, 'setups', services.setups.refreshIfOlderThan(SETUPS_FRESH_MS, 'tracking')),
    isReachable && tried(services, 'jobs', lookAt(services, gathered)),
    tried(services, 'links', findLinks(services, gathered)),
  ]);
}
