/**
 * Refreshes App Home data that may be newer than the store: setups, waiting jobs, card links. Each may fail
 * alone.
 */

import { hasRoleAtLeast } from '../../access/roles.ts';
import { isRecent, MINUTE } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Services } from '../core/routes.ts';
import type { HomeContent } from './gather-home.ts';

const SETUPS_FRESH_MS = 5 * MINUTE;
/** Jobs are tracked anyway; a check in between catches what was done in the dashboard. */
const JOB_FRESH_MS = 2 * MINUTE;
/** Each is a request to the marketplace. */
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
  for (const { claim, ts } of unlinked) {
    const link = ts && (await slack.fetchPermalink(claim.channel, ts));
    if (ts && link) homes.cacheMessageLink(claim.channel, ts, link);
  }
}

/**
 * Resolves when every refresh has finished. Every marketplace answer includes the account's balance. Never
 * throws.
 */
export async function refreshHome(services: Services, gathered: HomeContent): Promise<void> {
  const { person } = gathered.facts;
  await Promise.all([
    hasRoleAtLeast(person.role, 'viewer') &&
      tried(services, 'setups', services.setups.refreshIfOlderThan(SETUPS_FRESH_MS, 'tracking')),
    tried(services, 'jobs', lookAt(services, gathered)),
    tried(services, 'links', findLinks(services, gathered)),
  ]);
}
