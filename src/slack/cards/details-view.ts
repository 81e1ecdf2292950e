/** A card's details in a window: the whole project, its client, and what the team did before. Pure. */

import type { Button, ModalView } from '@slack/types';
import { isProjectBidOn } from '../../bidding/project-bidding.ts';
import type { CardData } from '../../feed/feed.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import { biddingLines } from '../bids/bids.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  noticeView,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { formatMention, formatTimeAgo } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { otherClaimLines } from '../kit/words/labels.ts';
import type { CardWindow } from './card-window.ts';
import { type ProjectHistory, projectHistoryBlocks } from './project-history.ts';

export interface DetailsFacts extends ProjectHistory {
  readonly window: CardWindow;
  readonly card: CardData;
  /** The project's link has an id that can be looked up. */
  readonly canLookUp: boolean;
  /** What the lookup just now cost; mrkdwn. */
  readonly cost?: string | undefined;
}

function buttons({ card: { card, seen }, bidding, looked, canLookUp }: DetailsFacts): readonly Button[] {
  const { title } = seen.project;
  const button = (id: string, label: string) =>
    buttonElement({ id, label, value: 'card', accessibilityLabel: `${label}: ${title}` });
  const hasBid = isProjectBidOn(bidding);
  return [
    { ...button(actionIds.detailsBid, hasBid ? 'Bid Again' : 'Bid'), style: 'primary' },
    ...(card.claim ? [button(actionIds.detailsRelease, 'Release')] : []),
    ...(card.claim || hasBid ? [] : [button(actionIds.detailsClaim, 'Claim')]),
    button(actionIds.detailsShare, 'Share'),
    ...(canLookUp ? [button(actionIds.detailsLookUp, `${looked ? 'Refresh' : 'Look Up'} (1 Credit)`)] : []),
  ];
}

function sourceText({ looked, canLookUp, cost }: DetailsFacts): string {
  if (cost !== undefined) return cost;
  if (looked) return `Looked up ${formatTimeAgo(looked.at)}. A refresh costs this channel at most 1 credit.`;
  if (!canLookUp) return "There's nothing more to look up: the project's link has no `~ID`.";
  return (
    "A lookup adds the price in connects, requirements and the client's history. " +
    'It costs this channel at most 1 credit.'
  );
}

/** Opens from stored data, and is drawn again after each press in it. */
export function detailsView(facts: DetailsFacts): ModalView {
  const listed = facts.card.seen.project;
  const { claim, channel, project } = facts.card.card;
  const state = [
    ...(claim ? [`:raised_hand: Claimed by ${formatMention(claim.by)}`] : []),
    ...otherClaimLines(facts.bidding.claims, cardPostId(channel, project)),
    ...biddingLines(facts.bidding),
  ];
  const view = noticeView('Project Details', [
    sectionBlock(`*${projectLink(facts.looked?.project ?? listed, 200)}*`),
    actionsBlock(buttons(facts)),
    ...sectionBlocks(state),
    contextBlock(sourceText(facts)),
    ...projectHistoryBlocks(facts, listed),
  ]);
  return { ...view, private_metadata: facts.window.id };
}
