/** The button that opens the setup of the channel where it's pressed. Pure. */
import type { Button } from '@slack/types';
import { buttonElement } from './block-builders.ts';
import { actionIds } from './ids.ts';

/** @param label at most three words */
export function setUpButton(label: string, isPrimary = true): Button {
  return buttonElement({
    id: actionIds.setupOpen,
    label,
    value: 'open',
    ...(isPrimary ? { isPrimary } : {}),
  });
}
