/** Following profiles in channels. */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import {
  type DirectoryEntry,
  type LearnedEntityName,
  type NameDirectory,
  namesInInvitation,
  namesInProposal,
} from '../directory/directory.ts';
import { asError } from '../errors.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { markWelcomesChanged } from '../outbox/outbox.ts';
import { getFailureRule } from '../sources/failure-rules.ts';
import { type Key, type Store, scanCollection, type Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { recordWorkingSync } from './notify-failure.ts';
import {
  nameProfileFeed,
  type ProfileFeedStatus,
  readDirectoryName,
  readProfileSync,
  restartProfileFeed,
} from './profile-feeds.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from './records.ts';

export type { ProfileFeedStatus } from './profile-feeds.ts';
export { ProfileFeedKind } from './records.ts';

export type FollowProfileRequest = Pick<ProfileFeed, 'channel' | 'kind' | 'profile' | 'organization' | 'by'>;

type FollowProfileOutcome =
  /**
   * `nothingYet`: the marketplace lists no proposal or invitation, which also happens for a wrong
   * organization.
   */
  | { readonly kind: 'followed'; readonly feed: ProfileFeed; readonly nothingYet?: true }
  /** `recovered`: it couldn't be read before, and now it can. */
  | { readonly kind: 'there'; readonly feed: ProfileFeed; readonly recovered?: true }
  /** This token has no such profile in the marketplace; `known` lists other profiles with known names. */
  | { readonly kind: 'no-such-profile'; readonly known: readonly DirectoryEntry[] }
  /** The check failed; nothing was stored. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

interface ProfileFeedContext extends Pick<Workspace, 'store' | 'clock' | 'log'> {
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposals' | 'fetchInvitations'>;
  readonly directory: NameDirectory;
}

/** The smallest page. Source: docs/marketplace-api.md, Limits. */
const LIMIT = 10;
const MOST_KNOWN = 15;

type Checked =
  /** `isUnsure`: it couldn't be read now. */
  | {
      readonly kind: 'there';
      readonly names: readonly LearnedEntityName[];
      readonly isEmpty: boolean;
      readonly isUnsure?: boolean;
    }
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

/** Requests the newest page; free. */
async function checkProfile(
  { marketplace }: ProfileFeedContext,
  { kind, profile, organization }: FollowProfileRequest,
): Promise<Checked> {
  const query = { profile, organization, page: 1, limit: LIMIT };
  try {
    if (kind === 'invitations') {
      const { items, unreadable } = await marketplace.fetchInvitations(query, { lane: 'person' });
      return there(items.flatMap(namesInInvitation), items.length + unreadable);
    }
    const { items, unreadable } = await marketplace.fetchProposals(query, { lane: 'person' });
    return there(items.flatMap(namesInProposal), items.length + unreadable);
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) return { kind: 'failed', error: thrown };
    const cause = asError(thrown);
    const error = new MarketplaceError('network', 'unknown', "Couldn't check the profile", { cause });
    return { kind: 'failed', error };
  }
}

function there(names: readonly LearnedEntityName[], items: number): Checked {
  return { kind: 'there', names, isEmpty: items === 0 };
}

async function recordFeedAudit(
  tx: Transaction,
  act: 'followed' | 'unfollowed',
  { channel, kind: feed, profile, organization }: ProfileFeed,
  by: UserId,
  at: Instant,
): Promise<void> {
  const profileName = await readDirectoryName(tx, 'profile', profile);
  const what = { kind: act, feed, profile, profileName, organization };
  await recordAuditEntry(tx, { at, by, channel, act: what });
}

async function startProfileFeed(
  { directory, clock }: ProfileFeedContext,
  tx: Transaction,
  request: FollowProfileRequest,
  { names, isEmpty, isUnsure }: Extract<Checked, { kind: 'there' }>,
): Promise<FollowProfileOutcome> {
  const at = clock.now();
  await directory.recordNames(tx, names, at);
  const key = profileFeedKey(request);
  const before = await tx.get(profileFeeds, key);
  if (before && !before.stopped) {
    const recovered = !isUnsure && (await resolveProfileFailure(tx, before, at));
    return { kind: 'there', feed: before, recovered: recovered || undefined };
  }
  const feed: ProfileFeed = before
    ? await restartProfileFeed(tx, before, at)
    : { ...request, createdAt: at, startsAt: at };
  if (!before) {
    await tx.put(profileFeeds, feed);
    await markWelcomesChanged(tx, feed.channel);
  }
  await recordFeedAudit(tx, 'followed', feed, request.by, at);
  if (!isUnsure) await resolveProfileFailure(tx, feed, at);
  return { kind: 'followed', feed, nothingYet: isEmpty ? true : undefined };
}

/** Ends the profile's sync failure: the marketplace has just answered. @returns whether there was one */
async function resolveProfileFailure(tx: Transaction, feed: ProfileFeed, at: Instant): Promise<boolean> {
  const sync = await readProfileSync(tx, feed);
  if (!sync?.trouble || sync.organization !== feed.organization) return false;
  await recordWorkingSync(tx, sync, at);
  return true;
}

function findHealthyFeed({ store }: ProfileFeedContext, request: FollowProfileRequest) {
  return store.read(async (tx) => {
    const feed = await tx.get(profileFeeds, profileFeedKey(request));
    return feed && !feed.stopped && !(await readProfileSync(tx, feed))?.trouble ? feed : undefined;
  });
}

async function checkAndFollowProfile(
  context: ProfileFeedContext,
  request: FollowProfileRequest,
): Promise<FollowProfileOutcome> {
  const { store, directory, log } = context;
  const before = await findHealthyFeed(context, request);
  if (before) return { kind: 'there', feed: before };
  const checked = await checkProfile(context, request);
  if (checked.kind === 'there')
    return store.transact((tx) => startProfileFeed(context, tx, request, checked));
  const { error } = checked;
  log.info("Couldn't follow a profile", { profile: request.profile, error });
  if (getFailureRule(error.code).transient) {
    // The feed's first read shows whether the profile exists.
    const unsure = { kind: 'there', names: [], isEmpty: false, isUnsure: true } as const;
    return store.transact((tx) => startProfileFeed(context, tx, request, unsure));
  }
  if (error.code !== 'not-found') return { kind: 'failed', error };
  // The directory may be older than the marketplace: don't suggest what it has just denied.
  const known = await directory.listEntries('profile', MOST_KNOWN + 1);
  const others = known.filter(({ id }) => id !== request.profile).slice(0, MOST_KNOWN);
  return { kind: 'no-such-profile', known: others };
}

function listProfileFeedStatuses(store: Store, prefix: Key): Promise<readonly ProfileFeedStatus[]> {
  return store.read(async (tx) => {
    const views: ProfileFeedStatus[] = [];
    for await (const { value: feed } of scanCollection(tx, profileFeeds, { prefix })) {
      const sync = await readProfileSync(tx, feed);
      const named = await nameProfileFeed(tx, feed);
      views.push({ ...named, sync, lastGoodAt: sync?.readAt });
    }
    return views;
  });
}

export type ProfileFeedService = ReturnType<typeof createProfileFeedService>;

export function createProfileFeedService(context: ProfileFeedContext) {
  const { store, clock } = context;
  const listeners: (() => void)[] = [];
  const tellChange = () => {
    for (const listener of listeners) listener();
  };

  return {
    /**
     * Requests one page to check that the profile exists, learns the names on it, and stores the feed with
     * its audit entry. A feed that exists is `there` and causes no request, unless it has stopped or is
     * failing. Then it is retried now, whatever its pause.
     */
    async followInChannel(request: FollowProfileRequest): Promise<FollowProfileOutcome> {
      const outcome = await checkAndFollowProfile(context, request);
      if (outcome.kind === 'followed' || (outcome.kind === 'there' && outcome.recovered)) tellChange();
      return outcome;
    },

    /** @returns the removed feed; undefined when there was none. Posted messages stay as they are. */
    async unfollowInChannel(
      asked: Pick<ProfileFeed, 'channel' | 'kind' | 'profile' | 'organization'>,
      by: UserId,
    ): Promise<ProfileFeed | undefined> {
      const key = profileFeedKey(asked);
      const ended = await store.transact(async (tx) => {
        const feed = await tx.get(profileFeeds, key);
        if (!feed) return undefined;
        await tx.delete(profileFeeds, key);
        await markWelcomesChanged(tx, feed.channel);
        await recordFeedAudit(tx, 'unfollowed', feed, by, clock.now());
        return feed;
      });
      if (ended) tellChange();
      return ended;
    },

    listChannelProfileFeeds: (channel: ChannelId) => listProfileFeedStatuses(store, [channel]),
    listAllProfileFeeds: () => listProfileFeedStatuses(store, []),
    /** Called after each change of feeds, so that new ones are read at once. The listener must not throw. */
    onChange: (listener: () => void) => void listeners.push(listener),
  };
}
