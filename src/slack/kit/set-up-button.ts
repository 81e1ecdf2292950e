/** The buttons that open the setup of the channel where they are pressed. Pure. */
import type { Button } from '@slack/types';
import { buttonElement } from './block-builders.ts';
import { actionIds } from './ids.ts';

interface SetUpButton {
  readonly isPrimary?: boolean;
  /** next: what the channel needs: setup, or editing what it has · add: always one more subscription. */
  readonly opens?: 'next' | 'add';
}

/** @param label at most three words */
export function setUpButton(label: string, { isPrimary = true, opens = 'next' }: SetUpButton = {}): Button {
  return buttonElement({
    id: opens === 'add' ? actionIds.setupAdd : actionIds.setupOpen,
    label,
    value: 'open',
    ...(isPrimary ? { isPrimary } : {}),
  });
}
