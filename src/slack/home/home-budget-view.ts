/** The form that sets a channel's budget from the App Home. Pure. */
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { BudgetState } from '../../credits/credits-service.ts';
import { ChannelId } from '../../ids.ts';
import { plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { budgetUsageText } from './home-channel-blocks.ts';

export const BUDGET_FIELD = 'budget';
export const BUDGET_INPUT_ERROR =
  'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or off for no limit.';

const Place = z
  .string()
  .regex(/^[CG][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

/** Untrusted input: the submission checks the user's role in this channel. */
export function parseBudgetModalChannel(privateMetadata: string): ChannelId | undefined {
  return Place.safeParse(privateMetadata).data;
}

export function budgetModal(budget: BudgetState): ModalView {
  const { channel, limit } = budget;
  return {
    type: 'modal',
    callback_id: viewIds.homeBudget,
    private_metadata: channel,
    title: plainTextObject('Channel Budget'),
    submit: plainTextObject('Set'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${channelLink(channel)}*\n${budgetUsageText(budget)}`),
      textInput({
        id: BUDGET_FIELD,
        label: 'Credits per billing period',
        hint: 'With fewer than 10 credits left, new projects wait. Enter “off” to remove the channel limit.',
        initial: limit === 'unlimited' ? 'off' : String(limit),
        maxLength: 20,
      }),
    ],
  };
}
