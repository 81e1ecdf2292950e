/** Finds the project to bid on from a press. The message decides; the button's value only chooses. */
import { findProjectAliases } from '../../aliases/project-aliases.ts';
import type { BidProjectInfo } from '../../bidding/bid-drafts.ts';
import type { Bid } from '../../bidding/bidding.ts';
import { readBid, readJob } from '../../bidding/project-bidding.ts';
import { refillBidForm } from '../../bidding/validate-bid-form.ts';
import type { Instant } from '../../clock.ts';
import { findSeenProject } from '../../feed/find-project.ts';
import { BidId, type ChannelId, type MessageTs, type ProjectKey, type UserId } from '../../ids.ts';
import { findInvitedProject, readInvitation } from '../../invitations/invitations.ts';
import { parseProjectReference, projectReferenceId } from '../../marketplace/project-key.ts';
import { findPostByMessage, readPost } from '../../outbox/outbox.ts';
import type { PostContent } from '../../outbox/posts.ts';
import { findCachedListing } from '../../projects/lookup-cache.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { findRecentProjectLookup } from './bid-form-facts.ts';

/** The place and person of a press or command. */
export interface CallOrigin {
  readonly channel: ChannelId;
  readonly user: UserId;
  readonly now: Instant;
}

/** Known details of a project besides its key, from whatever names it. */
export interface KnownProjectDetails {
  readonly project: ProjectKey;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly marketplaceJobId?: string | undefined;
}

/** All that our records know of a project to bid on. */
export async function readBidProjectInfo(
  tx: ReadTransaction,
  spot: CallOrigin,
  named: KnownProjectDetails,
): Promise<BidProjectInfo> {
  const { project } = named;
  const seen = (await findSeenProject(tx, { project }))?.project;
  const listing = await findCachedListing(tx, project, spot.now);
  const url = seen?.url ?? listing?.url ?? named.url;
  const names = [url, named.marketplaceJobId, project];
  const reference = names.map((it) => parseProjectReference(it ?? '')).find(Boolean);
  const looked = await findRecentProjectLookup(tx, reference, spot.now);
  const id = reference && projectReferenceId(reference);
  const marketplaceJobId = named.marketplaceJobId ?? id;
  // The marketplace's own words take precedence over typed ones.
  const known = [seen, looked, listing, named];
  return {
    channel: spot.channel,
    project,
    title: known.find((it) => it?.title)?.title || `Project ${id ?? project}`,
    url: known.find((it) => it?.url !== undefined)?.url,
    questions: [looked, seen, listing].find((it) => it?.questions !== undefined)?.questions,
    connectsPrice: looked?.connectsPrice,
    usOnly: looked?.usOnly,
    ukOnly: looked?.ukOnly,
    marketplaceJobId,
  };
}

/**
 * A bid's project with its setup. Prefills the sent form only in the bid's own channel or for its author:
 * several channels may have a card of the project, but must not read another channel's bid.
 */
async function subjectOfBid(tx: ReadTransaction, spot: CallOrigin, bid: Bid): Promise<BidProjectInfo> {
  const { project, title, url, request } = bid;
  const { marketplaceJobId, setup } = request;
  const subject = await readBidProjectInfo(tx, spot, { project, title, url, marketplaceJobId });
  if (bid.channel !== spot.channel && bid.by !== spot.user) return { ...subject, setup };
  return { ...subject, setup, form: refillBidForm(request, subject.questions) };
}

async function readContent(
  tx: ReadTransaction,
  { channel }: CallOrigin,
  ts: MessageTs,
): Promise<PostContent | undefined> {
  const { content, under } = (await findPostByMessage(tx, channel, ts)) ?? {};
  if (content?.kind !== 'bid-news' || under === undefined) return content;
  // A bid update is about the message it belongs to.
  return (await readPost(tx, under))?.content;
}

async function findBid(tx: ReadTransaction, id: string): Promise<Bid | undefined> {
  const parsed = BidId.safeParse(id);
  return parsed.success ? readBid(tx, parsed.data) : undefined;
}

/** The project of a card or an invitation. The value counts only if it names a bid on the same project. */
async function subjectOfProject(
  tx: ReadTransaction,
  spot: CallOrigin,
  named: KnownProjectDetails,
  value: string,
): Promise<BidProjectInfo> {
  const bid = await findBid(tx, value);
  const { project } = named;
  const isOn = bid && (await findProjectAliases(tx, { project })).keys.includes(bid.project);
  return isOn ? subjectOfBid(tx, spot, bid) : readBidProjectInfo(tx, spot, named);
}

async function subjectOfContent(
  tx: ReadTransaction,
  spot: CallOrigin,
  content: PostContent,
  value: string,
): Promise<BidProjectInfo | undefined> {
  const { kind } = content;
  if (kind === 'card') return subjectOfProject(tx, spot, content, value);
  if (kind === 'bid' || kind === 'held-order') {
    const bid = content.bid === undefined ? undefined : await readBid(tx, content.bid);
    return bid && subjectOfBid(tx, spot, bid);
  }
  if (kind === 'job' || kind === 'approval-request') {
    const job = await readJob(tx, content.job);
    if (job?.project === undefined) return undefined;
    const { project, title, marketplaceJobId } = job;
    return readBidProjectInfo(tx, spot, { project, title, marketplaceJobId });
  }
  if (kind !== 'invitation') return undefined;
  const record = await readInvitation(tx, content.invitation);
  const invited = record && findInvitedProject(record);
  return invited && subjectOfProject(tx, spot, { ...invited, title: record.title || undefined }, value);
}

/**
 * The project of a pressed message. We store no ephemeral messages: there the value names the bid, which must
 * belong to this channel.
 */
export async function findPressedBidProject(
  tx: ReadTransaction,
  spot: CallOrigin,
  ts: MessageTs | undefined,
  value: string,
): Promise<BidProjectInfo | undefined> {
  const content = ts === undefined ? undefined : await readContent(tx, spot, ts);
  if (content) return subjectOfContent(tx, spot, content, value);
  const bid = await findBid(tx, value);
  return bid?.channel === spot.channel ? subjectOfBid(tx, spot, bid) : undefined;
}
