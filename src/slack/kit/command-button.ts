/** Buttons of several rooms: most do what a typed command does, so that nobody must type it. Pure. */
import type { Button } from '@slack/types';
import { z } from 'zod';
import type { ChannelId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, textMessage } from './block-builders.ts';
import { jsonValueCodec } from './button-values.ts';
import { actionIds } from './ids.ts';

/** The commands that a button can run, each with its action. */
export const commandButtonIds = {
  follow: actionIds.runFollow,
  list: actionIds.runList,
  settings: actionIds.runSettings,
  stats: actionIds.runStats,
  status: actionIds.runStatus,
  help: actionIds.runHelp,
  audit: actionIds.runAudit,
  budget: actionIds.runBudget,
  digest: actionIds.runDigest,
  job: actionIds.runJob,
  lookup: actionIds.runLookup,
  proposals: actionIds.runProposals,
  setups: actionIds.runSetups,
  template: actionIds.runTemplate,
} as const;

export type ButtonCommand = keyof typeof commandButtonIds;

export const commandValueCodec = jsonValueCodec(z.object({ args: z.string().max(1_500) }));

export interface CommandButtonFacts {
  readonly command: ButtonCommand;
  /** At most three words, in Title Case. */
  readonly label: string;
  /** What would be typed after the command; at most 1,500 characters. */
  readonly args?: string;
  /** For screen readers, if the label alone doesn't name its subject. */
  readonly accessibilityLabel?: string;
}

/** Runs the command in the conversation where it's pressed. In one block, at most one for each command. */
export function commandButton(facts: CommandButtonFacts): Button {
  const { command, label, args = '', accessibilityLabel } = facts;
  const id = commandButtonIds[command];
  const value = args === '' ? command : commandValueCodec.write({ args });
  return buttonElement({ id, label, value, accessibilityLabel });
}

/** Restarts a channel's feeds; it may be in another conversation, such as a direct message. */
export function resumeButton(channel?: ChannelId): Button {
  return buttonElement({ id: actionIds.resume, label: 'Resume', value: channel ?? 'here' });
}

/** Opens the form with the channel's budget, which only admins can change. */
export function setBudgetButton(channel?: ChannelId): Button {
  return buttonElement({ id: actionIds.budgetSet, label: 'Set Budget', value: channel ?? 'here' });
}

/** @param text safe mrkdwn, which also is the message's plain form */
export function messageWithButtons(text: string, ...buttons: readonly Button[]): Message {
  return buttons.length > 0 ? textMessage(text, actionsBlock(buttons)) : { text };
}

export function openProposalButton(proposal: number): Button {
  return buttonElement({
    id: actionIds.proposalOpen,
    label: 'Open Proposal',
    value: String(proposal),
    accessibilityLabel: `Open proposal ${proposal}`,
  });
}

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
    isPrimary,
  });
}
