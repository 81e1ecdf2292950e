/** Counts the projects of channels, from their cards and the bids on them. */
import type { Card, FeedService } from '../feed/feed.ts';
import { cards } from '../feed/records.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import type { Store } from '../storage/store.ts';
import { FunnelCounter, type FunnelGroupKey, type ProjectProgress } from './count-steps.ts';
import { decideCardProgress, splitByFilter } from './decide-progress.ts';
import type { Funnel, FunnelGroup, FunnelRequest } from './funnel.ts';
import { type ProjectBids, readProjectBids } from './read-bids.ts';
import { readNewest, takeInPages } from './read-newest.ts';

/** Of a channel, and of all channels together. */
const MOST_CARDS = 20_000;
const MOST_CARDS_OF_ALL = 50_000;

export interface FunnelContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly feed: Pick<FeedService, 'listStoredFilters'>;
}

interface ChannelRead {
  readonly read: number;
  readonly isCut: boolean;
}

function addToFilters(counter: FunnelCounter, card: Card, progress: ProjectProgress): void {
  for (const { filter, progress: there } of splitByFilter(card, progress)) {
    const key = filter === undefined ? ({ kind: 'shared' } as const) : { kind: 'filter' as const, filter };
    counter.addToGroup(key, card.project, there);
  }
}

async function countChannel(
  { store, team }: FunnelContext,
  counter: FunnelCounter,
  { from, to, by, channel }: Omit<FunnelRequest, 'channels'> & { readonly channel: ChannelId },
  { byProject }: ProjectBids,
  most: number,
): Promise<ChannelRead> {
  const range = { index: 'byChannel', prefix: [team, channel], from: [from], to: [to] } as const;
  const { values, isCut } = await readNewest(store, cards, range, most);
  await takeInPages(values, (page) => {
    for (const card of page) {
      const progress = decideCardProgress(card, byProject.get(card.project) ?? []);
      counter.add(card.project, progress);
      if (by === 'channel') counter.addToGroup({ kind: 'channel', channel }, card.project, progress);
      else addToFilters(counter, card, progress);
    }
  });
  return { read: values.length, isCut };
}

async function nameGroups(
  { feed }: FunnelContext,
  groups: ReturnType<FunnelCounter['countGroups']>,
): Promise<readonly FunnelGroup[]> {
  if (!groups.some(({ key }) => key.kind === 'filter')) return groups;
  const names = new Map((await feed.listStoredFilters()).map(({ id, name }) => [id, name]));
  const nameOf = (key: FunnelGroupKey) => (key.kind === 'filter' ? names.get(key.filter) : undefined);
  return groups.map(({ key, count }) => {
    const name = nameOf(key);
    return { key, count, ...(name === undefined ? {} : { name }) };
  });
}

/** Reads in pages, between which other work runs. @throws StorageError */
export async function readFunnel(context: FunnelContext, request: FunnelRequest): Promise<Funnel> {
  const { channels, ...period } = request;
  const bids = await readProjectBids(context, request.from);
  const counter = new FunnelCounter();
  let left = MOST_CARDS_OF_ALL;
  let { isCut } = bids;
  for (const channel of channels) {
    const most = Math.min(MOST_CARDS, left);
    const counted = await countChannel(context, counter, { ...period, channel }, bids, most);
    left -= counted.read;
    isCut ||= counted.isCut;
  }
  return { all: counter.countAll(), groups: await nameGroups(context, counter.countGroups()), isCut };
}
