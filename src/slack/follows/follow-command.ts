/** `/gig follow` and `/gig unfollow`: a person's own rules. Only they see the answers, wherever they ask. */
import type { NamedFilter } from '../../feed/feed.ts';
import type { Follower } from '../../follows/follows.ts';
import type { UserId } from '../../ids.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../core/routes.ts';
import { inputErrorMessage, queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { filterName, severalFiltersMessage } from '../kit/words/filters.ts';
import {
  CHANNELS_UNKNOWN,
  type FollowListFacts,
  followingMessage,
  followListMessage,
  notFollowableMessage,
  tooManyFollowersMessage,
  tooManyRulesMessage,
} from './follow-messages.ts';
import { type ParsedFollow, parseFollow } from './parse-follow.ts';

/** What the person's channels get; undefined: Slack doesn't say now. */
async function readFollowable(services: Services, user: UserId): Promise<readonly NamedFilter[] | undefined> {
  const membership = await services.follows.readMembership(user);
  return membership && services.follows.listFollowableFilters(membership.channels);
}

export async function readFollowList(services: Services, user: UserId): Promise<FollowListFacts> {
  const { follows, feed, clock } = services;
  const [follower, followable, known] = await Promise.all([
    follows.readFollower(user),
    readFollowable(services, user),
    feed.listStoredFilters(),
  ]);
  return { follower, followable, known, at: clock.now() };
}

/** The answer to a text that names nothing to follow; undefined: it does. */
function describeMistake(
  parsed: Exclude<ParsedFollow, { readonly kind: 'target' }>,
  command: string,
  followable: readonly NamedFilter[],
): Message {
  switch (parsed.kind) {
    case 'wrong-rules':
      return queryErrorMessage(parsed.rules, parsed.mistake, `${SLASH_COMMAND} ${command} ${parsed.before}`);
    case 'several':
      return severalFiltersMessage(parsed.name, parsed.filters, `${command} filter`);
    case 'no-filter':
      return parsed.asked === ''
        ? inputErrorMessage("Add rules, or a filter's ID or name.", `${command} filter 7`)
        : notFollowableMessage(codeText(parsed.asked, 100), followable);
  }
}

/** The person follows it from now on. */
async function follow(call: CommandCall): Promise<void> {
  const { services, person } = call;
  const { follows, feed, clock } = services;
  const known = await feed.listStoredFilters();
  const parsed = parseFollow(call.args, known);
  const followable = await readFollowable(services, person.user);
  if (parsed.kind !== 'target') return call.answer(describeMistake(parsed, 'follow', followable ?? []));
  if (!followable) return call.answer(CHANNELS_UNKNOWN);
  const { target, filter } = parsed;
  if (followable.length === 0 || (filter && !followable.some(({ id }) => id === filter.id)))
    return call.answer(notFollowableMessage(filter && filterName(filter), followable));
  const outcome = await follows.follow(person, target);
  if (outcome === 'full') return call.answer(tooManyRulesMessage());
  const follower = await follows.readFollower(person.user);
  if (outcome === 'crowded' || !follower) return call.answer(tooManyFollowersMessage());
  await call.answer(followingMessage(outcome, target, { follower, known, at: clock.now() }));
}

const DETAILS = [
  'It works in a direct message with Gigdesk, and in channels. Only you see the answers.',
  'Rules are written as in `/gig subscribe`. They apply to what the filters of *your* channels find ' +
    "anyway, even if a channel's own rules hide it. Following costs no extra credits.",
  '`/gig follow 7` follows all new projects of filter 7. Rules without a filter apply to all filters ' +
    'of your channels. You get each project once, and nothing from channels that you leave.',
  '`/gig follow` alone lists what you follow. *Notify Me* there, and in `/gig settings`, ' +
    'sets direct messages or mentions, quiet hours, one message a day, and mute.',
].join('\n');

export const followCommand: CommandRoute = {
  word: 'follow',
  topic: 'feed',
  needs: 'viewer',
  usage: ['follow', 'follow [filter] <id> [<rules>]', 'follow filter <name> [<rules>]', 'follow <rules>'],
  summary: "Get notified about projects that your channels' filters find, by rules of your own.",
  details: DETAILS,
  examples: ['follow', 'follow 7', 'follow filter 7 budget:>2000', 'follow react budget:>2000'],
  async run(call) {
    if (call.args !== '') return follow(call);
    await call.answer(followListMessage(await readFollowList(call.services, call.person.user)));
  },
};

export function unfollowedText({ follower }: FollowListFacts): string {
  return follower && follower.rules.length > 0
    ? 'Unfollowed. You still follow:'
    : "Unfollowed. You don't follow anything else.";
}

/** What ends: with rules this rule alone, with a filter alone every rule on it. */
function endOf({ follower }: { readonly follower: Follower | undefined }, parsed: ParsedFollow) {
  if (parsed.kind !== 'target') return undefined;
  const { filter, rules } = parsed.target;
  if (filter !== undefined && rules === '') return { filter };
  const isKnown = follower?.rules.some((each) => each.filter === filter && each.rules === rules);
  return isKnown ? { filter, rules } : undefined;
}

async function unfollow(call: CommandCall): Promise<void> {
  const { services, person } = call;
  const { follows, feed } = services;
  if (call.args.toLowerCase() === 'all') {
    const isDone = await follows.unfollowAll(person.user);
    return call.answer({
      text: isDone
        ? "You don't follow anything anymore. Your rules and choices are deleted."
        : "You don't follow anything.",
    });
  }
  const parsed = parseFollow(call.args, await feed.listStoredFilters());
  if (parsed.kind === 'wrong-rules' || parsed.kind === 'several')
    return call.answer(describeMistake(parsed, 'unfollow', []));
  const end = endOf({ follower: await follows.readFollower(person.user) }, parsed);
  const ended = end ? await follows.unfollow(person.user, end) : [];
  const facts = await readFollowList(services, person.user);
  const still = facts.follower?.rules.length ? ' You follow:' : '';
  const lead =
    ended.length > 0
      ? unfollowedText(facts)
      : `You don't follow ${codeText(call.args, 100)}, so nothing changed.${still}`;
  await call.answer(followListMessage(facts, lead));
}

export const unfollowCommand: CommandRoute = {
  word: 'unfollow',
  topic: 'feed',
  needs: 'viewer',
  usage: ['unfollow [filter] <id>', 'unfollow <rules>', 'unfollow all'],
  summary: 'Stop your own notifications about projects. Channels keep their subscriptions.',
  details:
    '`/gig unfollow 7` ends all your rules on filter 7. `/gig unfollow all` also deletes your choices. ' +
    '`/gig follow` lists what you follow, each with an *Unfollow* button.',
  examples: ['unfollow 7', 'unfollow react budget:>2000', 'unfollow all'],
  async run(call) {
    if (call.args === '')
      return call.answer(followListMessage(await readFollowList(call.services, call.person.user)));
    await unfollow(call);
  },
};
