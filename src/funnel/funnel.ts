/**
 * The funnel from a filter's project to a hire, and what other rules would have shown. Both only read what is
 * stored: they cost no credits and send no request.
 */
import { DAY, type Instant } from '../clock.ts';
import { cards, FEED_RETENTION_MS } from '../feed/records.ts';
import type { ChannelId } from '../ids.ts';
import { type FunnelCount, FunnelCounter, type FunnelGroupKey } from './count-steps.ts';
import { decideCardProgress, splitByFilter } from './decide-progress.ts';
import { type ProjectBids, readNewest, readProjectBids, takeInPages } from './read-bids.ts';
import { type FunnelContext, tryRules } from './read-tried-rules.ts';

export {
  FUNNEL_STEPS,
  type FunnelCount,
  type FunnelStep,
  LOSS_REASONS,
  type LossReason,
} from './count-steps.ts';
export { MOST_TRIED, TRIED_DAYS, type TriedRules } from './read-tried-rules.ts';
export type { TeamOutcome, TriedProject } from './try-rules.ts';

/** Projects are deleted after this many days. */
export const MOST_FUNNEL_DAYS = FEED_RETENTION_MS / DAY;

export const FUNNEL_DIMENSIONS = ['filter', 'channel'] as const;
export type FunnelDimension = (typeof FUNNEL_DIMENSIONS)[number];

/** Projects found from `from` (included) to `to` (excluded). Their progress is as of now. */
interface FunnelRequest {
  readonly channels: readonly ChannelId[];
  readonly from: Instant;
  readonly to: Instant;
  readonly by: FunnelDimension;
}

export interface FunnelGroup {
  readonly key: FunnelGroupKey;
  /** Of a filter; untrusted text. Missing: unknown. */
  readonly name?: string;
  readonly count: FunnelCount;
}

export interface Funnel {
  /** Each project once. */
  readonly all: FunnelCount;
  /** Each project once per group; those with most posted projects first. */
  readonly groups: readonly FunnelGroup[];
  /** There were too many projects or bids: the oldest were left out. */
  readonly isCut: boolean;
}

/** Of a channel, and of all channels together. */
const MOST_CARDS = 20_000;
const MOST_CARDS_OF_ALL = 50_000;

async function countChannel(
  { store }: FunnelContext,
  counter: FunnelCounter,
  { from, to, by, channel }: Omit<FunnelRequest, 'channels'> & { readonly channel: ChannelId },
  { byProject }: ProjectBids,
  most: number,
) {
  const range = { index: 'byChannel', prefix: [channel], from: [from], to: [to] } as const;
  const { values, isCut } = await readNewest(store, cards, range, most);
  await takeInPages(values, (page) => {
    for (const card of page) {
      const { project } = card;
      const progress = decideCardProgress(card, byProject.get(project) ?? []);
      counter.add(project, progress);
      if (by === 'channel') counter.addToGroup({ kind: 'channel', channel }, project, progress);
      for (const { filter, progress: there } of by === 'filter' ? splitByFilter(card, progress) : []) {
        const key: FunnelGroupKey = filter === undefined ? { kind: 'shared' } : { kind: 'filter', filter };
        counter.addToGroup(key, project, there);
      }
    }
  });
  return { read: values.length, isCut };
}

async function nameGroups({ feed }: FunnelContext, groups: ReturnType<FunnelCounter['countGroups']>) {
  if (!groups.some(({ key }) => key.kind === 'filter')) return groups;
  const names = new Map((await feed.listStoredFilters()).map(({ id, name }) => [id, name]));
  return groups.map(({ key, count }) => {
    const name = key.kind === 'filter' ? names.get(key.filter) : undefined;
    return { key, count, name };
  });
}

/**
 * The caller has checked that the person may see the channels. Reads in pages, between which other work runs.
 * @throws StorageError
 */
async function readFunnel(context: FunnelContext, request: FunnelRequest): Promise<Funnel> {
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

export type FunnelService = ReturnType<typeof createFunnelService>;

export function createFunnelService(context: FunnelContext) {
  return { readFunnel: readFunnel.bind(null, context), tryRules: tryRules.bind(null, context) };
}
