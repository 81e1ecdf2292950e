/**
 * The window of `/gig settings`: all settings of a channel, and what is set now. Everyone sees the same; only
 * admins have buttons. Pure.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import type { ChannelPreferences } from '../../feed/channels.ts';
import type { ChannelId } from '../../ids.ts';
import {
  buttonElement,
  contextBlock,
  DIVIDER,
  joinLines,
  noticeView,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import type { UserGroupNames } from '../kit/words/labels.ts';
import { type SettingsPart, settingsParts } from './settings-parts.ts';
import { mentionsText, preferenceText } from './settings-text.ts';

export const SETTINGS_TITLE = 'Channel Settings';

interface SettingsFacts {
  readonly channel: ChannelId;
  readonly choices: ChannelPreferences;
  /** IANA name of the default, for channels without their own. */
  readonly timezone: string;
  readonly names: UserGroupNames;
  /** In words; mrkdwn. */
  readonly budget: string;
  readonly response: string;
  readonly spending: string;
  readonly isAdmin: boolean;
}

function row({ isAdmin }: SettingsFacts, title: string, text: string, id: string): KnownBlock {
  const button = buttonElement({ id, label: title, value: id });
  return sectionBlock(joinLines(`*${title}*`, text), isAdmin ? button : undefined);
}

function partRow(facts: SettingsFacts, part: SettingsPart): KnownBlock {
  const { choices, timezone, names } = facts;
  const lines = part.preferences.map((name) =>
    name === 'mentions' ? mentionsText(choices.mentions, names) : preferenceText(name, choices, timezone),
  );
  return row(facts, part.title, joinLines(...lines), part.actionId);
}

/** @param id of the record that finds the window's channel */
export function settingsWindow(facts: SettingsFacts, id: string): ModalView {
  const { channel, budget, response, spending, isAdmin } = facts;
  const { updates, quiet, mentions, cards } = settingsParts;
  const hints =
    'Another tool can tell Gigdesk which filter has a new project. Gigdesk then reads that filter next.';
  const view = noticeView(SETTINGS_TITLE, [
    sectionBlock(`*Settings for ${channelLink(channel)}*`),
    ...(isAdmin ? [] : [alertBlock('info', 'Only admins of this channel can change these settings.')]),
    partRow(facts, updates),
    partRow(facts, quiet),
    partRow(facts, mentions),
    row(facts, 'Budget', budget, actionIds.settingsBudget),
    row(facts, 'Response Times', response, actionIds.responseSettings),
    row(facts, 'Spending Rules', spending, actionIds.spendingRules),
    DIVIDER,
    sectionBlock('*Advanced*'),
    partRow(facts, cards),
    row(facts, 'Hints', hints, actionIds.hints),
    contextBlock(
      'Subscriptions and mutes: `/gig list`. Daily digest: `/gig digest`. Roles: `/gig access`. ' +
        'Your own notifications: `/gig follow`.',
    ),
  ]);
  return { ...view, private_metadata: id };
}
