/** The feed as handlers see it: what they ask of it stands in a state, and cards in the store. */
import { differences, withChoices } from '../../src/feed/choices.ts';
import type { Feed, NamedFilter, SubscribeOutcome } from '../../src/feed/feed.ts';
import {
  type Card,
  type ChannelSettings,
  cardKey,
  cards,
  projectRecordKey,
  type Subscription,
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
  /** Answers the next subscribe instead of doing it. */
  refuse: SubscribeOutcome | undefined;
  released: PostId[];
  woken: number;
}

interface Ground {
  readonly state: FeedState;
  readonly store: Store;
  readonly clock: { now(): number };
}

export function fakeFeed({ state, store, clock }: Ground): Feed {
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
    setDensity: never('setDensity'),
    quietJob: { name: 'quiet hours', run: async () => undefined },
    async choose(_channel, { shown, wanted }) {
      const changed = differences(shown, wanted);
      state.settings = withChoices(state.settings, wanted, changed);
      return { changed, overruled: [], settings: state.settings };
    },
    bundleFlood: never('bundleFlood'),
    stopChannel: never('stopChannel'),
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
        ...(backfill > 0 ? { backfillLeft: backfill, backfillAsked: backfill } : {}),
      };
      state.subscriptions.push(subscription);
      return {
        kind: 'subscribed',
        subscription,
        ...(named.name ? { filterName: named.name } : {}),
        ...(known ? {} : { unconfirmed: true }),
      };
    },
    async unsubscribe(_channel, filter) {
      const ended = state.subscriptions.find((each) => each.filter === filter);
      state.subscriptions = state.subscriptions.filter((each) => each !== ended);
      return ended;
    },
    subscriptions: async () =>
      state.subscriptions.map((subscription) => ({
        subscription,
        filter: state.known.find((each) => each.id === subscription.filter) ?? { id: subscription.filter },
        state: { kind: 'live' },
      })),
    knownFilters: async () => ({ filters: state.known }),
    async pause(_channel, by, until) {
      state.settings = { ...state.settings, paused: { by, at: NOW, ...(until ? { until } : {}) } };
    },
    async resume() {
      const { paused, ...rest } = state.settings;
      state.settings = rest;
      return paused !== undefined;
    },
    async claim(channel, project, by) {
      const card = await store.read((tx) => tx.get(cards, cardKey(TEAM, channel, project)));
      if (!card) return { kind: 'no-card' };
      if (card.claim && card.claim.by !== by) return { kind: 'held', ...card.claim };
      await changeCard(project, (it) => ({ ...it, claim: { by, at: clock.now() } }));
      return { kind: 'claimed' };
    },
    async release(channel, project, by, mayReleaseOthers) {
      const card = await store.read((tx) => tx.get(cards, cardKey(TEAM, channel, project)));
      if (!card) return { kind: 'no-card' };
      if (!card.claim) return { kind: 'free' };
      if (card.claim.by !== by && !mayReleaseOthers) return { kind: 'held', ...card.claim };
      await changeCard(project, ({ claim: _claim, ...rest }) => rest);
      return { kind: 'released' };
    },
    skip: (_channel, project, by, reason) =>
      changeCard(project, ({ skip: _skip, ...rest }) =>
        reason ? { ...rest, skip: { by, at: clock.now(), reason } } : rest,
      ),
    async mute(_channel, mute, by) {
      state.settings = { ...state.settings, mutes: [...state.settings.mutes, { ...mute, by, at: NOW }] };
      return 'muted';
    },
    async unmute(_channel, mute) {
      const mutes = state.settings.mutes.filter((it) => it.kind !== mute.kind || it.value !== mute.value);
      const wasMuted = mutes.length < state.settings.mutes.length;
      state.settings = { ...state.settings, mutes };
      return wasMuted;
    },
    async cardView(tx, channel, project) {
      const card = await tx.get(cards, cardKey(TEAM, channel, project));
      const seen = await tx.get(seenProjects, projectRecordKey(TEAM, project));
      return card && seen && { card, seen, filters: state.known, settings: state.settings };
    },
    async showMore(flood) {
      state.released.push(flood);
      return 10;
    },
    settings: async () => state.settings,
    status: async () => ({
      filters: state.known.map((filter) => ({ filter, channels: [CHANNEL], perHour: 1, gaps: 0 })),
    }),
    wake: () => {
      state.woken++;
    },
  };
}
