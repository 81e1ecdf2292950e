/** The App Home's channels: each with its budget, subscriptions and actions. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { Instant } from '../../clock.ts';
import type { SubscriptionStatus } from '../../feed/feed.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { budgetUsageText } from '../budgets/budgets.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  headerBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, cleanLine, clipText, formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { profileFeedText } from '../kit/words/profiles.ts';
import { quietText } from '../settings/settings.ts';
import {
  countFeeds,
  pauseText,
  profileFeedLine,
  subscriptionText,
  toProfileFeedName,
} from '../subscriptions/subscriptions.ts';
import {
  followedFilterValueCodec,
  followedProfileValueCodec,
  type HomeChannel,
  type HomeFacts,
  homeChannelValueCodec,
} from './home-facts.ts';

/** Each takes up to nine of the view's 100 blocks. Source: docs/slack-limits.md, `viewBlocks`. */
const MOST_IN_FULL = 5;
const MOST_FOLLOWED = 3;
/** On one line of at most 150 characters each, so that one section fits them all. */
const MOST_IN_SHORT = 20;

function headText(it: HomeChannel): string {
  const { paused, quiet } = it.settings;
  const digest = it.digest && `next digest ${formatDate(it.digest.next)}`;
  return joinLines(
    `*${channelLink(it.channel)}*`,
    budgetUsageText(it.budget),
    joinFacts(
      paused && pauseText(paused),
      quiet && `:crescent_moon: quiet hours: ${quietText(quiet)}`,
      digest,
    ),
    it.response,
  );
}

function subscriptionBlocks(view: SubscriptionStatus, { channel, role }: HomeChannel): KnownBlock[] {
  const text = sectionBlock(subscriptionText(view, true));
  if (!hasRoleAtLeast(role, 'viewer')) return [text];
  const { filter } = view.subscription;
  const name = clipText(cleanLine(view.filter.name ?? `filter ${filter}`), 60);
  const value = followedFilterValueCodec.write({ channel, filter });
  return [
    text,
    actionsBlock([
      buttonElement({ id: actionIds.homeEdit, label: 'Edit', value, accessibilityLabel: `Edit ${name}` }),
      buttonElement({
        id: actionIds.homeUnsubscribe,
        label: 'Unsubscribe',
        value,
        accessibilityLabel: `Unsubscribe from ${name}`,
        confirm: confirmDialog(
          'Unsubscribe?',
          `The channel stops getting new projects from ${name}. Existing cards stay.`,
          'Unsubscribe',
        ),
      }),
    ]),
  ];
}

function profileBlock(view: ProfileFeedStatus, { channel, role, settings }: HomeChannel): KnownBlock {
  const text = profileFeedLine(view, settings.paused, true);
  if (!hasRoleAtLeast(role, 'viewer')) return sectionBlock(text);
  const { kind, profile, organization } = view.feed;
  const name = cleanLine(profileFeedText(toProfileFeedName(view)));
  return sectionBlock(
    text,
    buttonElement({
      id: actionIds.homeFeedEnd,
      label: 'Unsubscribe',
      value: followedProfileValueCodec.write({ channel, feed: kind, profile, organization }),
      accessibilityLabel: `Unsubscribe: ${name}`,
      confirm: confirmDialog(
        'Unsubscribe?',
        `Feed: ${clipText(name, 120)}. The channel stops getting new ones. Existing messages stay.`,
        'Unsubscribe',
      ),
    }),
  );
}

function followedBlocks(it: HomeChannel): KnownBlock[] {
  const blocks = [
    ...it.subscriptions
      .toSorted((a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a)))
      .map((view) => () => subscriptionBlocks(view, it)),
    ...it.profiles.map((view) => () => [profileBlock(view, it)]),
  ];
  const more = blocks.length - MOST_FOLLOWED;
  const rest = `…and ${formatNumber(more)} more. See \`/gig list\` in that channel.`;
  return [
    ...blocks.slice(0, MOST_FOLLOWED).flatMap((draw) => draw()),
    ...(more > 0 ? [contextBlock(rest)] : []),
  ];
}

function isInTrouble({ state }: SubscriptionStatus): boolean {
  return state.kind === 'failing' || state.kind === 'stopped' || state.kind === 'out-of-budget';
}

function buttonsOf(it: HomeChannel): Button[] {
  const { channel, name, role } = it;
  const value = homeChannelValueCodec.write({ channel });
  const press = (id: string, label: string) =>
    buttonElement({ id, label, value, accessibilityLabel: `${label}: ${clipText(cleanLine(name), 50)}` });
  const shown = [press(actionIds.homeSettings, 'Settings'), press(actionIds.homeDigest, 'Post Digest')];
  if (!hasRoleAtLeast(role, 'admin')) return shown;
  return [
    ...shown,
    press(actionIds.homeBudget, 'Set Budget'),
    it.settings.paused !== undefined ||
    it.subscriptions.some(({ state }) => state.kind === 'stopped') ||
    it.profiles.some(({ feed }) => feed.stopped !== undefined)
      ? press(actionIds.homeResume, 'Resume')
      : press(actionIds.homePause, 'Pause'),
  ];
}

function inShort({ channel, budget, subscriptions, profiles, settings }: HomeChannel): string {
  const { runsOutAt: _forecast, ...spent } = budget;
  const failing = subscriptions.filter(isInTrouble).length;
  return joinFacts(
    channelLink(channel),
    budgetUsageText(spent),
    formatCount(countFeeds({ filters: subscriptions.map(({ filter }) => filter.id), profiles }), 'feed'),
    failing > 0 ? `:warning: ${formatNumber(failing)} with problems` : undefined,
    settings.paused && ':double_vertical_bar: paused',
  );
}

/** Without Slack's answer, Gigdesk can't know whether the user's channels have subscriptions. */
function unconfirmedText({ at }: { readonly at?: Instant }): string {
  const shown =
    at === undefined ? 'Reopen this tab in a minute.' : `Showing public channels as of ${formatDate(at)}.`;
  const what = "Slack hasn't confirmed which channels you're in, so this list may be incomplete.";
  return `:warning: ${what} ${shown}`;
}

/** The next step above says what to do. */
const NOTHING_FOLLOWED = 'Your channels get nothing from Gigdesk yet.';

export function channelsBlocks({ channels, moreChannels, remembered }: HomeFacts): KnownBlock[] {
  const rest = channels.slice(MOST_IN_FULL);
  const unseen = rest.length - MOST_IN_SHORT + moreChannels;
  const more = unseen > 0 ? `…and ${formatNumber(unseen)} more. ` : '';
  return [
    headerBlock('Your channels'),
    ...(remembered ? [contextBlock(unconfirmedText(remembered))] : []),
    ...(channels.length === 0 && !remembered ? [sectionBlock(NOTHING_FOLLOWED)] : []),
    ...channels
      .slice(0, MOST_IN_FULL)
      .flatMap((it) => [sectionBlock(headText(it)), ...followedBlocks(it), actionsBlock(buttonsOf(it))]),
    ...(rest.length > 0
      ? [
          sectionBlock(joinLines(...rest.slice(0, MOST_IN_SHORT).map(inShort))),
          contextBlock(`${more}See \`/gig list\` and \`/gig budget\` in each channel.`),
        ]
      : []),
  ];
}
