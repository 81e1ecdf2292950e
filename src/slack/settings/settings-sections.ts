/**
 * Further settings, each in a form of its own that a button of the settings form opens. Their rooms handle
 * the presses, and find the channel with `findSettingsChannel`. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { actionsBlock, buttonElement } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';

interface SettingsSection {
  /** Of its button. */
  readonly actionId: string;
  readonly label: string;
}

/** In the order of the buttons. */
const sections: readonly SettingsSection[] = [{ actionId: actionIds.spendingRules, label: 'Spending Rules' }];

export function settingsSectionBlocks(): readonly KnownBlock[] {
  if (sections.length === 0) return [];
  return [
    actionsBlock(
      sections.map(({ actionId, label }) => buttonElement({ id: actionId, label, value: actionId })),
    ),
  ];
}
