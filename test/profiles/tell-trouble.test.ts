import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { directoryEntries } from '../../src/directory/directory.ts';
import { channelSettings, channelSettingsKey, defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId, OrganizationId, ProfileId, TeamId, UserId } from '../../src/ids.ts';
import type { MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { posts } from '../../src/outbox/posts.ts';
import { notifyProfileFailure, recordWorkingSync } from '../../src/profiles/notify-failure.ts';
import {
  type ProfileFeed,
  type ProfileSync,
  profileFeedKey,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../../src/profiles/records.ts';
import { escalateFailure } from '../../src/sources/failure-rules.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';

const team = TeamId.parse('T1');
const ann = UserId.parse('U1');

class TroubledWorld {
  readonly clock = new ManualClock();
  readonly store = createMemoryStore();

  async follow(
    channel: string,
    change: { profile?: number; organization?: number; kind?: ProfileFeed['kind'] } = {},
  ) {
    const { profile = 301, organization, kind = 'invitations' } = change;
    const feed: ProfileFeed = {
      team,
      channel: ChannelId.parse(channel),
      kind,
      profile: ProfileId.parse(profile),
      ...(organization ? { organization: OrganizationId.parse(organization) } : {}),
      by: ann,
      createdAt: this.clock.now(),
      startsAt: this.clock.now(),
    };
    await this.store.transact((tx) => tx.put(profileFeeds, profileFeedKey(feed), feed));
    return feed;
  }

  async unfollow(feed: ProfileFeed) {
    await this.store.transact((tx) => tx.delete(profileFeeds, profileFeedKey(feed)));
  }

  /** As a profile reader does it. */
  #change(
    of: ProfileSync['of'],
    profile: number,
    organization: number | undefined,
    change: 'well' | MarketplaceErrorCode,
  ): Promise<ProfileSync> {
    const at = this.clock.now();
    return this.store.transact(async (tx) => {
      const blank: ProfileSync = {
        team,
        of,
        profile: ProfileId.parse(profile),
        ...(organization ? { organization: OrganizationId.parse(organization) } : {}),
      };
      const sync = (await tx.get(profileSyncs, profileSyncKey(blank))) ?? blank;
      if (change === 'well') return recordWorkingSync(tx, { ...sync, readAt: at }, at);
      return notifyProfileFailure(tx, { ...sync, trouble: escalateFailure(sync.trouble, change, at) }, at);
    });
  }

  fail(
    code: MarketplaceErrorCode,
    profile = 301,
    organization?: number,
    of: ProfileSync['of'] = 'invitations',
  ) {
    return this.#change(of, profile, organization, code);
  }

  succeed(profile = 301, organization?: number) {
    return this.#change('invitations', profile, organization, 'well');
  }

  /** Fails every minute. */
  async failFor(ms: number, code: MarketplaceErrorCode, profile = 301) {
    for (let passed = 0; passed <= ms; passed += MINUTE) {
      await this.fail(code, profile);
      this.clock.moveBy(MINUTE);
    }
  }

  /** `C1 profile-failing 301 server`, in the order of the decisions. */
  notices(): Promise<string[]> {
    return this.store.read(async (tx) => {
      const found: { order: number; text: string }[] = [];
      for await (const { value } of scanCollection(tx, posts, { prefix: [team] })) {
        const notice = value.content.kind === 'notice' ? value.content.notice : undefined;
        if (notice?.about !== 'profile-failing' && notice?.about !== 'profile-recovered') continue;
        const code = notice.about === 'profile-failing' ? [notice.code] : [];
        const text = [value.channel, notice.about, notice.profile.id, ...code].join(' ');
        found.push({ order: value.order, text });
      }
      return found.sort((a, b) => a.order - b.order).map(({ text }) => text);
    });
  }
}

let world: TroubledWorld;
beforeEach(() => {
  world = new TroubledWorld();
});

describe('a profile that can’t be read', () => {
  it('is told once in each channel that follows it, and once that it is over', async () => {
    await world.follow('C1');
    await world.follow('C2');
    await world.follow('C3', { profile: 302 });
    await world.follow('C4', { kind: 'outcomes' });
    await world.failFor(HOUR, 'not-found');
    expect(await world.notices()).toEqual([
      'C1 profile-failing 301 not-found',
      'C2 profile-failing 301 not-found',
    ]);
    const { trouble, readAt } = await world.succeed();
    expect([trouble, readAt]).toEqual([undefined, world.clock.now()]);
    await world.succeed();
    expect((await world.notices()).slice(2)).toEqual([
      'C1 profile-recovered 301',
      'C2 profile-recovered 301',
    ]);
  });

  it('is told again when it happens again', async () => {
    await world.follow('C1');
    for (let time = 0; time < 2; time++) {
      await world.failFor(MINUTE, 'forbidden');
      await world.succeed();
      world.clock.moveBy(MINUTE);
    }
    expect(await world.notices()).toHaveLength(4);
  });

  it('for a short while is told nobody; when that lasts it is', async () => {
    await world.follow('C1');
    await world.failFor(3 * MINUTE, 'server');
    await world.succeed();
    world.clock.moveBy(MINUTE);
    expect(await world.notices()).toEqual([]);
    await world.failFor(5 * MINUTE, 'timeout');
    expect(await world.notices()).toEqual(['C1 profile-failing 301 timeout']);
  });

  it('of another reason than before is told anew', async () => {
    await world.follow('C1');
    await world.failFor(5 * MINUTE, 'server');
    await world.fail('not-found');
    expect(await world.notices()).toEqual([
      'C1 profile-failing 301 server',
      'C1 profile-failing 301 not-found',
    ]);
  });

  it('notifies a later follower at its next failure, and nobody who has unfollowed it', async () => {
    const first = await world.follow('C1');
    await world.failFor(MINUTE, 'not-found');
    await world.follow('C2');
    await world.unfollow(first);
    await world.failFor(MINUTE, 'not-found');
    await world.succeed();
    expect(await world.notices()).toEqual([
      'C1 profile-failing 301 not-found',
      'C2 profile-failing 301 not-found',
      'C2 profile-recovered 301',
    ]);
  });

  it('is told a paused channel after its pause', async () => {
    const { channel } = await world.follow('C1');
    const key = channelSettingsKey(team, channel);
    const paused = { by: ann, at: world.clock.now(), until: world.clock.now() + HOUR };
    await world.store.transact((tx) =>
      tx.put(channelSettings, key, { ...defaultChannelSettings(team, channel), paused }),
    );
    await world.failFor(HOUR - MINUTE, 'not-found');
    expect(await world.notices()).toEqual([]);
    await world.failFor(MINUTE, 'not-found');
    expect(await world.notices()).toHaveLength(1);
  });

  it('is named where that is known', async () => {
    await world.follow('C1', { organization: 401 });
    await world.store.transact(async (tx) => {
      for (const [kind, id, name] of [
        ['profile', 301, 'Ana'],
        ['organization', 401, 'Web team'],
      ] as const)
        await tx.put(directoryEntries, [team, kind, id], { team, kind, id, name, seenAt: 0 });
    });
    await world.fail('not-found', 301, 401);
    const [post] = await world.store.read((tx) => tx.list(posts, { prefix: [team], limit: 9 }));
    expect(post?.value.content).toMatchObject({
      notice: {
        feed: 'invitations',
        profile: { id: 301, name: 'Ana' },
        organization: { id: 401, name: 'Web team' },
      },
    });
  });
});

describe('an organization of a profile', () => {
  it('that is read by itself is told for itself', async () => {
    await world.follow('C1');
    await world.follow('C2', { organization: 401 });
    await world.fail('not-found', 301, 401);
    expect(await world.notices()).toEqual(['C2 profile-failing 301 not-found']);
    world.clock.moveBy(MINUTE);
    await world.fail('not-found', 301);
    expect(await world.notices()).toEqual([
      'C2 profile-failing 301 not-found',
      'C1 profile-failing 301 not-found',
    ]);
  });

  it('that is read with the whole profile is told with it', async () => {
    await world.follow('C2', { organization: 401 });
    await world.fail('not-found', 301, 402);
    expect(await world.notices()).toEqual([]);
    await world.fail('not-found', 301);
    expect(await world.notices()).toEqual(['C2 profile-failing 301 not-found']);
  });
});

describe('trouble that has all profiles at once', () => {
  it('is told a channel by one of them, and so is its end', async () => {
    for (const profile of [301, 302, 303]) await world.follow('C1', { profile });
    await world.follow('C2', { profile: 302 });
    for (let round = 0; round < 3; round++)
      for (const profile of [301, 302, 303]) await world.failFor(0, 'unauthorised', profile);
    expect(await world.notices()).toEqual([
      'C1 profile-failing 301 unauthorised',
      'C2 profile-failing 302 unauthorised',
    ]);
    for (const profile of [301, 302, 303]) await world.succeed(profile);
    expect((await world.notices()).slice(2)).toEqual([
      'C1 profile-recovered 301',
      'C2 profile-recovered 302',
    ]);
  });

  it('is told by another when that one is no longer followed', async () => {
    const first = await world.follow('C1', { profile: 301 });
    await world.follow('C1', { profile: 302 });
    await world.fail('unauthorised', 301);
    await world.unfollow(first);
    world.clock.moveBy(MINUTE);
    await world.fail('unauthorised', 302);
    expect(await world.notices()).toEqual([
      'C1 profile-failing 301 unauthorised',
      'C1 profile-failing 302 unauthorised',
    ]);
  });

  it('does not hide that another profile is gone', async () => {
    for (const profile of [301, 302]) await world.follow('C1', { profile });
    await world.fail('unauthorised', 301);
    world.clock.moveBy(MINUTE);
    await world.fail('not-found', 302);
    expect(await world.notices()).toHaveLength(2);
  });
});
