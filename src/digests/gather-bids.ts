/** A channel's bids and open jobs, and its unanswered invitations. */
import type { BidWithJob } from '../bidding/bidding.ts';
import { wasNeverSent } from '../bidding/decide-bid.ts';
import { isPendingReview } from '../bidding/job-status-text.ts';
import { hasBidOnProject, joinBidWithJob } from '../bidding/project-bidding.ts';
import { type Bid, bids, type Job, jobs } from '../bidding/records.ts';
import { INVITATION_WATCH_MS } from '../invitations/decide-invitation.ts';
import { readInvitationCardData } from '../invitations/invitations.ts';
import {
  findInvitedProject,
  type InvitationCard,
  invitationCards,
  invitationPostId,
} from '../invitations/records.ts';
import { type ReadTransaction, type Store, scanRecordsInPages } from '../storage/store.ts';
import type { ChannelTimeRange, DigestFacts } from './facts.ts';
import { ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

type Row = DigestFacts['bids']['list'][number];

/** The rest is only counted; closed bids are dropped before open ones, oldest first. */
const MOST_LISTED = 2 * ROWS_PER_THREAD_MESSAGE;
const UNTITLED = '';

function describeJob(job: Job) {
  const approval = job.approval?.state;
  // Like the card: an approval that was given or is being sent isn't pending.
  const isApproved = approval === 'held' || approval === 'sending' || approval === 'approved';
  return {
    job: job.id,
    state: job.status,
    statusTitle: job.statusTitle,
    waitsForApproval: isPendingReview(job) && !isApproved,
    sent: job.proposal !== undefined || job.applicationUid !== undefined,
  };
}

function rowOfBid({ bid, job }: BidWithJob): Row {
  const { id, title, by, setupName, state } = bid;
  // On a refusal, `job` is another bid's job that blocks this one.
  const isOwn = state === 'created' || state === 'skipped';
  const stands = job && isOwn ? describeJob(job) : { state, waitsForApproval: false, sent: false };
  return { title, bid: id, by, post: bid.home, setupName, ...stands };
}

function rowOfJob(job: Job): Row {
  return { title: job.title ?? UNTITLED, post: job.home, setupName: job.setupName, ...describeJob(job) };
}

export async function gatherBids({ store }: { readonly store: Store }, when: ChannelTimeRange) {
  const { channel } = when;
  const found = new Map<string, { readonly at: number; readonly row: Row; readonly isOpen: boolean }>();
  const addBid = ({ bid, job }: BidWithJob, isOpen: boolean) =>
    found.set(`bid:${bid.id}`, { at: bid.at, row: rowOfBid({ bid, job }), isOpen });
  let made = 0;

  const since = { index: 'byAge', from: [when.from], to: [when.to] };
  await scanRecordsInPages(store, bids, since, async (tx, page) => {
    for (const bid of page.filter((each) => each.channel === channel && !wasNeverSent(each))) {
      made += 1;
      addBid(await joinBidWithJob(tx, bid), false);
    }
  });
  const isOpen = (bid: Bid) =>
    bid.channel === channel && (bid.state === 'unknown' || bid.state === 'sending');
  await scanRecordsInPages(store, bids, { index: 'doubtful' }, async (tx, page) => {
    for (const bid of page.filter(isOpen)) addBid(await joinBidWithJob(tx, bid), true);
  });
  await scanRecordsInPages(store, jobs, { index: 'due' }, async (tx, page) => {
    for (const job of page.filter((each) => each.channel === channel)) {
      const bid = job.bid && (await tx.get(bids, [job.bid]));
      if (bid) addBid({ bid, job }, true);
      else found.set(`job:${job.id}`, { at: job.knownAt, row: rowOfJob(job), isOpen: true });
    }
  });

  const list = [...found.values()]
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.at - a.at)
    .slice(0, MOST_LISTED)
    .sort((a, b) => b.at - a.at)
    .map(({ row }) => row);
  return { made, open: found.size - made, list };
}

type InvitationRow = DigestFacts['invitations']['list'][number];

/**
 * Statuses are not documented. Words that mean "answered" or "no longer open" count as answered; any other
 * status, or none, means that the invitation still needs an answer.
 */
const ANSWERED = /accept|declin|reject|withdr|expir|archiv|clos|cancel|hire|submitt|repli|answer/iu;

export function isInvitationAnswered(status: string | undefined): boolean {
  return ANSWERED.test(status ?? '') && !/\b(?:un|not|no)[\s_-]?/iu.test(status ?? '');
}

async function readWaiting(tx: ReadTransaction, card: InvitationCard, now: number) {
  const { channel, uid, claim } = card;
  if (claim || (card.invitedAt ?? card.foundAt) < now - INVITATION_WATCH_MS) return undefined;
  const view = await readInvitationCardData(tx, channel, uid);
  if (!view || isInvitationAnswered(view.invitation.status)) return undefined;
  const { title, invitedAt } = view.invitation;
  const invited = findInvitedProject(view.invitation);
  if (invited && (await hasBidOnProject(tx, invited.project))) return undefined;
  const post = invitationPostId(channel, uid);
  return { uid, title, post, profile: view.profileName, invitedAt };
}

export async function gatherInvitations(
  { store }: { readonly store: Store },
  { channel, to }: Pick<ChannelTimeRange, 'channel' | 'to'>,
): Promise<Omit<DigestFacts['invitations'], 'came'>> {
  const waiting: { readonly at: number; readonly row: InvitationRow }[] = [];
  await scanRecordsInPages(store, invitationCards, { prefix: [channel] }, async (tx, page) => {
    for (const card of page.filter(({ state }) => state === 'posted')) {
      const row = await readWaiting(tx, card, to);
      if (row) waiting.push({ at: card.invitedAt ?? card.foundAt, row });
    }
  });
  waiting.sort((a, b) => b.at - a.at);
  return { waiting: waiting.length, list: waiting.slice(0, MOST_LISTED).map(({ row }) => row) };
}
