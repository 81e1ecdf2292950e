/** The feed for handlers: scripted state, with cards in the store. */
import { applyChannelPreferences, listChangedPreferences } from '../../src/feed/channels.ts';
import type { FeedService } from '../../src/feed/create-feed.ts';
import type { NamedFilter, SubscribeOutcome } from '../../src/feed/feed.ts';
import {
  type Card,
  type ChannelSettings,
  cardKey,
  cards,
  type Subscription,
  seenProjectKey,
  seenProjects,
} from '../../src/feed/records.ts';
import type { ProjectKey } from '../../src/ids.ts';
import type { PostId } from '../../src/outbox/posts.ts';
import type { Store } from '../../src/storage/store.ts';
import { never } from './never.ts';
import { CHANNEL, NOW, TEAM } from './samples.ts';

export interface FeedState {
  settings: ChannelSettings;
  subscriptions: Subscription[];
  known: NamedFilter[];
  /** Replaces the result of the next subscribe. */
  refuse: SubscribeOutcome | undefined;
  released: PostId[];
  woken: number;
}

interface Ground {
  readonly state: FeedState;
  readonly store: Store;
  readonly clock: { now(): number };
}

export function fakeFeed({ state, store, clock }: Ground): FeedService {
  async function changeCard(project: ProjectKey, change: (card: Card) => Card): Promise<boolean> {
    return store.transact(async (tx) => {
      const key = cardKey(TEAM, CHANNEL, project);
      const card = await tx.get(cards, key);
      if (card) await tx.put(cards, key, change(card));
      return card !== undefined;
    });
  }

  return {
    run: never('run'),
    hintFilters: never('hintFilters'),
    listStoredFilters: async () => state.known,
    listRecentFilterProjects: async () => [],
    postFirstCard: async () => 'not-needed',
    quietHoursJob: { name: 'quiet hours', runIfDue: async () => undefined },
    async changeChannelPreferences(_channel, { shown, wanted }) {
      const changed = listChangedPreferences(shown, wanted);
      state.settings = applyChannelPreferences(state.settings, wanted, changed);
      return { changed, overwrittenPreferences: [], settings: state.settings };
    },
    bundleCardsIntoSummary: never('bundleFlood'),
    restartStoppedFeeds: never('restartStoppedFeeds'),
    stopChannelFeeds: never('stopChannel'),
    async subscribe({ channel, filter, rules, backfill, by }) {
      if (state.refuse) return state.refuse;
      const known = state.known.find((each) => each.id === filter);
      const named: NamedFilter = known ?? { id: filter };
      const subscription: Subscription = {
        team: TEAM,
        channel,
        filter: named.id,
        rules,
        by,
        createdAt: NOW,
        startsAt: NOW,
        ...(backfill > 0
          ? {
              backfill: {
                askedAt: NOW,
                by,
                asked: backfill,
                left: backfill,
                posted: 0,
                credits: 0,
                audit: [NOW, 1],
              },
            }
          : {}),
      };
      state.subscriptions.push(subscription);
      return {
        kind: 'subscribed',
        subscription,
        ...(named.name ? { filterName: named.name } : {}),
        ...(known ? {} : { unconfirmed: 'no-results' }),
      };
    },
    changeRules: never('changeRules'),
    async unsubscribe(_channel, filter) {
      const ended = state.subscriptions.find((each) => each.filter === filter);
      state.subscriptions = state.subscriptions.filter((each) => each !== ended);
      return ended;
    },
    listSubscriptions: async () =>
      state.subscriptions.map((subscription) => ({
        subscription,
        filter: state.known.find((each) => each.id === subscription.filter) ?? { id: subscription.filter },
        state: { kind: 'live' },
      })),
    listKnownFilters: async () => ({ filters: state.known }),
    async pauseChannelFeed(_channel, by, until) {
      state.settings = { ...state.settings, paused: { by, at: NOW, ...(until ? { until } : {}) } };
    },
    async resumeChannelFeed() {
      const { paused, ...rest } = state.settings;
      state.settings = rest;
      return paused !== undefined;
    },
    async claimProject(channel, project, { by }) {
      const card = await store.read((tx) => tx.get(cards, cardKey(TEAM, channel, project)));
      if (!card) return { kind: 'no-card' };
      if (card.claim && card.claim.by !== by) return { kind: 'held', ...card.claim };
      await changeCard(project, (it) => ({ ...it, claim: { by, at: clock.now() } }));
      return { kind: 'claimed' };
    },
    async releaseProjectClaim(channel, project, by, mayReleaseOthers) {
      const card = await store.read((tx) => tx.get(cards, cardKey(TEAM, channel, project)));
      if (!card) return { kind: 'no-card' };
      if (!card.claim) return { kind: 'free' };
      if (card.claim.by !== by && !mayReleaseOthers) return { kind: 'held', ...card.claim };
      await changeCard(project, ({ claim: _claim, ...rest }) => rest);
      return { kind: 'released' };
    },
    async skipProject(_channel, project, by, reason) {
      const skip = { by, at: clock.now(), reason };
      const done = await changeCard(project, (it) => ({ ...it, skip }));
      return { kind: done ? 'done' : 'no-card' };
    },
    undoSkip: (_channel, project) => changeCard(project, ({ skip: _skip, ...rest }) => rest),
    async assignProject(channel, project, { to, by, mayReassign }) {
      const card = await store.read((tx) => tx.get(cards, cardKey(TEAM, channel, project)));
      if (!card) return { kind: 'no-card' };
      if (card.claim?.by === to) return { kind: 'same' };
      if (card.claim && card.claim.by !== by && !mayReassign) return { kind: 'held', ...card.claim };
      await changeCard(project, (it) => ({ ...it, claim: { by: to, at: clock.now(), assignedBy: by } }));
      return { kind: 'assigned' };
    },
    shareProject: async () => true,
    async addMute(_channel, mute, by) {
      state.settings = { ...state.settings, mutes: [...state.settings.mutes, { ...mute, by, at: NOW }] };
      return 'muted';
    },
    async removeMute(_channel, mute) {
      const mutes = state.settings.mutes.filter((it) => it.kind !== mute.kind || it.value !== mute.value);
      const wasMuted = mutes.length < state.settings.mutes.length;
      state.settings = { ...state.settings, mutes };
      return wasMuted;
    },
    async readCardData(tx, channel, project) {
      const card = await tx.get(cards, cardKey(TEAM, channel, project));
      const seen = await tx.get(seenProjects, seenProjectKey(TEAM, project));
      return card && seen && { card, seen, filters: state.known, settings: state.settings };
    },
    async postMoreCardsFromSummary(flood) {
      state.released.push(flood);
      return 10;
    },
    readChannelSettings: async () => state.settings,
    readFeedStatus: async () => ({
      filters: state.known.map((filter) => ({ filter, channels: [CHANNEL], perHour: 1, gaps: 0 })),
    }),
    wake: () => {
      state.woken++;
    },
  };
}
