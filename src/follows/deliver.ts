/**
 * Compares what was found with everyone's rules, and enqueues what is due. A match is stored once for a
 * person and a project, and its post in the transaction that marks it as sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { readCard, readSeenProject } from '../feed/find-project.ts';
import type { UserId } from '../ids.ts';
import { cardPostId, enqueuePost, readPost } from '../outbox/outbox.ts';
import { isPostPending, PostId } from '../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { mergePlaces, type ProjectMatcher } from './match-rules.ts';
import type { FollowContext, Membership } from './memberships.ts';
import {
  deleteDueMatches,
  type Follower,
  type FollowFind,
  type FollowMatch,
  type FollowPlace,
  type FollowRule,
  followedPostId,
  followers,
  followFinds,
  followMatches,
  isFollowerMuted,
  listActiveFollowers,
} from './records.ts';

/** Matches of a person per message. */
const BATCH = 200;
/** A list with more is cut off. */
const MAX_LISTED = 20;
/** Up to this many found at once come as messages of their own. */
const MOST_SINGLE = 5;
/** A match that waits for its card, or for Slack's answer, isn't due later than this from now. */
const SOON_MS = 2 * MINUTE;

type FollowRelease =
  | { readonly kind: 'send'; readonly place: FollowPlace; readonly rule: FollowRule }
  /** Nothing comes, not even later. */
  | { readonly kind: 'drop' }
  /** As if it had never matched. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'later'; readonly dueAt: Instant };

interface DueMatch {
  readonly match: FollowMatch;
  readonly follower: Follower;
  /** undefined: Slack doesn't say now. */
  readonly membership: Membership | undefined;
  /** undefined: the project was deleted. */
  readonly project: ProjectMatcher | undefined;
  /** In the person's channels; the first is shown. */
  readonly places: readonly FollowPlace[];
  /** The card there is about to be posted. */
  readonly isCardPending: boolean;
}

/** The card goes first, so that the message can link to it. */
const CARD_FIRST_MS = 4 * SECOND;
/** While Slack doesn't say whether the person is in the channel. */
const ASK_AGAIN_MS = MINUTE;
const ASKED_FOR_MS = DAY;
/** A channel that Slack refuses, or a paused delivery, holds the message back no longer than this. */
const WAITS_FOR_CARD_MS = MINUTE;

/** Decides if a person gets a project that is due. Rights count as they are now. */
export function decideRelease(due: DueMatch, at: Instant): FollowRelease {
  const { match, follower, membership, project } = due;
  if (isFollowerMuted(follower, at)) return { kind: 'drop' };
  if (!membership)
    return at - match.at > ASKED_FOR_MS ? { kind: 'forget' } : { kind: 'later', dueAt: at + ASK_AGAIN_MS };
  const [place] = due.places;
  if (!project || !membership.isMember || !place) return { kind: 'forget' };
  const rule = project.findRule(follower, due.places);
  if (!rule) return { kind: 'forget' };
  if (due.isCardPending && at - match.at < WAITS_FOR_CARD_MS)
    return { kind: 'later', dueAt: at + CARD_FIRST_MS };
  return { kind: 'send', place, rule };
}

/** A person's new match; one that waits already gets the new places, too. */
async function storeMatch(
  { clock }: FollowContext,
  tx: Transaction,
  { user, muted }: Follower,
  { project, places }: FollowFind,
): Promise<void> {
  const key = [user, project];
  const before = await tx.get(followMatches, key);
  if (before?.dueAt !== undefined)
    return tx.put(followMatches, { ...before, places: mergePlaces(before.places, places) });
  if (before) return;
  const at = clock.now();
  const dueAt = isFollowerMuted({ muted }, at) ? undefined : at + CARD_FIRST_MS;
  await tx.put(followMatches, { user, project, places, at, dueAt });
}

/** Turns the oldest find into matches. @returns whether there was one */
export async function expandNextFind(context: FollowContext): Promise<boolean> {
  const { store, matcher } = context;
  const next = await store.read(async (tx) => {
    const [entry] = await tx.list(followFinds, { index: 'byAge', limit: 1 });
    if (!entry) return undefined;
    const seen = await readSeenProject(tx, entry.value.project);
    return { entry, seen, people: seen ? await listActiveFollowers(tx) : [] };
  });
  if (!next) return false;
  const { entry, seen, people } = next;
  const { value: find } = entry;
  const project = seen && matcher.forProject(seen);
  const interested: Follower[] = [];
  // Ten rules of each person take some milliseconds: other work runs in between.
  for (const [at, follower] of people.entries()) {
    if (at > 0) await nextTurn();
    if (project?.findRule(follower, find.places, find.since)) interested.push(follower);
  }
  return store.transact(async (tx) => {
    // Found once more in the meantime: the next round compares it with everyone again.
    if (!isDeepEqual(await tx.get(followFinds, entry.key), find)) return true;
    await tx.delete(followFinds, entry.key);
    for (const { user } of interested) {
      const follower = await tx.get(followers, [user]);
      if (follower) await storeMatch(context, tx, follower, find);
    }
    return true;
  });
}

/** Whether it is due. A clock that was set back makes it look like later. */
function isDue({ dueAt = 0 }: FollowMatch, at: Instant): boolean {
  return dueAt <= at || dueAt > at + SOON_MS;
}

/** The people with something due; more in the next round. */
export async function listDuePeople({ store }: FollowContext, at: Instant): Promise<ReadonlySet<UserId>> {
  const matches = await store.read((tx) => tx.list(followMatches, { index: 'byDue', limit: BATCH }));
  return new Set(matches.flatMap(({ value }) => (isDue(value, at) ? [value.user] : [])));
}

/** The channels with a card of it go first. */
async function rankPlaces(tx: ReadTransaction, { project }: FollowMatch, own: readonly FollowPlace[]) {
  for (const place of own) {
    const card = await readCard(tx, place.channel, project);
    if (card?.state !== 'posted') continue;
    const post = await readPost(tx, cardPostId(place.channel, project));
    const isCardPending = post?.state !== 'held' && isPostPending(post);
    return { places: [place, ...own.filter((each) => each !== place)], isCardPending };
  }
  return { places: own, isCardPending: false };
}

type Sent = Extract<FollowRelease, { readonly kind: 'send' }> & { readonly match: FollowMatch };

async function enqueueSingle(tx: Transaction, { match, place, rule }: Sent, at: Instant): Promise<void> {
  const { user, project } = match;
  const { filter, rules } = rule;
  const { channel } = place;
  const content = { kind: 'followed-project', channel, project, rule: { filter, rules } } as const;
  const id = followedPostId(user, project);
  await enqueuePost(tx, { id, channel: user, content, order: at, at });
}

async function enqueueSent(tx: Transaction, sent: readonly Sent[], at: Instant): Promise<void> {
  const [first] = sent;
  if (!first) return;
  const { user, project } = first.match;
  if (sent.length <= MOST_SINGLE) {
    for (const each of sent) await enqueueSingle(tx, each, at);
    return;
  }
  const items = sent
    .slice(0, MAX_LISTED)
    .map(({ match, place }) => ({ channel: place.channel, project: match.project }));
  const content = { kind: 'followed-list', items, more: sent.length - items.length } as const;
  const id = PostId.parse(`followed-list:${user}:${project}:${at}`);
  await enqueuePost(tx, { id, channel: user, content, order: at, at });
}

async function updateFollower(tx: Transaction, follower: Follower, { isMember }: Membership, at: Instant) {
  if ((follower.goneSince === undefined) === isMember && at - follower.checkedAt < DAY) return;
  const goneSince = isMember ? undefined : (follower.goneSince ?? at);
  await tx.put(followers, { ...follower, goneSince, checkedAt: at });
}

async function releaseMatch(
  { matcher }: FollowContext,
  tx: Transaction,
  match: FollowMatch,
  { follower, membership }: Pick<DueMatch, 'follower' | 'membership'>,
  at: Instant,
): Promise<Sent[]> {
  const seen = await readSeenProject(tx, match.project);
  const own = match.places.filter(({ channel }) => membership?.channels.has(channel));
  const ranked = await rankPlaces(tx, match, own);
  const project = seen && matcher.forProject(seen);
  const release = decideRelease({ match, follower, membership, project, ...ranked }, at);
  const key = [match.user, match.project];
  const dueAt = release.kind === 'later' ? release.dueAt : undefined;
  if (release.kind === 'forget') await tx.delete(followMatches, key);
  else await tx.put(followMatches, { ...match, dueAt });
  return release.kind === 'send' ? [{ ...release, match }] : [];
}

/** Decides and enqueues what is due for a person. */
export async function releaseDueMatches(context: FollowContext, user: UserId): Promise<void> {
  const { store, clock, memberships } = context;
  const membership = await memberships.read(user);
  await store.transact(async (tx) => {
    const at = clock.now();
    const follower = await tx.get(followers, [user]);
    if (!follower) return deleteDueMatches(tx, user);
    if (membership) await updateFollower(tx, follower, membership, at);
    const entries = await tx.list(followMatches, { index: 'byUser', prefix: [user], limit: BATCH });
    const sent: Sent[] = [];
    for (const { value } of entries)
      if (isDue(value, at))
        sent.push(...(await releaseMatch(context, tx, value, { follower, membership }, at)));
    await enqueueSent(tx, sent, at);
  });
}

/** A person who left the workspace keeps their rules this long, in case they come back. */
const GONE_KEPT_MS = 30 * DAY;

/** Asks Slack about the person who was checked longest ago, at most once a day for each. */
export async function checkOldestFollower({ store, clock, memberships }: FollowContext): Promise<void> {
  const range = { index: 'byChecked', to: [clock.now() - DAY], limit: 1 };
  const [entry] = await store.read((tx) => tx.list(followers, range));
  const membership = entry && (await memberships.read(entry.value.user));
  if (!entry || !membership) return;
  await store.transact(async (tx) => {
    const at = clock.now();
    const follower = await tx.get(followers, entry.key);
    if (!follower) return;
    if (!membership.isMember && follower.goneSince !== undefined && follower.goneSince < at - GONE_KEPT_MS) {
      await tx.delete(followers, entry.key);
      return deleteDueMatches(tx, follower.user);
    }
    await updateFollower(tx, follower, membership, at);
  });
}
