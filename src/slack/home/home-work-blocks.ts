/** The App Home's open work: jobs to approve, bids that wait, claims and drafts. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { findApprovalTitle } from '../../bidding/approval-request.ts';
import type { BidDraft } from '../../bidding/bidding.ts';
import { isDirectMessage } from '../../ids.ts';
import type { TemplateDraft } from '../../templates/templates.ts';
import {
  bidAmountText,
  heldOrderButton,
  heldOrderName,
  holdStateText,
  jobProgressText,
  reviewButton,
} from '../bids/bids.ts';
import {
  actionsBlock,
  buttonElement,
  capitalize,
  confirmDialog,
  contextBlock,
  headerBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import {
  channelLink,
  cleanLine,
  clipText,
  codeText,
  formatDate,
  formatLink,
  formatMention,
  formatTimeAgo,
  safeLine,
} from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { findDisqualificationReason, jobLabel, setupNameText } from '../kit/words/job-text.ts';
import { templateDraftText } from '../templates/templates.ts';
import {
  type HomeClaim,
  type HomeDraft,
  type HomeFacts,
  type HomeHeldOrder,
  homeClaimValueCodec,
  homeTemplateValueCodec,
  type JobAwaitingApproval,
  type TruncatedList,
} from './home-facts.ts';

const LONGEST_REASON = 300;

function placeText({ job, by }: JobAwaitingApproval): string {
  if (!isDirectMessage(job.channel)) return channelLink(job.channel);
  return by ? `bid by ${formatMention(by)} in a direct message` : 'from a direct message';
}

function jobBlock(waiting: JobAwaitingApproval): KnownBlock {
  const { job, title = '', verdict } = waiting;
  const reason = findDisqualificationReason(job, verdict);
  const why = reason === undefined ? '' : excerptText(cleanLine(reason), LONGEST_REASON);
  const review: Button = { ...reviewButton(job), action_id: actionIds.homeReview };
  return sectionBlock(
    joinLines(
      `*${safeLine(title, 150) || capitalize(jobLabel(job.id))}*`,
      joinFacts(
        placeText(waiting),
        setupNameText(job),
        bidAmountText(job.bidAmount),
        job.review?.by === undefined
          ? `since ${formatDate(job.knownAt)}`
          : `asked by ${formatMention(job.review.by)} ${formatDate(job.review.at)}`,
      ),
      capitalize(jobProgressText(job)),
      reason === undefined
        ? undefined
        : ':no_entry_sign: The AI disqualified this ' +
            `project${why ? `: ${safeLine(why, LONGEST_REASON * 2)}` : ' (no reason given).'}`,
    ),
    review,
  );
}

/** How many more there are, and where to find them. @param where safe mrkdwn */
function moreItemsBlocks({ more, orMore }: TruncatedList<unknown>, where: string): KnownBlock[] {
  if (more <= 0) return [];
  return [contextBlock(`…and ${orMore ? 'at least ' : ''}${formatNumber(more)} more. ${where}`)];
}

function listBlocks<T>(
  title: string,
  list: TruncatedList<T>,
  draw: (item: T) => readonly KnownBlock[],
  where: string,
): KnownBlock[] {
  if (list.shown.length === 0) return [];
  return [headerBlock(title), ...list.shown.flatMap(draw), ...moreItemsBlocks(list, where)];
}

export function isApprovalAwaited({ waiting, held }: HomeFacts): boolean {
  return waiting.shown.length + held.toApprove.shown.length > 0;
}

export function homeApprovalsBlocks(facts: HomeFacts): KnownBlock[] {
  const { waiting } = facts;
  if (!isApprovalAwaited(facts)) return [];
  return [
    headerBlock('Waiting for your approval'),
    ...secondApprovalBlocks(facts),
    ...waiting.shown.map(jobBlock),
    ...moreItemsBlocks(waiting, `See their cards, or use ${codeText('/gig job <id>')}.`),
  ];
}

/** They come first: sending such a bid again might bid twice. */
export function uncertainBidsBlocks({ uncertain }: HomeFacts): KnownBlock[] {
  return listBlocks(
    'Check these bids',
    uncertain,
    ({ id, title, url = '', channel, at }) => [
      sectionBlock(
        joinLines(
          `*${projectLink({ title, url })}*`,
          joinFacts(
            isDirectMessage(channel) ? 'in a direct message' : `in ${channelLink(channel)}`,
            `sent ${formatTimeAgo(at)}`,
          ),
          "The marketplace didn't confirm this bid, so it may or may not exist.",
        ),
        buttonElement({
          id: actionIds.homeBidCheck,
          label: 'Check',
          value: id,
          accessibilityLabel: `Check: ${clipText(cleanLine(title), 60)}`,
        }),
      ),
    ],
    'Their cards have *Check*, too.',
  );
}

function claimBlock(claim: HomeClaim): KnownBlock {
  const isProject = claim.kind === 'project';
  const title = isProject ? claim.project.title : claim.title;
  const { channel } = claim;
  const value = homeClaimValueCodec.write(
    isProject ? { channel, project: claim.project.key } : { channel, uid: claim.uid },
  );
  const name = isProject
    ? projectLink(claim.project)
    : `Invitation: ${safeLine(title, 150) || 'untitled project'}`;
  return sectionBlock(
    joinLines(
      `*${name}*`,
      joinFacts(
        `claimed ${formatTimeAgo(claim.at)} in ${channelLink(channel)}`,
        claim.link && formatLink(claim.link, 'view card'),
      ),
    ),
    buttonElement({
      id: actionIds.homeRelease,
      label: 'Release',
      value,
      accessibilityLabel: `Release: ${title}`,
    }),
  );
}

export function claimBlocks({ claims }: HomeFacts): KnownBlock[] {
  return listBlocks(
    'Claimed by you',
    claims,
    (claim) => [claimBlock(claim)],
    'See their cards in the channels.',
  );
}

function wordsOfBid({ id, title, url = '', channel, form, at }: BidDraft) {
  const typed = form.coverLetter ? 'cover letter started' : undefined;
  const where = isDirectMessage(channel) ? undefined : `in ${channelLink(channel)}`;
  return {
    text: joinLines(
      `Bid: *${projectLink({ title, url })}*`,
      joinFacts(
        where,
        typed,
        `changed ${formatTimeAgo(at)}`,
        form.at === undefined ? undefined : `for ${formatDate(form.at)}`,
      ),
    ),
    name: title,
    value: id,
    resume: actionIds.homeBidResume,
    discard: actionIds.homeBidDiscard,
  };
}

/** A template belongs to no channel: the builder opens from a channel where the user may build templates. */
function wordsOfTemplate(draft: TemplateDraft, { channels }: HomeFacts) {
  const place = channels.find(({ role }) => hasRoleAtLeast(role, 'bidder'))?.channel;
  return {
    text: `Template: ${templateDraftText(draft)}`,
    name: draft.form.name || 'untitled template',
    value: homeTemplateValueCodec.write({ draft: draft.id, channel: place }),
    resume: actionIds.homeTemplateResume,
    discard: actionIds.homeTemplateDiscard,
  };
}

const DELETES = 'This permanently deletes what you entered.';

function draftBlocks(it: HomeDraft, facts: HomeFacts): KnownBlock[] {
  const { text, name, value, resume, discard } =
    it.kind === 'bid' ? wordsOfBid(it.draft) : wordsOfTemplate(it.draft, facts);
  if (it.kind === 'template' && it.draft.state === 'sending') return [sectionBlock(text)];
  const called = clipText(cleanLine(name), 60);
  return [
    sectionBlock(text),
    actionsBlock([
      buttonElement({ id: resume, label: 'Continue', value, accessibilityLabel: `Continue: ${called}` }),
      buttonElement({
        id: discard,
        label: 'Discard',
        value,
        accessibilityLabel: `Discard: ${called}`,
        confirm: confirmDialog('Discard this draft?', DELETES, 'Discard'),
      }),
    ]),
  ];
}

export function draftsBlocks(facts: HomeFacts): KnownBlock[] {
  return listBlocks(
    'Your drafts',
    facts.drafts,
    (each) => draftBlocks(each, facts),
    '`/gig template drafts` lists your template drafts. To continue a bid, press Bid on its card.',
  );
}

function heldBlock(order: HomeHeldOrder, who?: string, review?: Button): KnownBlock {
  const { subject, channel, hold, link } = order;
  const title = findApprovalTitle(subject);
  const url = subject.project?.url ?? subject.bid?.url ?? '';
  const name = title ? projectLink({ title, url }) : capitalize(heldOrderName(order));
  return sectionBlock(
    joinLines(
      `*${name}*`,
      joinFacts(isDirectMessage(channel) ? 'in a direct message' : `in ${channelLink(channel)}`, who),
      joinFacts(capitalize(holdStateText(hold)), link && formatLink(link, 'view message')),
    ),
    review,
  );
}

export function ownHeldBlocks({ held }: HomeFacts): KnownBlock[] {
  return listBlocks(
    'Your waiting bids',
    held.own,
    (order) => [heldBlock(order, 'job' in order.of ? 'you approved it' : undefined)],
    "See their cards' threads.",
  );
}

function secondApprovalBlocks({ held }: HomeFacts): KnownBlock[] {
  return [
    ...held.toApprove.shown.map((order) =>
      heldBlock(
        order,
        `${'job' in order.of ? 'approved' : 'asked'} by ${formatMention(order.sender)}`,
        heldOrderButton(order, actionIds.homeHeldReview, 'Review'),
      ),
    ),
    ...moreItemsBlocks(held.toApprove, "See their cards' threads."),
  ];
}
