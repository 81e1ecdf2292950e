/** What is known of a project and its client here: reading it, and showing it. */

import type { KnownBlock } from '@slack/types';
import { listPastWithClient, type PastWithClient } from '../../bidding/client-past.ts';
import { readProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { projectReferenceId } from '../../marketplace/project-key.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { findStoredLookup } from '../../projects/lookup-cache.ts';
import { jobProgressText } from '../bids/bids.ts';
import type { ActionCall } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';
import { joinFacts, sectionBlocks } from '../kit/block-builders.ts';
import { formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { projectDetailBlocks } from '../kit/project/project-details.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import type { CardWindow } from './card-window.ts';

const MOST_JOBS = 30;
const MOST_PAST = 8;

export type ProjectHistory = Awaited<ReturnType<typeof readProjectHistory>>;

/** Without the bids of channels that are closed to the reader; their own bids stay. */
async function keepVisiblePast(context: RequestContext, past: readonly PastWithClient[]) {
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

function pastText({ title, card, bids }: PastWithClient): string {
  const [bid] = bids;
  const did = joinFacts(
    card?.claim && `claimed by ${formatMention(card.claim.by)}`,
    card?.skip && `skipped by ${formatMention(card.skip.by)}: ${SKIP_REASON_LABELS[card.skip.reason]}`,
    bid && `bid by ${formatMention(bid.bid.by)}${bid.job ? `: ${jobProgressText(bid.job)}` : ''}`,
  );
  return `• ${safeLine(title, 80) || 'Untitled project'} – ${did}`;
}

function pastBlocks(past: readonly PastWithClient[]): KnownBlock[] {
  if (past.length === 0) return [];
  const more = andMoreText(past.length - MOST_PAST);
  const rows = [
    `*Your team and this client* (${formatCount(past.length, 'earlier project')})`,
    ...past.slice(0, MOST_PAST).map(pastText),
    ...(more ? [more] : []),
  ];
  return [...sectionBlocks(rows)];
}

/** What is known of the client and of the project. @param listed the project, if a filter's list showed it */
export function projectHistoryBlocks(
  { looked, past }: ProjectHistory,
  listed: ListedProject | undefined,
): KnownBlock[] {
  const { verdict } = listed ?? {};
  const project = looked ? { ...looked.project, verdict } : listed;
  return [...pastBlocks(past), ...(project ? projectDetailBlocks(project, MOST_JOBS) : [])];
}
