/**
 * Further settings, each in a form of its own that a button of the settings form opens. Their rooms handle
 * the presses, and find the channel with `findSettingsChannel`. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { actionsBlocks, buttonElement } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';

interface SettingsSection {
  /** Of its button. */
  readonly actionId: string;
  readonly label: string;
  /** The person's own settings, which need no admin. */
  readonly isPersonal?: true;
}

/** In the order of the buttons. */
const sections: readonly SettingsSection[] = [
  { actionId: actionIds.responseSettings, label: 'Response Times' },
  { actionId: actionIds.spendingRules, label: 'Spending Rules' },
  { actionId: actionIds.settingsTry, label: 'Try Rules' },
  { actionId: actionIds.hints, label: 'Hints' },
  { actionId: actionIds.followSettings, label: 'Notify Me', isPersonal: true },
];

/** @param role whether all of them, or only those that are the person's own */
export function settingsSectionBlocks(role: 'admin' | 'viewer'): readonly KnownBlock[] {
  const shown = sections.filter(({ isPersonal }) => role === 'admin' || isPersonal);
  return actionsBlocks(
    shown.map(({ actionId, label }) => buttonElement({ id: actionId, label, value: actionId })),
  );
}
