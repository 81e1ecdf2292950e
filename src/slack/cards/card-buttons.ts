/** A card's buttons, without those that no longer apply. Pure. */
import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { CardData } from '../../feed/feed.ts';
import { bidButtons } from '../bids/bids.ts';
import { actionsBlock, buttonElement, menuOption } from '../kit/block-builders.ts';
import { cardMenuValues } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import type { CardStage } from './card-state.ts';

function press(id: string, label: string, view: CardData): Button {
  const { title, key } = view.seen.project;
  return buttonElement({ id, label, value: key, accessibilityLabel: `${label}: ${title}` });
}

const SKIP_OPTIONS = [
  menuOption('Skip: not a fit', cardMenuValues.notAFit),
  menuOption('Skip for another reason…', cardMenuValues.skip),
];
const ALWAYS = [
  menuOption('Mute country or word…', cardMenuValues.mute),
  menuOption('Copy link', cardMenuValues.link),
];

const ANOTHER_BID = [menuOption('Bid with another setup…', cardMenuValues.bid)];

/** Slack shows at most 5 options. */
function menu(stage: CardStage, { bids }: ProjectBidsAndJobs, isBidHidden: boolean): Overflow {
  const stands = !isBidHidden && bids.some(({ bid }) => bid.state === 'created');
  return {
    type: 'overflow',
    action_id: actionIds.more,
    options: [...(stands ? ANOTHER_BID : []), ...(stage === 'open' ? SKIP_OPTIONS : []), ...ALWAYS],
  };
}

/** The channel can hide the Bid button, but never the buttons that continue an existing bid. */
function bidding(view: CardData, known: ProjectBidsAndJobs, isHidden: boolean): readonly Button[] {
  const { title, key, verdict } = view.seen.project;
  return bidButtons(known, { title, verdict, ...(isHidden ? {} : { project: key }) });
}

/**
 * In order of use: bid actions, Details, Claim or Release, the menu; without those that the channel hides.
 * Release of a claim and Undo of a skip always show. @returns undefined if there are no buttons.
 */
export function cardButtons(
  stage: CardStage,
  view: CardData,
  known: ProjectBidsAndJobs,
): ActionsBlock | undefined {
  if (stage === 'skipped') return actionsBlock([press(actionIds.unskip, 'Undo Skip', view)]);
  const hidden = new Set(view.settings.hiddenButtons);
  const elements = [
    ...bidding(view, known, hidden.has('bid')),
    ...(hidden.has('details') ? [] : [press(actionIds.details, 'Details', view)]),
    ...(stage === 'claimed' ? [press(actionIds.release, 'Release', view)] : []),
    ...(stage === 'open' && !hidden.has('claim') ? [press(actionIds.claim, 'Claim', view)] : []),
    ...(hidden.has('more') ? [] : [menu(stage, known, hidden.has('bid'))]),
  ];
  return elements.length > 0 ? actionsBlock(elements) : undefined;
}
