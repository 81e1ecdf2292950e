/** The buttons of a card: what no longer applies goes away. */
import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { CardView } from '../../feed/feed.ts';
import { actionIds } from '../blocks/ids.ts';
import { bidButtons } from './bid-buttons.ts';
import type { CardStage } from './card-state.ts';
import { actions, button, option } from './parts.ts';
import { menuValues } from './values.ts';

function press(id: string, label: string, view: CardView): Button {
  const { title, key } = view.seen.project;
  return button({ id, label, value: key, spoken: `${label}: ${title}` });
}

const SKIP_OPTIONS = [
  option('Skip: not a fit', menuValues.notAFit),
  option('Skip for another reason…', menuValues.skip),
];
const ALWAYS = [option('Mute country or word…', menuValues.mute), option('Copy link', menuValues.link)];

const ANOTHER_BID = [option('Bid with another setup…', menuValues.bid)];

/** Slack shows at most 5 options. */
function menu(stage: CardStage, { bids }: ProjectBidding): Overflow {
  const stands = bids.some(({ bid }) => bid.state === 'created');
  return {
    type: 'overflow',
    action_id: actionIds.more,
    options: [...(stands ? ANOTHER_BID : []), ...(stage === 'open' ? SKIP_OPTIONS : []), ...ALWAYS],
  };
}

/**
 * In the order of use: what can be done about bids, Details, Claim or Release, the menu. A skipped card keeps the way back
 * alone.
 */
export function cardButtons(stage: CardStage, view: CardView, bidding: ProjectBidding): ActionsBlock {
  if (stage === 'skipped') return actions([press(actionIds.unskip, 'Undo skip', view)]);
  const { title, key, verdict } = view.seen.project;
  const own =
    stage === 'open' ? press(actionIds.claim, 'Claim', view) : press(actionIds.release, 'Release', view);
  return actions([
    ...bidButtons(bidding, { title, project: key, verdict }),
    press(actionIds.details, 'Details', view),
    own,
    menu(stage, bidding),
  ]);
}
