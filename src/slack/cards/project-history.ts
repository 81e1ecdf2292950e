/** What a project's windows show of it besides the project: its history here, and what a lookup cost. */
import { listPastWithClient, type PastWithClient } from '../../bidding/client-past.ts';
import { readProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Instant } from '../../clock.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { projectReferenceId } from '../../marketplace/project-key.ts';
import { findStoredLookup } from '../../projects/lookup-cache.ts';
import type { ActionCall, Message } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import type { CardWindow } from './card-window.ts';

/** Without the bids of channels that are closed to the reader; their own bids stay. */
async function keepVisiblePast(
  context: RequestContext,
  past: readonly PastWithClient[],
): Promise<readonly PastWithClient[]> {
  const all = past.flatMap(({ bids }) => bids.map(({ bid }) => bid.channel));
  const { sees } = await resolveVisibleChannels(context, all);
  return past
    .map((each) => ({
      ...each,
      bids: each.bids.filter(({ bid }) => bid.by === context.person.user || sees(bid.channel)),
    }))
    .filter(({ card, bids }) => card !== undefined || bids.length > 0);
}

/**
 * Looks a project up for at most 1 credit of the call's channel.
 * @returns what it cost, or why nothing was bought; mrkdwn
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpForCost(
  { services, person, channel }: RequestContext,
  reference: ProjectReference,
  notFoundMessage: (askedAt?: Instant) => Message,
): Promise<string> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found') return chargedCreditsText(outcome);
  if (outcome.kind !== 'failed') return insufficientCreditsText(outcome);
  if (outcome.error.code !== 'not-found') throw outcome.error;
  return notFoundMessage(outcome.askedAt).text;
}

export type ProjectHistory = Awaited<ReturnType<typeof readProjectHistory>>;

/**
 * From stored data: the project's bids and jobs, its last lookup of the last day, and what the team did with
 * its client before, as far as the reader may see it.
 * @param reference undefined: it can't be looked up
 */
export async function readProjectHistory(
  { services, person }: Pick<ActionCall, 'services' | 'person'>,
  { channel, project }: Pick<CardWindow, 'channel' | 'project'>,
  reference: ProjectReference | undefined,
) {
  const { store, clock } = services;
  const { past, ...facts } = await store.read(async (tx) => {
    const id = reference && projectReferenceId(reference);
    const looked = id === undefined ? undefined : await findStoredLookup(tx, id, clock.now());
    const bidding = await readProjectBidsAndJobs(tx, project);
    const work = looked?.project.workHistory ?? [];
    return { bidding, looked, past: await listPastWithClient(tx, { channel, project }, work) };
  });
  return { ...facts, past: await keepVisiblePast({ services, person, channel }, past) };
}
