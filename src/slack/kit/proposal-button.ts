/** The button that opens a proposal in a window, for messages that name one. Pure. */
import type { Button } from '@slack/types';
import { buttonElement } from './block-builders.ts';
import { actionIds } from './ids.ts';

export function openProposalButton(proposal: number): Button {
  return buttonElement({
    id: actionIds.proposalOpen,
    label: 'Open Proposal',
    value: String(proposal),
    accessibilityLabel: `Open proposal ${proposal}`,
  });
}
