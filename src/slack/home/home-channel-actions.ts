/** Home tab actions that do what a channel's commands do. */
import { findSubscription } from '../../feed/channels.ts';
import type { ChannelId } from '../../ids.ts';
import { findProfileFeed } from '../../profiles/profile-feeds.ts';
import type { ActionRoute, CommandRoute } from '../core/routes.ts';
import { digestCommand } from '../digests/digests.ts';
import { actionIds } from '../kit/ids.ts';
import { settingsCommand } from '../settings/settings.ts';
import {
  pauseCommand,
  resumeCommand,
  unfollowProfileAndNotify,
  unsubscribeAndNotify,
} from '../subscriptions/subscriptions.ts';
import { createHomeAction } from './create-home-action.ts';
import { budgetModal } from './home-budget-view.ts';
import { followedFilterValueCodec, followedProfileValueCodec, homeChannelValueCodec } from './home-values.ts';

/** The Home tab is redrawn at the end. */
const drawnLater = async () => undefined;

const unsubscribe = createHomeAction({
  id: actionIds.homeUnsubscribe,
  needs: 'viewer',
  parseValue: (value) => followedFilterValueCodec.read(value),
  findChannel: async ({ channel, filter }, { services: { store, team } }) =>
    (await store.read((tx) => findSubscription(tx, team, channel, filter)))?.channel,
  async run(call, { filter }) {
    await unsubscribeAndNotify(call, filter, drawnLater);
    return 'drawn';
  },
});

const endFeed = createHomeAction({
  id: actionIds.homeFeedEnd,
  needs: 'viewer',
  parseValue: (value) => followedProfileValueCodec.read(value),
  async findChannel({ channel, feed: kind, profile, organization }, { services: { store, team } }) {
    const feed = { team, channel, kind, profile, organization };
    return (await store.read((tx) => findProfileFeed(tx, feed)))?.channel;
  },
  async run(call, named) {
    await unfollowProfileAndNotify(call, named, drawnLater);
    return 'drawn';
  },
});

/** A channel's ID proves nothing: `createHomeAction` first checks that the person is in the channel. */
const ofChannel = {
  parseValue: (value: string) => homeChannelValueCodec.read(value),
  findChannel: async ({ channel }: { readonly channel: ChannelId }) => channel,
};

/** Runs the command as if typed in the channel. @param end whether the Home tab shows the result */
function asTyped(id: string, command: CommandRoute, args: string, end: 'drawn' | 'left'): ActionRoute {
  return createHomeAction({
    ...ofChannel,
    id,
    needs: command.needs,
    async run(call) {
      await command.run({ ...call, args });
      return end;
    },
  });
}

const openBudget = createHomeAction({
  ...ofChannel,
  id: actionIds.homeBudget,
  needs: 'admin',
  async run({ services, triggerId, channel }) {
    const { store, credits, clock, slack } = services;
    const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
    await slack.openView(triggerId, budgetModal(budget));
    return 'left';
  },
});

export const homeChannelActions: readonly ActionRoute[] = [
  unsubscribe,
  endFeed,
  openBudget,
  asTyped(actionIds.homePause, pauseCommand, '', 'drawn'),
  asTyped(actionIds.homeResume, resumeCommand, '', 'drawn'),
  asTyped(actionIds.homeSettings, settingsCommand, '', 'left'),
  asTyped(actionIds.homeDigest, digestCommand, 'now', 'drawn'),
];
