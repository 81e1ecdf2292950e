/** `/gig follow`: a person's own rules. Only they see the answers, wherever they ask. */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import type { Membership } from '../../follows/memberships.ts';
import type { UserId } from '../../ids.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../core/routes.ts';
import { fetchUserChannels } from '../core/user-channels.ts';
import { joinLines } from '../kit/block-builders.ts';
import { inputErrorMessage, queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { filterName, severalFiltersMessage, unknownCountriesText } from '../kit/words/filters.ts';
import {
  CHANNELS_UNKNOWN,
  type FollowListFacts,
  followListMessage,
  notFollowableMessage,
  TOO_MANY_FOLLOWERS,
  TOO_MANY_RULES,
} from './follow-messages.ts';
import { type ParsedFollow, parseFollow } from './parse-follow.ts';

/** Guests and people of other workspaces follow nothing. @returns undefined: Slack doesn't say now */
export async function readFollowerMembership(
  services: Services,
  user: UserId,
): Promise<Membership | undefined> {
  const { role, unsure } = await services.resolvePerson(user);
  if (unsure) return undefined;
  if (!hasRoleAtLeast(role, 'viewer')) return { isMember: false, channels: new Set() };
  // Its caller remembers the answer: a remembered one would add its own age.
  const channels = await fetchUserChannels(services, user);
  return channels && { isMember: true, channels: new Set(channels.map(({ id }) => id)) };
}

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

function describeMistake(
  parsed: Exclude<ParsedFollow, { readonly kind: 'target' }>,
  followable: readonly NamedFilter[],
): Message {
  switch (parsed.kind) {
    case 'wrong-rules':
      return queryErrorMessage(parsed.rules, parsed.mistake, `${SLASH_COMMAND} follow ${parsed.before}`);
    case 'several':
      return severalFiltersMessage(parsed.name, parsed.filters, 'follow filter');
    case 'no-filter':
      return parsed.asked === ''
        ? inputErrorMessage("Add rules, or a filter's ID or name.", 'follow filter 7')
        : notFollowableMessage(codeText(parsed.asked, 100), followable);
  }
}

async function follow(call: CommandCall): Promise<void> {
  const { services, person } = call;
  const { follows, feed } = services;
  const parsed = parseFollow(call.args, await feed.listStoredFilters());
  const followable = await readFollowable(services, person.user);
  if (parsed.kind !== 'target') return call.answer(describeMistake(parsed, followable ?? []));
  if (!followable) return call.answer(CHANNELS_UNKNOWN);
  const { target, filter } = parsed;
  if (followable.length === 0 || (filter && !followable.some(({ id }) => id === filter.id)))
    return call.answer(notFollowableMessage(filter && filterName(filter), followable));
  const outcome = await follows.follow(person.user, target);
  if (outcome === 'full') return call.answer(TOO_MANY_RULES);
  if (outcome === 'crowded') return call.answer(TOO_MANY_FOLLOWERS);
  const lead = joinLines(
    unknownCountriesText(target.rules),
    outcome === 'added' ? ':bell: Added. You follow:' : 'You follow this already:',
  );
  await call.answer(followListMessage(await readFollowList(services, person.user), lead));
}

export const followCommand: CommandRoute = {
  word: 'follow',
  topic: 'feed',
  needs: 'viewer',
  usage: ['follow', 'follow [filter] <id> [<rules>]', 'follow filter <name> [<rules>]', 'follow <rules>'],
  summary: "Get matching projects yourself. You set rules for what your channels' filters find.",
  details: [
    'It works in a direct message with Gigdesk, and in channels. Only you see the answers.',
    'Rules are written as in `/gig subscribe`. They apply to what the filters of *your* channels find ' +
      "anyway, even if a channel's own rules hide it. Following costs no extra credits.",
    '`/gig follow 7` follows all new projects of filter 7. Rules without a filter apply to all filters ' +
      'of your channels. You get each project once, and nothing from channels that you leave.',
    '`/gig follow` alone lists what you follow, with buttons to unfollow and to mute.',
  ].join('\n'),
  examples: ['follow', 'follow 7', 'follow filter 7 budget:>2000', 'follow react budget:>2000'],
  async run(call) {
    if (call.args !== '') return follow(call);
    await call.answer(followListMessage(await readFollowList(call.services, call.person.user)));
  },
};
