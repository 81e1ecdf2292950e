/** Home tab actions that do what a channel's commands do, and those of the marketplace account. */
import { findSubscription } from '../../feed/channels.ts';
import type { ChannelId, FilterId } from '../../ids.ts';
import { findProfileFeed } from '../../profiles/profile-feeds.ts';
import { createAccountView, openAccountForm, removeAccount } from '../account/account.ts';
import { budgetModal, createBudgetView, setChannelBudget } from '../budgets/budgets.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandRoute, Services, ViewSubmissionCall } from '../core/routes.ts';
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
    run: openAccountForm,
  }),
  createHomeAction({
    ...ofWorkspace,
    id: actionIds.homeAccountRemove,
    pendingLabel: '“Remove”',
    redraws: true,
    run: removeAccount,
  }),
];

export const accountView = createAccountView(({ services, person }) =>
  publishHomeAfterPress(services, person.user),
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

/** A channel's ID proves nothing: `createHomeAction` first checks that the person is in the channel. */
const ofChannel = {
  parseValue: (value: string) => homeChannelValueCodec.read(value),
  findChannel: async ({ channel }: { readonly channel: ChannelId }) => channel,
};

/** Runs the command as if typed in the channel. @param redraws the Home tab shows the result */
function asTyped(id: string, command: CommandRoute, args: string, redraws: boolean): ActionRoute {
  const run = (call: ActionCall) => command.run({ ...call, args });
  return createHomeAction({ ...ofChannel, id, needs: command.needs, redraws, run });
}

export const homeChannelActions: readonly ActionRoute[] = [
  createHomeAction({
    ...ofChannel,
    id: actionIds.homeSetUp,
    needs: 'viewer',
    async run(call) {
      // Where one filter is set up, the next step is in its form. Of several, none is the right one.
      const [only, ...more] = await call.services.feed.listSubscriptions(call.channel);
      const edited = more.length === 0 ? only?.filter.id : undefined;
      if (!(await openSubscriptionEdit(call, call.channel, edited))) await openSetup(call);
    },
  }),
  createHomeAction({
    ...ofFilter,
    id: actionIds.homeEdit,
    async run(call, { channel, filter }) {
      if (!(await openSubscriptionEdit(call, channel, filter)))
        await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    },
  }),
  createHomeAction({
    ...ofFilter,
    id: actionIds.homeUnsubscribe,
    redraws: true,
    run: (call, { filter }) => unsubscribeAndNotify(call, filter, drawnLater),
  }),
  createHomeAction({
    id: actionIds.homeFeedEnd,
    needs: 'viewer',
    parseValue: (value) => followedProfileValueCodec.read(value),
    async findChannel({ channel, feed: kind, profile, organization }, { services: { store } }) {
      const feed = { channel, kind, profile, organization };
      return (await store.read((tx) => findProfileFeed(tx, feed)))?.channel;
    },
    redraws: true,
    run: (call, named) => unfollowProfileAndNotify(call, named, drawnLater),
  }),
  createHomeAction({
    ...ofChannel,
    id: actionIds.homeBudget,
    needs: 'admin',
    async run({ services, triggerId, channel }) {
      const { store, credits, clock, slack } = services;
      const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
      await slack.openView(triggerId, budgetModal(budget, viewIds.homeBudget));
    },
  }),
  asTyped(actionIds.homePause, pauseCommand, '', true),
  createHomeAction({
    ...ofChannel,
    id: actionIds.homeResume,
    needs: 'admin',
    redraws: true,
    run: (call) => resumeChannel(call),
  }),
  asTyped(actionIds.homeSettings, settingsCommand, '', false),
  asTyped(actionIds.homeDigest, digestCommand, 'now', true),
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
