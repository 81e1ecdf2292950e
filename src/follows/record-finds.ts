/** The feed's side of personal follow: stores, with a page, what was found and who is mentioned on a card. */
import type { CardFollowers, PageFollowers } from '../feed/card-followers.ts';
import type { Transaction } from '../storage/store.ts';
import { type FollowContext, followerKey, followMatchKey, listActiveFollowers } from './context.ts';
import { MAX_CARD_FOLLOWERS } from './follows.ts';
import { mergePlaces, type ProjectMatcher } from './match-rules.ts';
import {
  type Follower,
  type FollowMatch,
  type FollowPlace,
  followers,
  followFinds,
  followMatches,
} from './records.ts';
import { scheduleMatch, takesMentions } from './schedule.ts';

type Found = Parameters<PageFollowers['noteFound']>[1];
type CardToMention = Parameters<PageFollowers['claimMentions']>[1];

async function noteFound({ team }: FollowContext, tx: Transaction, found: Found): Promise<void> {
  const { project, filter, channels, at, since } = found;
  const key = [team, project] as const;
  const before = await tx.get(followFinds, key);
  const places = channels.map((channel) => ({ channel, filter }));
  await tx.put(followFinds, key, {
    team,
    project,
    places: mergePlaces(before?.places ?? [], places),
    at: before?.at ?? at,
    since: Math.max(before?.since ?? since, since),
  });
}

/** Decided without asking Slack: people who aren't known to be in the channel get a message later. */
function mayBeMentioned(
  { memberships, timezone }: FollowContext,
  follower: Follower,
  { channel, at }: CardToMention,
  project: ProjectMatcher,
  places: readonly FollowPlace[],
): boolean {
  if (!takesMentions(follower, timezone, at)) return false;
  const known = memberships.findKnown(follower.user);
  if (!known?.isMember || !known.channels.has(channel)) return false;
  return project.findRule(follower, places, at) !== undefined;
}

async function claimMentions(
  context: FollowContext,
  tx: Transaction,
  people: readonly Follower[],
  card: CardToMention,
) {
  const { team, matcher } = context;
  const { channel, filters, seen, mentioned, at } = card;
  const places = filters.map((filter) => ({ channel, filter }));
  const project = matcher.forProject(seen);
  const added: Follower['user'][] = [];
  for (const follower of people) {
    const { user } = follower;
    if (!mayBeMentioned(context, follower, card, project, places)) continue;
    const isMentioned = mentioned.includes(user);
    if (!isMentioned && added.length >= MAX_CARD_FOLLOWERS) continue;
    const key = followMatchKey(team, user, seen.project.key);
    if (await tx.has(followMatches, key)) continue;
    await tx.put<FollowMatch>(followMatches, key, {
      team,
      user,
      project: seen.project.key,
      places,
      at,
      state: 'sent',
      timing: 'now',
      dueAt: at,
    });
    // Also if the channel mentions them: should the card join a summary, they get a message.
    added.push(user);
  }
  return added;
}

export function createCardFollowers(context: FollowContext): CardFollowers {
  const { team, timezone } = context;
  return {
    async openPage(tx) {
      const people = await listActiveFollowers(tx, team);
      if (people.length === 0) return undefined;
      return {
        noteFound: (writing, found) => noteFound(context, writing, found),
        claimMentions: (writing, card) => claimMentions(context, writing, people, card),
      };
    },

    async releaseMentions(tx, { project, users }, at) {
      for (const user of users) {
        const key = followMatchKey(team, user, project);
        const match = await tx.get(followMatches, key);
        const follower = await tx.get(followers, followerKey(team, user));
        if (match?.state !== 'sent') continue;
        if (!follower) await tx.delete(followMatches, key);
        else await tx.put(followMatches, key, { ...match, ...scheduleMatch(follower, timezone, at) });
      }
    },
  };
}
