/** Home tab actions that do what a channel's commands do, and those of the marketplace account. */
import { findSubscription } from '../../feed/channels.ts';
import type { ChannelId, FilterId } from '../../ids.ts';
import { findProfileFeed } from '../../profiles/profile-feeds.ts';
import { createAccountView, openAccountForm, removeAccount } from '../account/account.ts';
import { budgetModal, createBudgetView, setChannelBudget } from '../budgets/budgets.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import type { ActionRoute, CommandRoute, Services, ViewSubmissionCall } from '../core/routes.ts';
import { findMembershipRefusal } from '../core/user-channels.ts';
import { digestCommand } from '../digests/digests.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { settingsCommand } from '../settings/settings.ts';
import { openSetup, openSubscriptionEdit } from '../setup/setup.ts';
import {
  pauseCommand,
  resumeChannel,
  unfollowProfileAndNotify,
  unsubscribeAndNotify,
} from '../subscriptions/subscriptions.ts';
import { createHomeAction, HOME_ITEM_OUTDATED_NOTICE } from './create-home-action.ts';
import { followedFilterValueCodec, followedProfileValueCodec, homeChannelValueCodec } from './home-facts.ts';
import { publishHomeAfterPress } from './show-home.ts';

const ofWorkspace = { needs: 'admin', parseValue: (value: string) => value } as const;

export const homeAccountActions: readonly ActionRoute[] = [
  createHomeAction({
    ...ofWorkspace,
    id: actionIds.homeAccountConnect,
    async run(call) {
      await openAccountForm(call);
      return 'left';
    },
  }),
  createHomeAction({
    ...ofWorkspace,
    id: actionIds.homeAccountRemove,
    pendingLabel: '“Remove”',
    async run(call) {
      await removeAccount(call);
      return 'drawn';
    },
  }),
];

export const accountView = createAccountView(({ services, person }) =>
  publishHomeAfterPress(services, person.user, undefined),
);

/** The Home tab is redrawn at the end. */
const drawnLater = async () => undefined;

const ofFilter = {
  needs: 'viewer' as const,
  parseValue: (value: string) => followedFilterValueCodec.read(value),
  findChannel: async (
    { channel, filter }: { readonly channel: ChannelId; readonly filter: FilterId },
    { services: { store } }: { readonly services: Services },
  ) => (await store.read((tx) => findSubscription(tx, channel, filter)))?.channel,
};

const unsubscribe = createHomeAction({
  ...ofFilter,
  id: actionIds.homeUnsubscribe,
  async run(call, { filter }) {
    await unsubscribeAndNotify(call, filter, drawnLater);
    return 'drawn';
  },
});

const edit = createHomeAction({
  ...ofFilter,
  id: actionIds.homeEdit,
  async run(call, { channel, filter }) {
    if (!(await openSubscriptionEdit(call, channel, filter)))
      await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    return 'left';
  },
});

const endFeed = createHomeAction({
  id: actionIds.homeFeedEnd,
  needs: 'viewer',
  parseValue: (value) => followedProfileValueCodec.read(value),
  async findChannel({ channel, feed: kind, profile, organization }, { services: { store } }) {
    const feed = { channel, kind, profile, organization };
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
    await slack.openView(triggerId, budgetModal(budget, viewIds.homeBudget));
    return 'left';
  },
});

const setUp = createHomeAction({
  ...ofChannel,
  id: actionIds.homeSetUp,
  needs: 'viewer',
  async run(call) {
    // Where one filter is set up, the next step is in its form. Of several, none is the right one.
    const [only, ...more] = await call.services.feed.listSubscriptions(call.channel);
    const edited = more.length === 0 ? only?.filter.id : undefined;
    if (!(await openSubscriptionEdit(call, call.channel, edited))) await openSetup(call);
    return 'left';
  },
});

const resume = createHomeAction({
  ...ofChannel,
  id: actionIds.homeResume,
  needs: 'admin',
  async run(call) {
    await resumeChannel(call);
    return 'drawn';
  },
});

export const homeChannelActions: readonly ActionRoute[] = [
  setUp,
  edit,
  unsubscribe,
  endFeed,
  openBudget,
  asTyped(actionIds.homePause, pauseCommand, '', 'drawn'),
  resume,
  asTyped(actionIds.homeSettings, settingsCommand, '', 'left'),
  asTyped(actionIds.homeDigest, digestCommand, 'now', 'drawn'),
];

async function saveHomeBudget(call: ViewSubmissionCall, limit: number | 'unlimited'): Promise<void> {
  const { services, person, channel } = call;
  const refusal = await findMembershipRefusal(services, person.user, channel);
  const answer: ViewSubmissionCall['answer'] = (message, to) =>
    to === 'channel' ? postResultToChannel(call, message) : call.answer(message, to);
  if (refusal === undefined) await setChannelBudget({ ...call, answer }, limit);
  await publishHomeAfterPress(services, person.user, refusal);
}

export const homeBudgetView = createBudgetView(viewIds.homeBudget, saveHomeBudget);
