/** A channel begins to follow a profile. */
import { addAudit } from '../audit/audit.ts';
import type { Clock, Instant } from '../clock.ts';
import type { Directory, Learned } from '../directory/directory.ts';
import { namesInInvitation, namesInProposal } from '../directory/names-in.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Store, Transaction } from '../storage/store.ts';
import { restartFeed } from './channel-stops.ts';
import type { FollowOutcome, FollowRequest } from './profiles.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from './records.ts';
import { nameOf, readSync } from './syncs.ts';
import { tellProfileRecovered } from './tell-trouble.ts';

export interface ProfilesContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: Pick<Marketplace, 'proposals' | 'invitations'>;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly log: Log;
}

/** The smallest page that there is. Source: docs/marketplace-api.md, Limits. */
const LIMIT = 10;
const MOST_KNOWN = 15;

type Checked =
  | { readonly kind: 'there'; readonly names: readonly Learned[]; readonly isEmpty: boolean }
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

/** Asks for the newest page; free of charge. */
async function check(
  { marketplace }: ProfilesContext,
  { kind, profile, organization }: FollowRequest,
): Promise<Checked> {
  const query = { profile, ...(organization === undefined ? {} : { organization }), page: 1, limit: LIMIT };
  try {
    if (kind === 'invitations') {
      const { items, unreadable } = await marketplace.invitations(query, { lane: 'person' });
      return there(items.flatMap(namesInInvitation), items.length + unreadable);
    }
    const { items, unreadable } = await marketplace.proposals(query, { lane: 'person' });
    return there(items.flatMap(namesInProposal), items.length + unreadable);
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) return { kind: 'failed', error: thrown };
    const cause = asError(thrown);
    return {
      kind: 'failed',
      error: new MarketplaceError('network', 'unknown', "Couldn't check the profile", { cause }),
    };
  }
}

function there(names: readonly Learned[], items: number): Checked {
  return { kind: 'there', names, isEmpty: items === 0 };
}

async function audit(tx: Transaction, feed: ProfileFeed): Promise<void> {
  const { team, channel, by, createdAt: at, kind, profile, organization } = feed;
  const profileName = await nameOf(tx, team, 'profile', profile);
  await addAudit(tx, {
    team,
    at,
    by,
    channel,
    act: {
      kind: 'followed',
      feed: kind,
      profile,
      ...(profileName === undefined ? {} : { profileName }),
      ...(organization === undefined ? {} : { organization }),
    },
  });
}

async function begin(
  { team, directory, clock }: ProfilesContext,
  tx: Transaction,
  request: FollowRequest,
  { names, isEmpty }: Extract<Checked, { kind: 'there' }>,
): Promise<FollowOutcome> {
  const at = clock.now();
  await directory.learn(tx, names, at);
  const key = profileFeedKey({ team, ...request });
  const before = await tx.get(profileFeeds, key);
  if (before && !before.stopped) {
    const recovered = await endTrouble(tx, before, at);
    return { kind: 'there', feed: before, ...(recovered ? { recovered } : {}) };
  }
  const feed: ProfileFeed = before
    ? await restartFeed(tx, before, at)
    : { team, ...request, createdAt: at, startsAt: at };
  if (!before) await tx.put(profileFeeds, key, feed);
  await audit(tx, { ...feed, by: request.by, createdAt: at });
  await endTrouble(tx, feed, at);
  return { kind: 'followed', feed, ...(isEmpty ? { nothingYet: true } : {}) };
}

/** The marketplace has just answered for this profile: what its reading failed of is over. @returns whether it had failed */
async function endTrouble(tx: Transaction, feed: ProfileFeed, at: Instant): Promise<boolean> {
  const sync = await readSync(tx, feed);
  if (!sync?.trouble || sync.organization !== feed.organization) return false;
  await tellProfileRecovered(tx, sync, at);
  return true;
}

/** Followed already, and nothing stands in its way. */
function standing(
  { store, team }: ProfilesContext,
  request: FollowRequest,
): Promise<ProfileFeed | undefined> {
  return store.read(async (tx) => {
    const feed = await tx.get(profileFeeds, profileFeedKey({ team, ...request }));
    return feed && !feed.stopped && !(await readSync(tx, feed))?.trouble ? feed : undefined;
  });
}

export async function follow(context: ProfilesContext, request: FollowRequest): Promise<FollowOutcome> {
  const { store, directory, log } = context;
  const before = await standing(context, request);
  if (before) return { kind: 'there', feed: before };
  const checked = await check(context, request);
  if (checked.kind === 'there') return store.transact((tx) => begin(context, tx, request, checked));
  const { error } = checked;
  log.info("Couldn't follow a profile", { profile: request.profile, error });
  if (error.code !== 'not-found') return { kind: 'failed', error };
  // Ours may be older than the marketplace's: what it just denied is nothing to propose.
  const known = await directory.list('profile', MOST_KNOWN + 1);
  const others = known.filter(({ id }) => id !== request.profile).slice(0, MOST_KNOWN);
  return { kind: 'no-such-profile', known: others };
}
