/** The App Home's bids that wait before they are sent. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { findApprovalTitle } from '../../bidding/approval-request.ts';
import { isDirectMessage } from '../../ids.ts';
import { heldOrderButton, heldOrderName, holdStateText } from '../bids/bids.ts';
import { capitalize, headerBlock, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatLink, formatMention } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { type HomeFacts, type HomeHeldOrder, moreItemsBlocks } from './home-facts.ts';

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

/** The user's own bids and approvals. */
export function ownHeldBlocks({ held }: HomeFacts): KnownBlock[] {
  if (held.own.shown.length === 0) return [];
  return [
    headerBlock('Your waiting bids'),
    ...held.own.shown.map((order) => heldBlock(order, 'job' in order.of ? 'you approved it' : undefined)),
    ...moreItemsBlocks(held.own, "See their cards' threads."),
  ];
}

/** What others want to send; the user's approval is missing. */
export function secondApprovalBlocks({ held }: HomeFacts): KnownBlock[] {
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
