/**
 * Further settings, each in a form of its own that a button of the settings form opens. Their rooms handle
 * the presses, and find the channel with `findSettingsChannel`. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { actionsBlocks, buttonElement } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';

/** In the order of the buttons. */
const sections = [
  { actionId: actionIds.responseSettings, label: 'Response Times' },
  { actionId: actionIds.spendingRules, label: 'Spending Rules' },
  { actionId: actionIds.settingsTry, label: 'Try Rules' },
  { actionId: actionIds.hints, label: 'Hints' },
];

export function settingsSectionBlocks(): readonly KnownBlock[] {
  return actionsBlocks(
    sections.map(({ actionId, label }) => buttonElement({ id: actionId, label, value: actionId })),
  );
}
