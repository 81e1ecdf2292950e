/** Suggests a setup for a new bid form, from our own records. */

import { findProjectCard, findSeenProject } from '../feed/find-project.ts';
import type { ChannelId, FilterId, ProjectKey, SetupId, TeamId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { chooseSetup } from './choose-setup.ts';
import type { SetupSuggestion } from './draft-records.ts';
import { bids } from './records.ts';

/** How many of the channel's newest bids are searched for the project's filters. */
const NEWEST_BIDS = 50;

/** The setup of the channel's newest bid on a project that one of these filters found. */
async function findLastUsedSetup(
  tx: ReadTransaction,
  { team, channel }: BidPlace,
  filters: readonly FilterId[],
): Promise<{ readonly setup: SetupId; readonly filter: FilterId } | undefined> {
  if (filters.length === 0) return undefined;
  const range = { index: 'byChannel', prefix: [team, channel] as const, limit: NEWEST_BIDS, reverse: true };
  for (const { value: bid } of await tx.list(bids, range)) {
    if (bid.state === 'refused') continue;
    const card = await findProjectCard(tx, team, channel, { project: bid.project });
    const filter = card?.filters.find((id) => filters.includes(id));
    if (filter !== undefined) return { setup: bid.request.setup, filter };
  }
  return undefined;
}

interface BidPlace {
  readonly team: TeamId;
  readonly channel: ChannelId;
}

/** @param subject the project, and what is known of it beside the feed's records */
export async function suggestSetup(
  tx: ReadTransaction,
  place: BidPlace,
  subject: { readonly project: ProjectKey; readonly title: string },
  setups: readonly BiddingSetup[],
): Promise<SetupSuggestion | undefined> {
  const { team, channel } = place;
  const { project, title } = subject;
  const seen = await findSeenProject(tx, team, { project });
  const card = await findProjectCard(tx, team, channel, { project });
  const passed = card?.passed ?? [];
  const channelFilters = passed.length > 0 ? passed : (card?.filters ?? []);
  const allFilters = seen?.filters ?? [];
  return chooseSetup({
    setups,
    channelFilters,
    allFilters,
    lastUsed: await findLastUsedSetup(tx, place, channelFilters.length > 0 ? channelFilters : allFilters),
    title: seen?.project.title ?? title,
    skills: seen?.project.skills ?? [],
  });
}
