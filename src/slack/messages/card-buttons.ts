/** The buttons of a card: what no longer applies goes away. */
import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { CardView } from '../../feed/feed.ts';
import { actionIds } from '../blocks/ids.ts';
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

function menu(stage: CardStage): Overflow {
  return {
    type: 'overflow',
    action_id: actionIds.more,
    options: stage === 'open' ? [...SKIP_OPTIONS, ...ALWAYS] : ALWAYS,
  };
}

/** In the order of use: Details, Claim or Release, the menu. A skipped card keeps the way back alone. */
export function cardButtons(stage: CardStage, view: CardView): ActionsBlock {
  if (stage === 'skipped') return actions([press(actionIds.unskip, 'Undo skip', view)]);
  const own =
    stage === 'open' ? press(actionIds.claim, 'Claim', view) : press(actionIds.release, 'Release', view);
  return actions([press(actionIds.details, 'Details', view), own, menu(stage)]);
}
