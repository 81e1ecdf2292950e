/** Renders a stored post as a message. */
import { readAccessRequest } from '../access/create-access.ts';
import { readHeldOrder, toHeldOrderRef } from '../bidding/held-order.ts';
import { readBidWithJob, readJob, readProjectBidsAndJobs } from '../bidding/project-bidding.ts';
import { readApprovalSubject } from '../bidding/read-approval-subject.ts';
import { findStoredBudget } from '../credits/credits-state.ts';
import { readDigest } from '../digests/digests.ts';
import { listBestBundledProjects } from '../feed/card-details.ts';
import type { FeedService } from '../feed/create-feed.ts';
import { readSeenProject } from '../feed/find-project.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import type { AccountConnection } from '../installations/account-connection.ts';
import {
  findInvitedProject,
  type InvitationCardData,
  readInvitation,
  readInvitationCardData,
} from '../invitations/invitations.ts';
import { countBundledPosts, listBundledPosts } from '../outbox/outbox.ts';
import type { Post, PostId } from '../outbox/posts.ts';
import type { ResponseService } from '../response/create-response.ts';
import type { CardDeadlines } from '../response/response.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { accessRequestMessage } from './access/access.ts';
import { connectRequestMessage } from './account/account.ts';
import { approvalRequestMessage } from './bids/approval-message.ts';
import { bidNewsMessage, bidPostMessage, jobPostMessage } from './bids/bid-messages.ts';
import { heldOrderMessage } from './bids/held-message.ts';
import { budgetConfirmationMessage } from './budgets/budget-messages.ts';
import { cardDetailsMessage, cardMessage } from './cards/card-message.ts';
import { cardAssignedMessage } from './cards/card-notices.ts';
import { CARDS_PER_SHOW_MORE, cardSummaryMessage } from './cards/card-summary.ts';
import type { Message } from './core/routes.ts';
import { digestMessage, listLinkedPosts } from './digests/digest-message.ts';
import { digestThreadPartMessage } from './digests/digest-rows.ts';
import { renderFollowedList, renderFollowedProject } from './follows/followed-message.ts';
import {
  invitationLetterMessage,
  invitationMessage,
  invitationStatusMessage,
} from './invitations/invitations.ts';
import { buttonElement } from './kit/block-builders.ts';
import { messageWithButtons } from './kit/command-button.ts';
import { readPostLinks } from './kit/message-link.ts';
import {
  outcomeListMessage,
  outcomesSummaryMessage,
  proposalOutcomeMessage,
} from './proposals/outcome-message.ts';
import { responseMessage } from './response/response-message.ts';
import { exampleCardMessage, readFollowed, welcomeMessage } from './setup/welcome.ts';
import { noticeMessage } from './status/notice.ts';

export type PostRenderer = (tx: ReadTransaction, post: Post) => Promise<Message | undefined>;

/** The items that a summary lists first: the best projects, or the newest invitations. */
async function firstBundled(tx: ReadTransaction, { id, content }: Post) {
  if (content.kind !== 'flood' || content.of !== 'invitation')
    return { best: await listBestBundledProjects(tx, id, CARDS_PER_SHOW_MORE) };
  const newestInvitations: InvitationCardData[] = [];
  for (const post of await listBundledPosts(tx, id, CARDS_PER_SHOW_MORE, 'newest')) {
    if (post.content.kind !== 'invitation') continue;
    const view = await readInvitationCardData(tx, asChannel(post), post.content.invitation);
    if (view) newestInvitations.push(view);
  }
  return { newestInvitations };
}

async function renderFlood(tx: ReadTransaction, post: Post): Promise<Message> {
  return cardSummaryMessage({
    ...(await firstBundled(tx, post)),
    ...(await countBundledPosts(tx, post.id)),
    isQuiet: post.content.kind === 'flood' && post.content.quiet === true,
  });
}

async function readSeen(tx: ReadTransaction, project: ProjectKey | undefined) {
  const seen = project && (await readSeenProject(tx, project));
  return seen?.project;
}

async function readVerdict(tx: ReadTransaction, project: ProjectKey | undefined) {
  return (await readSeen(tx, project))?.verdict;
}

/** Includes the bids on its project from every channel. */
async function renderInvitation(
  tx: ReadTransaction,
  view: InvitationCardData,
  deadlines: CardDeadlines | undefined,
): Promise<Message> {
  const { project } = findInvitedProject(view.invitation) ?? {};
  const bidding = project ? await readProjectBidsAndJobs(tx, project) : { bids: [], otherJobs: [] };
  return invitationMessage(view, bidding, await readSeen(tx, project), deadlines);
}

/** @param part of its thread; missing: the digest itself */
async function renderDigest(
  tx: ReadTransaction,
  id: PostId,
  workspaceUrl: string | undefined,
  part?: number,
): Promise<Message | undefined> {
  const facts = (await readDigest(tx, id))?.facts;
  if (!facts || part !== undefined) return facts && digestThreadPartMessage(facts, part ?? 0);
  return digestMessage(facts, await readPostLinks(tx, listLinkedPosts(facts), workspaceUrl));
}

/** For posts that are never direct messages. */
function asChannel({ channel }: Post): ChannelId {
  return channel as string as ChannelId;
}

/**
 * What a post shows now. undefined: nothing is left to show (its project, bid, job, invitation or request was
 * deleted). Reads only, so delivery may call it inside its own transaction.
 */
export function createPostRenderer(ports: {
  readonly feed: Pick<FeedService, 'readCardData'>;
  readonly response: Pick<ResponseService, 'readDeadlines'>;
  /** For links to messages; missing: none. */
  readonly workspaceUrl?: string | undefined;
  readonly account?: AccountConnection | undefined;
}): PostRenderer {
  const isAccountConnected = () => ports.account?.isConnected !== false;
  return async (tx, post) => {
    const { content } = post;
    switch (content.kind) {
      case 'card': {
        const view = await ports.feed.readCardData(tx, asChannel(post), content.project);
        if (!view) return undefined;
        const deadlines = await ports.response.readDeadlines(tx, post, view.card);
        return cardMessage(view, await readProjectBidsAndJobs(tx, content.project), deadlines);
      }
      case 'flood':
        return renderFlood(tx, post);
      case 'notice':
        return noticeMessage(content.notice);
      case 'bid': {
        const view = await readBidWithJob(tx, content.bid);
        return view && bidPostMessage(view, await readVerdict(tx, view.bid.project));
      }
      case 'job': {
        const job = await readJob(tx, content.job);
        return job && jobPostMessage(job, await readVerdict(tx, job.project));
      }
      case 'approval-request': {
        const job = await readJob(tx, content.job);
        if (!job) return undefined;
        const subject = await readApprovalSubject(tx, job);
        return approvalRequestMessage({ job, subject }, content.round);
      }
      case 'held-order': {
        const ref = toHeldOrderRef(content);
        const order = ref && (await readHeldOrder(tx, ref));
        return order && heldOrderMessage(order, content);
      }
      case 'bid-news': {
        const { news } = content;
        const job = 'job' in news && news.job !== undefined ? await readJob(tx, news.job) : undefined;
        return bidNewsMessage(news, job?.title);
      }
      case 'invitation': {
        const view = await readInvitationCardData(tx, asChannel(post), content.invitation);
        if (!view) return undefined;
        const { invitedAt, foundAt } = view.card;
        const times = { ...view.card, publishedAt: invitedAt, postedAt: foundAt };
        const deadlines = await ports.response.readDeadlines(tx, post, times);
        return renderInvitation(tx, view, deadlines);
      }
      case 'invitation-letter': {
        const record = await readInvitation(tx, content.invitation);
        return record && invitationLetterMessage(record);
      }
      case 'invitation-status':
        return invitationStatusMessage(content);
      case 'outcome':
        return proposalOutcomeMessage(content.news);
      case 'outcomes-rest':
        return outcomesSummaryMessage(content.rest);
      case 'outcome-list':
        return outcomeListMessage(content.list);
      case 'card-details': {
        const view = await ports.feed.readCardData(tx, asChannel(post), content.project);
        return view && cardDetailsMessage(view);
      }
      case 'card-assigned':
        return cardAssignedMessage(content);
      case 'followed-project':
        return renderFollowedProject(tx, ports, content);
      case 'followed-list':
        return renderFollowedList(tx, ports, content);
      case 'digest':
        return renderDigest(tx, post.id, ports.workspaceUrl);
      case 'digest-more':
        return renderDigest(tx, content.digest, ports.workspaceUrl, content.part);
      case 'new-budget': {
        const record = await findStoredBudget(tx, content.channel);
        return record && budgetConfirmationMessage(record, content.limit);
      }
      case 'welcome':
        return welcomeMessage(await readFollowed(tx, asChannel(post)), isAccountConnected());
      case 'connect-account':
        return connectRequestMessage(isAccountConnected());
      case 'example-card':
        return exampleCardMessage();
      case 'response': {
        const listed = content.items.map(({ card }) => card);
        return responseMessage(content, await readPostLinks(tx, listed, ports.workspaceUrl));
      }
      case 'announcement':
        return messageWithButtons(content.text, ...content.buttons.map(buttonElement));
      case 'access-request': {
        const request = await readAccessRequest(tx, content.request);
        return request && accessRequestMessage(request, post.channel);
      }
    }
  };
}
