import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import { ChannelId, OrganizationId, ProfileId, TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { ProfileRecordsQuery } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Invitation } from '../../src/marketplace/schema.ts';
import type { FollowProfileRequest } from '../../src/profiles/profiles.ts';
import { createProfileFeedService } from '../../src/profiles/profiles.ts';
import { profileSyncKey, profileSyncs } from '../../src/profiles/records.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { auditOf } from '../audit/entries.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';

const team = TeamId.parse('T1');
const c1 = ChannelId.parse('C1');
const ann = UserId.parse('U1');
const p301 = ProfileId.parse(301);
const o401 = OrganizationId.parse(401);

const INVITATION: Invitation = {
  uid: '1',
  title: 'A shop',
  letter: '',
  profile: { id: p301, label: 'Ana', type: 'agency' },
  organization: { id: o401, label: 'Web team' },
};

function open() {
  const clock = new ManualClock();
  const store = createMemoryStore();
  const state = { fails: undefined as Error | undefined, items: [INVITATION] };
  const page = async (_query: ProfileRecordsQuery) => {
    if (state.fails) throw state.fails;
    return { items: state.items, unreadable: 0, paging: {} };
  };
  const { marketplace, calls } = fakeMarketplace({
    fetchInvitations: page,
    fetchProposals: async (query) => ({ ...(await page(query)), items: [] }),
  });
  const parts = { team, store, marketplace, clock, log: silentLog };
  const directory = createNameDirectory({ ...parts, setups: createSetupService(parts) });
  const profiles = createProfileFeedService({ ...parts, directory });
  const changes: number[] = [];
  profiles.onChange(() => changes.push(clock.now()));
  const follow = (change: Partial<FollowProfileRequest> = {}) =>
    profiles.followInChannel({ channel: c1, kind: 'invitations', profile: p301, by: ann, ...change });
  return { clock, store, state, calls, directory, profiles, changes, follow };
}

async function auditedActs(store: Store, of: TeamId) {
  return (await auditOf(store, of)).map(({ act }) => act);
}

let world: ReturnType<typeof open>;
beforeEach(() => {
  world = open();
});

describe('following a profile', () => {
  it('asks for its newest page, learns the names on it, and is on record with who did it', async () => {
    const { follow, calls, profiles, clock, changes, store } = world;
    const feed = { team, channel: c1, kind: 'invitations', profile: 301, by: ann };
    expect(await follow()).toEqual({
      kind: 'followed',
      feed: { ...feed, createdAt: clock.now(), startsAt: clock.now() },
    });
    expect(calls).toEqual([
      { name: 'fetchInvitations', parameters: [{ profile: 301, page: 1, limit: 10 }, { lane: 'person' }] },
    ]);
    expect(await profiles.listChannelProfileFeeds(c1)).toMatchObject([{ feed, profileName: 'Ana' }]);
    expect(await world.directory.findEntry('organization', 'web team')).toMatchObject({ id: 401 });
    expect(await auditedActs(store, team)).toEqual([
      { kind: 'followed', feed: 'invitations', profile: 301, profileName: 'Ana' },
    ]);
    expect(changes).toHaveLength(1);
  });

  it('asks for proposals where outcomes are wanted, and says when there is nothing yet', async () => {
    const { follow, calls } = world;
    expect(await follow({ kind: 'outcomes' })).toMatchObject({ kind: 'followed', nothingYet: true });
    expect(calls.map(({ name }) => name)).toEqual(['fetchProposals']);
  });

  it('can be narrowed to an organization, which is another subscription', async () => {
    const { follow, calls, profiles } = world;
    await follow();
    expect(await follow({ organization: o401 })).toMatchObject({ kind: 'followed' });
    expect(calls.at(-1)?.parameters[0]).toMatchObject({ profile: 301, organization: 401 });
    expect(
      (await profiles.listChannelProfileFeeds(c1)).map(({ organizationName }) => organizationName),
    ).toEqual([undefined, 'Web team']);
  });

  it('again is there already: nothing is asked, changed or audited', async () => {
    const { follow, calls, store, clock, changes } = world;
    const first = await follow();
    clock.moveBy(MINUTE);
    expect(await follow({ by: UserId.parse('U2') })).toEqual({ ...first, kind: 'there' });
    expect(calls).toHaveLength(1);
    expect(changes).toHaveLength(1);
    expect(await auditedActs(store, team)).toHaveLength(1);
  });

  it('by two at once is one subscription', async () => {
    const { follow, store } = world;
    const kinds = (await Promise.all([follow(), follow({ by: UserId.parse('U2') })])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['followed', 'there']);
    expect(await auditedActs(store, team)).toHaveLength(1);
  });

  it('that the marketplace does not know stores nothing, and names those that we know', async () => {
    const { follow, state, profiles, store } = world;
    await follow();
    state.fails = new MarketplaceError('not-found', 'none', 'no such profile');
    expect(await follow({ profile: ProfileId.parse(999) })).toMatchObject({
      kind: 'no-such-profile',
      known: [{ id: 301, name: 'Ana' }],
    });
    expect(await follow({ kind: 'outcomes' })).toEqual({ kind: 'no-such-profile', known: [] });
    expect(await profiles.listAllProfileFeeds()).toHaveLength(1);
    expect(await auditedActs(store, team)).toHaveLength(1);
  });

  it.each([
    new MarketplaceError('unauthorised', 'none', 'no'),
    new MarketplaceError('forbidden', 'none', 'no'),
  ])('that the marketplace refuses stores nothing: %s', async (error) => {
    const { follow, state, profiles, changes } = world;
    state.fails = error;
    const outcome = await follow();
    expect(outcome).toEqual({ kind: 'failed', error });
    expect(await profiles.listAllProfileFeeds()).toEqual([]);
    expect(changes).toEqual([]);
  });

  it('ends the trouble that its reading had: the marketplace has just answered', async () => {
    const { follow, store, profiles, clock } = world;
    const sync = { team, of: 'invitations', profile: p301 } as const;
    const trouble = { code: 'not-found', since: 1, failures: 3, retryAt: clock.now() + MINUTE };
    await store.transact((tx) => tx.put(profileSyncs, profileSyncKey(sync), { ...sync, trouble }));
    await follow();
    expect((await profiles.listChannelProfileFeeds(c1))[0]?.sync).toEqual(sync);
  });

  it('shows how its reading stands: its organization’s own, else the whole profile’s', async () => {
    const { follow, store, profiles } = world;
    await follow({ organization: o401 });
    const put = (organization?: OrganizationId) =>
      store.transact(async (tx) => {
        const whole = { team, of: 'invitations', profile: p301, readAt: organization ? 2 : 1 } as const;
        const sync = organization ? { ...whole, organization } : whole;
        await tx.put(profileSyncs, profileSyncKey(sync), sync);
      });
    await put();
    expect((await profiles.listChannelProfileFeeds(c1))[0]?.lastGoodAt).toBe(1);
    await put(o401);
    expect((await profiles.listChannelProfileFeeds(c1))[0]?.lastGoodAt).toBe(2);
  });
});

describe('ending it', () => {
  it('ends exactly that feed, with who did it', async () => {
    const { follow, profiles, store, changes } = world;
    await follow();
    await follow({ organization: o401 });
    await follow({ kind: 'outcomes' });
    const asked = { channel: c1, kind: 'invitations', profile: p301, organization: o401 } as const;
    expect(await profiles.unfollowInChannel(asked, ann)).toMatchObject({ organization: 401 });
    expect(await profiles.unfollowInChannel(asked, ann)).toBeUndefined();
    expect(
      (await profiles.listChannelProfileFeeds(c1)).map(({ feed }) => [feed.kind, feed.organization]),
    ).toEqual([
      ['invitations', undefined],
      ['outcomes', undefined],
    ]);
    expect((await auditedActs(store, team)).at(-1)).toEqual({
      kind: 'unfollowed',
      feed: 'invitations',
      profile: 301,
      profileName: 'Ana',
      organization: 401,
    });
    expect(changes).toHaveLength(4);
  });

  it('of one channel leaves the others', async () => {
    const { follow, profiles } = world;
    await follow();
    await follow({ channel: ChannelId.parse('C2') });
    await profiles.unfollowInChannel({ channel: c1, kind: 'invitations', profile: p301 }, ann);
    const left = await profiles.listAllProfileFeeds();
    expect(left.map(({ feed }) => feed.channel)).toEqual(['C2']);
    expect(await profiles.listChannelProfileFeeds(c1)).toEqual([]);
  });
});
