/** Home tab actions that do what a channel's commands do, and the form that sets a channel's budget. */

import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { BudgetState } from '../../credits/credits.ts';
import { findSubscription } from '../../feed/channels.ts';
import { ChannelId } from '../../ids.ts';
import { findProfileFeed } from '../../profiles/profile-feeds.ts';
import { parseBudgetLimit, setChannelBudget } from '../budgets/budgets.ts';
import { membershipRefusal } from '../core/request-errors.ts';
import type {
  ActionRoute,
  CommandRoute,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { checkChannelMembership } from '../core/user-channels.ts';
import { digestCommand } from '../digests/digests.ts';
import { noticeView, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { settingsCommand } from '../settings/settings.ts';
import { openSetup, openSubscriptionEdit } from '../setup/setup.ts';
import {
  pauseCommand,
  resumeCommand,
  unfollowProfileAndNotify,
  unsubscribeAndNotify,
} from '../subscriptions/subscriptions.ts';
import { createHomeAction, HOME_ITEM_OUTDATED_NOTICE } from './create-home-action.ts';
import { budgetUsageText } from './home-channel-blocks.ts';
import { followedFilterValueCodec, followedProfileValueCodec, homeChannelValueCodec } from './home-facts.ts';
import { publishHomeAfterPress } from './show-home.ts';

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

const edit = createHomeAction({
  id: actionIds.homeEdit,
  needs: 'viewer',
  parseValue: (value) => followedFilterValueCodec.read(value),
  findChannel: async ({ channel, filter }, { services: { store, team } }) =>
    (await store.read((tx) => findSubscription(tx, team, channel, filter)))?.channel,
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

const setUp = createHomeAction({
  ...ofChannel,
  id: actionIds.homeSetUp,
  needs: 'viewer',
  async run(call) {
    await openSetup(call);
    return 'left';
  },
});

export const homeChannelActions: readonly ActionRoute[] = [
  setUp,
  edit,
  unsubscribe,
  endFeed,
  openBudget,
  asTyped(actionIds.homePause, pauseCommand, '', 'drawn'),
  asTyped(actionIds.homeResume, resumeCommand, '', 'drawn'),
  asTyped(actionIds.homeSettings, settingsCommand, '', 'left'),
  asTyped(actionIds.homeDigest, digestCommand, 'now', 'drawn'),
];

async function save(call: ViewSubmissionCall, limit: number | 'unlimited'): Promise<void> {
  const { services, person, channel } = call;
  const refusal = membershipRefusal(await checkChannelMembership(services, person.user, channel));
  if (refusal === undefined) await setChannelBudget(call, limit);
  await publishHomeAfterPress(services, person.user, refusal);
}

async function submit({ view }: ViewInteraction): Promise<SubmissionResponse> {
  const channel = parseBudgetModalChannel(view.privateMetadata);
  if (!channel) return { kind: 'update', view: noticeView('Channel Budget', HOME_ITEM_OUTDATED_NOTICE) };
  const limit = parseBudgetLimit((view.values.get(BUDGET_FIELD)?.text ?? '').trim());
  if (limit === undefined) return { kind: 'errors', errors: { [BUDGET_FIELD]: BUDGET_INPUT_ERROR } };
  return { kind: 'close', channel, after: (call) => save(call, limit) };
}

export const homeBudgetView: ViewRoute = { id: viewIds.homeBudget, needs: 'admin', submit };

const BUDGET_FIELD = 'budget';
const BUDGET_INPUT_ERROR =
  'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or off for no limit.';

const Place = z
  .string()
  .regex(/^[CG][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

/** Untrusted input: the submission checks the user's role in this channel. */
function parseBudgetModalChannel(privateMetadata: string): ChannelId | undefined {
  return Place.safeParse(privateMetadata).data;
}

function budgetModal(budget: BudgetState): ModalView {
  const { channel, limit } = budget;
  return {
    type: 'modal',
    callback_id: viewIds.homeBudget,
    private_metadata: channel,
    title: plainTextObject('Channel Budget'),
    submit: plainTextObject('Set'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${channelLink(channel)}*\n${budgetUsageText(budget)}`),
      textInput({
        id: BUDGET_FIELD,
        label: 'Credits per billing period',
        hint: 'With fewer than 10 credits left, new projects wait. Enter “off” to remove the channel limit.',
        initial: limit === 'unlimited' ? 'off' : String(limit),
        maxLength: 20,
      }),
    ],
  };
}
