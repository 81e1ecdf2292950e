/** Answers about what a person follows, for them alone. Pure. */
import { createHash } from 'node:crypto';
import type { Button, KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import {
  type Follower,
  type FollowTarget,
  isFollowerMuted,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
} from '../../follows/follows.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText, formatDate } from '../kit/mrkdwn.ts';
import { filterList, filterName } from '../kit/words/filters.ts';
import { writeFollow } from './parse-follow.ts';

/** Which rule an Unfollow button ends: rules themselves may be longer than a button's value. */
export function followRuleId(target: FollowTarget): string {
  return createHash('sha256').update(writeFollow(target)).digest('hex').slice(0, 16);
}

const NO_EXTRA_CREDITS = 'Following costs no extra credits: it reads nothing from the marketplace.';

function targetText({ filter, rules }: FollowTarget, known: readonly NamedFilter[]): string {
  const named = filter === undefined ? undefined : (known.find(({ id }) => id === filter) ?? { id: filter });
  const from = named ? `New projects from ${filterName(named)}` : "New projects from your channels' filters";
  return rules ? `${from} with the rules ${codeText(rules)}` : from;
}

function muteText(follower: Follower, at: Instant): string | undefined {
  if (!isFollowerMuted(follower, at)) return undefined;
  const { until } = follower.muted ?? {};
  const end = until === undefined ? '' : ` until ${formatDate(until)}`;
  return `:no_bell: You're muted${end}. You don't get projects found now, not even later.`;
}

export interface FollowListFacts {
  readonly follower: Follower | undefined;
  readonly known: readonly NamedFilter[];
  /** What the person's channels get; undefined: Slack doesn't say now. */
  readonly followable: readonly NamedFilter[] | undefined;
  readonly at: Instant;
}

function followableText(followable: readonly NamedFilter[]): string {
  return followable.length > 0
    ? `You can follow: ${filterList(followable)}.`
    : "You aren't in a channel that gets projects from a filter, so there's nothing to follow.";
}

function idleText({ filter }: FollowTarget, { followable }: FollowListFacts): string | undefined {
  if (!followable) return undefined;
  if (filter !== undefined && !followable.some(({ id }) => id === filter))
    return ":warning: None of your channels subscribes to this filter, so you don't get any projects.";
  if (filter !== undefined || followable.length > 0) return undefined;
  return ":warning: You aren't in a channel with a filter, so you don't get any projects.";
}

function ruleBlock(target: FollowTarget, facts: FollowListFacts): KnownBlock {
  return sectionBlock(
    joinLines(`• ${targetText(target, facts.known)}`, idleText(target, facts)),
    buttonElement({
      id: actionIds.followEnd,
      label: 'Unfollow',
      value: followRuleId(target),
      accessibilityLabel: `Unfollow ${writeFollow(target)}`,
    }),
  );
}

/** The value of the button that ends every rule. */
export const ALL_RULES = 'all';

function listButtons(follower: Follower, at: Instant): Button[] {
  const mute = isFollowerMuted(follower, at)
    ? [buttonElement({ id: actionIds.followUnmute, label: 'Unmute', value: 'unmute' })]
    : [
        buttonElement({ id: actionIds.followMute, label: 'Mute', value: 'mute' }),
        buttonElement({ id: actionIds.followMuteTomorrow, label: 'Mute Until Tomorrow', value: 'tomorrow' }),
      ];
  const all = buttonElement({ id: actionIds.followEnd, label: 'Unfollow All', value: ALL_RULES });
  return follower.rules.length > 1 ? [...mute, all] : mute;
}

/** The person's rules, each with Unfollow, and mute. */
export function followListMessage(facts: FollowListFacts, lead?: string): Message {
  const { follower, followable, at } = facts;
  if (!follower)
    return {
      text: joinLines(
        lead ?? "You don't follow anything.",
        followable && followableText(followable),
        `Try ${codeText(`${SLASH_COMMAND} follow react budget:>2000`)}.`,
        NO_EXTRA_CREDITS,
      ),
    };
  const head = lead ?? 'You follow:';
  const foot = joinLines(
    'You get a direct message for each project.',
    muteText(follower, at),
    NO_EXTRA_CREDITS,
  );
  const rows = follower.rules.map((rule) => targetText(rule, facts.known));
  return {
    text: joinLines(head, ...rows.map((row) => `• ${row}`), foot),
    blocks: [
      sectionBlock(head),
      ...follower.rules.map((rule) => ruleBlock(rule, facts)),
      sectionBlock(foot),
      actionsBlock(listButtons(follower, at)),
    ],
  };
}

export const TOO_MANY_RULES: Message = {
  text:
    `You follow ${MAX_FOLLOW_RULES} things already, which is the limit, so nothing changed. ` +
    `End one first: ${codeText(`${SLASH_COMMAND} follow`)}`,
};

export const TOO_MANY_FOLLOWERS: Message = {
  text:
    `${MAX_FOLLOWERS} people of this workspace follow projects already, which is the limit. ` +
    'Nothing changed. Ask one of them to unfollow everything in `/gig follow`.',
};

/** Nothing was saved: nothing would come. @param asked what was typed, or the filter */
export function notFollowableMessage(asked: string | undefined, followable: readonly NamedFilter[]): Message {
  const [first] = followable;
  return {
    text: joinLines(
      asked === undefined ? undefined : `None of your channels subscribes to ${asked}, so nothing was saved.`,
      followableText(followable),
      first && `For example: ${codeText(`${SLASH_COMMAND} follow ${first.id}`)}`,
    ),
  };
}

export const CHANNELS_UNKNOWN: Message = {
  text:
    ":warning: Couldn't check with Slack which channels you're in, so nothing was saved. " +
    'Try again in a minute.',
};
