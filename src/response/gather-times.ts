/** Reads the times of a channel's cards, invitations and bids in a period, page by page. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { bids } from '../bidding/records.ts';
import type { Instant } from '../clock.ts';
import { type Card, cards } from '../feed/records.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import { findInvitedProject, type InvitationCard, readInvitation } from '../invitations/invitations.ts';
import { invitationCards } from '../invitations/records.ts';
import { type ReadTransaction, type Store, scanRecordsInPages } from '../storage/store.ts';
import type { Act, ResponseSample, ResponseTimes } from './measure.ts';

const MOST_CARDS = 5_000;

export interface MeasuredPeriod {
  readonly from: Instant;
  /** Excluded. */
  readonly to: Instant;
  /** Reads only the newest cards. */
  readonly most?: number;
}

/** The first bid on each project that was created, from the channel, by every name of the project. */
async function readBids(store: Store, channel: ChannelId, { from, to }: MeasuredPeriod) {
  const found = new Map<ProjectKey, Act>();
  const range = { index: 'byChannel', prefix: [channel] as const, from: [from], to: [to] };
  await scanRecordsInPages(store, bids, range, async (tx, page) => {
    for (const { project, by, at, state, request } of page) {
      if (state !== 'created') continue;
      const { marketplaceJobId } = request;
      const { keys } = await findProjectAliases(tx, { project, marketplaceJobId });
      if (keys.some((key) => found.has(key))) continue;
      for (const key of keys) found.set(key, { by, at });
    }
  });
  return found;
}

async function sampleOfInvitation(
  tx: ReadTransaction,
  card: InvitationCard,
  found: ReadonlyMap<ProjectKey, Act>,
): Promise<ResponseSample> {
  const record = await readInvitation(tx, card.uid);
  const project = record && findInvitedProject(record)?.project;
  const { invitedAt: publishedAt, foundAt: postedAt, firstClaim: claim } = card;
  const bid = project === undefined ? undefined : found.get(project);
  return { publishedAt, postedAt, claim, bid, filters: [] };
}

/** Costs as much as the period has cards and bids, whatever else is stored. */
export async function gatherResponseTimes(
  { store }: { readonly store: Store },
  channel: ChannelId,
  period: MeasuredPeriod,
): Promise<ResponseTimes> {
  const { from, to, most = MOST_CARDS } = period;
  const bidTimes = await readBids(store, channel, period);
  const samples: ResponseSample[] = [];
  const shown = { index: 'byChannel', prefix: [channel], from: [from], to: [to], reverse: true } as const;
  const takeCards = async (_: unknown, page: readonly Card[]) => {
    for (const card of page)
      if (card.state === 'posted' && card.sharedBy === undefined) {
        const { publishedAt, postedAt, firstClaim: claim, passed, filters } = card;
        const bid = bidTimes.get(card.project);
        samples.push({ publishedAt, postedAt, claim, bid, filters: passed ?? filters });
      }
  };
  await scanRecordsInPages(store, cards, shown, takeCards, () => samples.length >= most);
  if (samples.length >= most) return { samples: samples.slice(0, most), isPartial: true };
  const invited = { index: 'byAge', from: [from], to: [to] };
  await scanRecordsInPages(store, invitationCards, invited, async (tx, page) => {
    for (const card of page)
      if (card.channel === channel && card.state === 'posted')
        samples.push(await sampleOfInvitation(tx, card, bidTimes));
  });
  return { samples };
}
