/**
 * Invitations on an in-memory store with a simulated server and a manual clock; the reader can be killed and
 * restarted.
 */
import { type Instant, MINUTE } from '../../src/clock.ts';
import type { NameDirectory } from '../../src/directory/directory.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import { channelSettings, channelSettingsKey, defaultChannelSettings } from '../../src/feed/records.ts';
import {
  ChannelId,
  InvitationUid,
  MessageTs,
  OrganizationId,
  ProfileId,
  TeamId,
  UserId,
} from '../../src/ids.ts';
import { InvitationService } from '../../src/invitations/invitation-service.ts';
import {
  type InvitationCard,
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationRecords,
} from '../../src/invitations/records.ts';
import { silentLog } from '../../src/log.ts';
import type { ProfileRecordsQuery } from '../../src/marketplace/client.ts';
import type { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Invitation } from '../../src/marketplace/schema.ts';
import { type Post, type PostId, posts } from '../../src/outbox/posts.ts';
import {
  type ProfileSync,
  profileFeedKey,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../../src/profiles/records.ts';
import { type Store, scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';
import { storedPosts } from '../stored-posts.ts';

export const team = TeamId.parse('T1');
export const ann = UserId.parse('UANN');
export const bob = UserId.parse('UBOB');
export const START = Date.UTC(2026, 0, 5, 9);

export const channelId = (id: string) => ChannelId.parse(id);
export const uidOf = (uid: string) => InvitationUid.parse(uid);

interface Asked {
  readonly at: Instant;
  readonly profile: number;
  readonly organization: number | undefined;
  readonly page: number;
}

export class InvitationWorld {
  readonly team = team;
  readonly clock = new ManualClock(START);
  readonly disk: ReturnType<typeof createMemoryStore>;
  /** The server's items, in any order. */
  readonly server: Invitation[] = [];
  readonly asked: Asked[] = [];
  /** Makes a profile's requests fail with this error. */
  readonly failing = new Map<number, MarketplaceError>();
  /** The server's page size limit, which it reports. */
  pageSize = 100;
  /** Latency of an answer. */
  latencyMs = 0;
  tellsPages = true;
  /** Intercepts the store for the reader. */
  wrap: (store: Store) => Store = (store) => store;
  readonly directory: NameDirectory;
  invitations: InvitationService;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** @param disk from a stopped world */
  constructor(disk = createMemoryStore()) {
    this.disk = disk;
    this.directory = createNameDirectory({
      team,
      store: this.disk,
      marketplace: fakeMarketplace({}).marketplace,
      setups: { onSetupsStored: () => undefined },
      clock: this.clock,
      log: silentLog,
    });
    this.invitations = this.#create();
  }

  get store(): Store {
    return this.disk;
  }

  #create(): InvitationService {
    const { marketplace } = fakeMarketplace({
      fetchInvitations: async (query, { lane, signal }) => {
        if (lane !== 'sync') throw new Error(`asked in the lane ${lane}`);
        const answer = this.#answer(query);
        if (this.latencyMs > 0) await this.clock.sleep(this.latencyMs, signal);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    return new InvitationService({
      team,
      store: this.wrap(this.disk),
      marketplace,
      directory: this.directory,
      clock: this.clock,
      timezone: 'UTC',
      log: silentLog,
    });
  }

  #answer({ profile, organization, page = 1, limit = 20, order = 'DESC' }: ProfileRecordsQuery) {
    this.asked.push({ at: this.clock.now(), profile, organization, page });
    const fails = this.failing.get(profile);
    if (fails) return fails;
    const all = this.server
      .filter((it) => it.profile?.id === profile)
      .filter((it) => organization === undefined || it.organization?.id === organization)
      .sort((a, b) => (b.invitedAt ?? 0) - (a.invitedAt ?? 0) || (a.uid < b.uid ? 1 : -1));
    if (order === 'ASC') all.reverse();
    const size = Math.min(limit, this.pageSize);
    const items = all.slice((page - 1) * size, page * size);
    const pages = this.tellsPages ? { pages: Math.ceil(all.length / size) } : {};
    return { items, unreadable: 0, paging: { page, limit: size, total: all.length, ...pages } };
  }

  /** Adds one to the server. */
  invite(uid: string, change: Partial<Invitation> & { readonly of?: number; readonly org?: number } = {}) {
    const { of = 1, org, ...rest } = change;
    const at = change.invitedAt ?? this.clock.now();
    this.server.push({
      uid,
      title: `Job ${uid}`,
      letter: 'We would like to work with you.',
      profile: { id: ProfileId.parse(of), label: `Profile ${of}` },
      ...(org === undefined ? {} : { organization: { id: OrganizationId.parse(org), label: `Org ${org}` } }),
      status: 'Pending',
      invitedAt: at,
      updatedAt: at,
      ...rest,
    });
  }

  /** Changes it on the server. */
  change(uid: string, change: Partial<Invitation>): void {
    const place = this.server.findIndex((it) => it.uid === uid);
    const before = this.server[place];
    if (!before) throw new Error(`the server has no ${uid}`);
    this.server[place] = { ...before, updatedAt: this.clock.now(), ...change };
  }

  async follow(where: string, profile = 1, organization?: number): Promise<void> {
    const at = this.clock.now();
    const feed = {
      team,
      channel: channelId(where),
      kind: 'invitations',
      profile: ProfileId.parse(profile),
      ...(organization === undefined ? {} : { organization: OrganizationId.parse(organization) }),
      by: ann,
      createdAt: at,
      startsAt: at,
    } as const;
    await this.disk.transact((tx) => tx.put(profileFeeds, profileFeedKey(feed), feed));
    this.invitations.wake();
    await settle();
  }

  async unfollow(where: string, profile = 1): Promise<void> {
    const key = [team, channelId(where), 'invitations', profile, 0] as const;
    await this.disk.transact((tx) => tx.delete(profileFeeds, key));
    this.invitations.wake();
    await settle();
  }

  async pauseChannel(where: string, paused: boolean): Promise<void> {
    const channel = channelId(where);
    const settings = { ...defaultChannelSettings(team, channel) };
    const now = paused ? { ...settings, paused: { by: ann, at: this.clock.now() } } : settings;
    await this.disk.transact((tx) => tx.put(channelSettings, channelSettingsKey(team, channel), now));
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#running = this.invitations.run(this.#stop.signal);
    await settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await settle();
    await this.#running;
  }

  /** Kills the process, and another takes over. The old one's pending calls never settle. */
  async restart(): Promise<void> {
    this.#stop.abort(new Error('dead'));
    await settle();
    this.invitations = this.#create();
    await this.start();
  }

  /** Passes time, timer by timer. */
  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  /** Passes a long time at once, with timers only in the last minutes. */
  async leap(ms: number): Promise<void> {
    this.clock.moveBy(ms);
    await this.passMinutes(3);
  }

  passMinutes(minutes: number): Promise<void> {
    return this.pass(minutes * MINUTE);
  }

  /** A channel's posts, in sending order. */
  posts(where: string): Promise<Post[]> {
    return storedPosts(this.disk, team, ({ channel }) => channel === where);
  }

  /** The invitations posted to the channel, in that order. */
  async told(where: string): Promise<string[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'invitation' ? [content.invitation] : [],
    );
  }

  /** `uid: before > now` for each status line in the channel's threads. */
  async statuses(where: string): Promise<string[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'invitation-status'
        ? [`${content.title}: ${content.before ?? '-'} > ${content.status}`]
        : [],
    );
  }

  async notices(where: string): Promise<string[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'notice' ? [content.notice.about] : [],
    );
  }

  /** Marks all pending posts as delivered. */
  async deliver(): Promise<void> {
    await this.disk.transact(async (tx) => {
      let place = 0;
      for await (const { key, value } of scanCollection(tx, posts, { prefix: [team] })) {
        const ts = MessageTs.parse(`1767603600.${String(place++).padStart(6, '0')}`);
        if (value.state === 'waiting') await tx.put(posts, key, { ...value, state: 'posted', ts });
      }
    });
  }

  post(id: PostId): Promise<Post | undefined> {
    return this.disk.read((tx) => tx.get(posts, [team, id]));
  }

  card(where: string, uid: string): Promise<InvitationCard | undefined> {
    const key = invitationCardKey(team, channelId(where), uidOf(uid));
    return this.disk.read((tx) => tx.get(invitationCards, key));
  }

  record(uid: string): Promise<InvitationRecord | undefined> {
    return this.disk.read((tx) => tx.get(invitationRecords, invitationKey(team, uidOf(uid))));
  }

  sync(profile = 1): Promise<ProfileSync | undefined> {
    const key = profileSyncKey({ team, of: 'invitations', profile: ProfileId.parse(profile) });
    return this.disk.read((tx) => tx.get(profileSyncs, key));
  }
}
