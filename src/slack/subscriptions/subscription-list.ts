/** A channel's subscriptions, their status, and its mutes. Pure. */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { ChannelSettings, Mute, MuteTarget, SubscriptionStatus } from '../../feed/feed.ts';
import { FilterId } from '../../ids.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { BUDGET_TOO_LOW } from '../budgets/budgets.ts';
import { describeSlackError } from '../core/failures.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  actionsBlocks,
  buttonElement,
  confirmDialog,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { jsonValueCodec, muteValueCodec } from '../kit/button-values.ts';
import { commandButton, resumeButton, setBudgetButton, setUpButton } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import {
  cleanLine,
  clipText,
  codeText,
  formatDate,
  formatMention,
  formatTimeAgo,
  safeLine,
} from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText, fitRows } from '../kit/paged-list.ts';
import { filterName } from '../kit/words/filters.ts';
import { describeMarketplaceFailure } from '../kit/words/marketplace-failure.ts';
import { nonDefaultSettingLines, type SettingsTextFacts } from '../settings/settings.ts';
import { pauseText } from './pause-command.ts';
import { countFeeds, profileFeedBlock } from './profile-feeds.ts';

/** Two blocks each; the limits leave room for the rest. */
const MOST_SUBSCRIPTIONS = 12;
const MOST_PROFILES = 10;
const MOST_MUTES = 15;

/** Of the buttons to edit a subscription and to unsubscribe from its filter. */
export const filterValueCodec = jsonValueCodec(z.object({ filter: FilterId }));

interface ChannelSubscriptions {
  readonly subscriptions: readonly SubscriptionStatus[];
  readonly profiles: readonly ProfileFeedStatus[];
  readonly paused?: ChannelSettings['paused'];
  readonly mutes: readonly Mute[];
  readonly chosen?: SettingsTextFacts;
  readonly mayChange: boolean;
}

function stateText({ state }: SubscriptionStatus, isPauseTold: boolean): string {
  switch (state.kind) {
    case 'live':
      return ':large_green_circle: live';
    case 'starting':
      return ':large_green_circle: starting, not checked yet';
    case 'paused':
      return pauseText(state, isPauseTold);
    case 'stopped':
      return `:red_circle: stopped: ${describeSlackError(state.error)}`;
    case 'out-of-budget':
      return `:octagonal_sign: waiting: ${BUDGET_TOO_LOW}`;
    case 'failing': {
      const retry = state.retryAt === undefined ? '' : `, next try ${formatDate(state.retryAt, 'time')}`;
      return (
        `:warning: failing since ${formatDate(state.since)}: ` +
        `${describeMarketplaceFailure(state.code).what}${retry}`
      );
    }
  }
}

/** Not before its own first check: that of another channel with the same filter says nothing about it. */
function polledText({ state, lastGoodAt, lastPollAt }: SubscriptionStatus): string | undefined {
  if (state.kind === 'starting') return undefined;
  if (lastGoodAt === undefined)
    return lastPollAt === undefined ? undefined : `last tried ${formatTimeAgo(lastPollAt)}`;
  return (
    `${state.kind === 'failing' || state.kind === 'stopped' ? 'last worked' : 'checked'} ` +
    `${formatTimeAgo(lastGoodAt)}`
  );
}

/** Name, rules, status. @param isPauseTold like `isTold` of `pauseText`. mrkdwn. */
export function subscriptionText(view: SubscriptionStatus, isPauseTold = false): string {
  const { rules, backfill } = view.subscription;
  return joinLines(
    joinFacts(`*${filterName(view.filter)}*`, rules ? `rules: ${codeText(rules, 300)}` : 'all projects'),
    joinFacts(
      stateText(view, isPauseTold),
      polledText(view),
      backfill && `backfill: ${formatNumber(backfill.left)} of ${formatNumber(backfill.asked)} left`,
    ),
  );
}

function subscriptionBlocks(view: SubscriptionStatus, mayChange: boolean): KnownBlock[] {
  const text = sectionBlock(subscriptionText(view));
  if (!mayChange) return [text];
  const { filter } = view;
  const value = filterValueCodec.write({ filter: view.subscription.filter });
  const name = clipText(cleanLine(filter.name ?? `filter ${filter.id}`), 60);
  return [
    text,
    actionsBlock([
      buttonElement({ id: actionIds.setupEdit, label: 'Edit', value, accessibilityLabel: `Edit ${name}` }),
      buttonElement({
        id: actionIds.unsubscribe,
        label: 'Unsubscribe',
        value,
        accessibilityLabel: `Unsubscribe from ${name}`,
        confirm: confirmDialog(
          'Unsubscribe?',
          `This channel will stop getting new projects from ${name}. Existing cards stay.`,
          'Unsubscribe',
        ),
      }),
    ]),
  ];
}

/** `clients in Germany`, `“wordpress”`. mrkdwn. */
export function muteText({ kind, value }: MuteTarget): string {
  return kind === 'country' ? `clients in ${safeLine(value, 60)}` : `“${safeLine(value, 60)}”`;
}

function muteBlock(mute: Mute, mayChange: boolean): KnownBlock {
  const text = `Muted: ${muteText(mute)}, by ${formatMention(mute.by)} ${formatDate(mute.at, 'date')}`;
  const unmute = buttonElement({
    id: actionIds.unmute,
    label: 'Unmute',
    value: muteValueCodec.write({ kind: mute.kind, value: mute.value }),
    accessibilityLabel: `Unmute ${mute.value}`,
  });
  return sectionBlock(text, mayChange ? unmute : undefined);
}

/** What restarts feeds that wait; only admins can. */
function restartBlocks({ subscriptions, profiles, paused, mayChange }: ChannelSubscriptions): KnownBlock[] {
  if (!mayChange) return [];
  const isHeld =
    paused !== undefined ||
    subscriptions.some(({ state }) => state.kind === 'stopped' || state.kind === 'paused') ||
    profiles.some(({ feed }) => feed.stopped !== undefined);
  const isShort = subscriptions.some(({ state }) => state.kind === 'out-of-budget');
  return actionsBlocks([...(isHeld ? [resumeButton()] : []), ...(isShort ? [setBudgetButton()] : [])]);
}

function chosenBlocks({ chosen, subscriptions, mayChange }: ChannelSubscriptions): KnownBlock[] {
  const lines = chosen ? nonDefaultSettingLines(chosen) : [];
  if (!chosen || (lines.length === 0 && subscriptions.length === 0)) return [];
  return [
    ...(lines.length > 0 ? [sectionBlock(joinLines(...lines))] : []),
    // Readers without buttons may not open the settings, which only admins can save.
    ...(mayChange ? [actionsBlock([commandButton({ command: 'settings', label: 'Settings' })])] : []),
  ];
}

/** Ephemeral: its own buttons update it. */
export function subscriptionListMessage(facts: ChannelSubscriptions): Message {
  return fitRows(MOST_SUBSCRIPTIONS, (most) => drawList(facts, most));
}

function restBlocks(more: number): KnownBlock[] {
  const rest = andMoreText(more);
  return rest ? [contextBlock(`${rest}. Show one with ${codeText('/gig list <name or ID>')}.`)] : [];
}

function drawList(facts: ChannelSubscriptions, most: number): Message {
  const { subscriptions, profiles, paused, mutes, mayChange } = facts;
  const mostProfiles = Math.min(most, MOST_PROFILES);
  const moreMutes = mutes.length - MOST_MUTES;
  const feeds = countFeeds({ filters: subscriptions.map(({ filter }) => filter.id), profiles });
  const text =
    feeds > 0
      ? `This channel has ${formatCount(feeds, 'subscription')}`
      : 'This channel gets nothing from Gigdesk yet.';
  return {
    text,
    blocks: [
      sectionBlock(feeds > 0 ? `*${text}*` : text),
      ...(feeds > 0 || !mayChange ? [] : [actionsBlock([setUpButton('Set Up Channel')])]),
      ...restartBlocks(facts),
      ...subscriptions.slice(0, most).flatMap((each) => subscriptionBlocks(each, mayChange)),
      ...restBlocks(subscriptions.length - most),
      ...profiles.slice(0, mostProfiles).map((each) => profileFeedBlock(each, paused, mayChange)),
      ...restBlocks(profiles.length - mostProfiles),
      ...mutes.slice(0, MOST_MUTES).map((each) => muteBlock(each, mayChange)),
      ...(moreMutes > 0 ? [contextBlock(`…and ${formatCount(moreMutes, 'more mute', 'more mutes')}`)] : []),
      ...chosenBlocks(facts),
    ],
  };
}
