/**
 * The menu: the most common things as buttons. It answers `/gig` alone, mentions of the bot and direct
 * messages to it.
 */
import type { Button } from '@slack/types';
import { hasRoleAtLeast, type Role } from '../../access/access.ts';
import { type ChannelId, isDirectMessage } from '../../ids.ts';
import { connectButton, isAccountMissing } from '../account/account.ts';
import type { BareCommandRoute, Message, MessageToBotCall, Person, Services } from '../core/routes.ts';
import { actionsBlock, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { type CommandButtonFacts, commandButton, setUpButton } from '../kit/command-button.ts';
import { formatCount } from '../kit/numbers.ts';
import { NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';

const MENU_ITEMS = [
  { command: 'list', label: 'Subscriptions', needs: 'outsider' },
  { command: 'settings', label: 'Settings', needs: 'viewer' },
  { command: 'follow', label: 'Followed Projects', needs: 'viewer' },
  { command: 'stats', label: 'Statistics', needs: 'viewer' },
  { command: 'status', label: 'Status', needs: 'viewer' },
  { command: 'help', label: 'All Commands', needs: 'outsider' },
] as const satisfies readonly (CommandButtonFacts & { readonly needs: Role })[];

interface MenuFacts {
  readonly role: Role;
  /** How many feeds the channel has; missing in direct messages, which can't have any. */
  readonly feeds?: number;
  readonly needsAccount?: boolean;
}

function stateText({ role, feeds, needsAccount }: MenuFacts): string {
  if (!hasRoleAtLeast(role, 'viewer'))
    return 'As a guest or external member, you can read cards, and see what this channel gets.';
  if (needsAccount) return NOT_CONNECTED;
  if (feeds === undefined)
    return (
      'To add a channel, type `/invite @gigdesk` there, then press *Set Up This Channel*. ' +
      'Projects that you follow arrive here.'
    );
  return feeds === 0
    ? 'This channel gets nothing yet. Set it up first: that takes about a minute and costs no credits.'
    : `This channel has ${formatCount(feeds, 'subscription')}.`;
}

function firstButtons({ role, feeds, needsAccount }: MenuFacts): Button[] {
  if (needsAccount) return hasRoleAtLeast(role, 'admin') ? [connectButton()] : [];
  if (feeds === undefined || !hasRoleAtLeast(role, 'viewer')) return [];
  return feeds === 0
    ? [setUpButton('Set Up Channel')]
    : [setUpButton('Add Subscription', { isPrimary: false, opens: 'add' })];
}

function menuMessage(facts: MenuFacts): Message {
  const { role, feeds } = facts;
  const what =
    'Gigdesk posts new projects from your saved filters in channels, ' +
    'as cards that your team claims, skips or bids on.';
  const text = joinLines(what, stateText(facts));
  const items = MENU_ITEMS.filter(
    ({ needs, command }) =>
      hasRoleAtLeast(role, needs) && (feeds !== undefined || (command !== 'list' && command !== 'settings')),
  );
  return {
    text,
    blocks: [
      sectionBlock(text),
      actionsBlock([...firstButtons(facts), ...items.map(commandButton)]),
      ...(hasRoleAtLeast(role, 'viewer')
        ? [contextBlock('Bid, Details and Claim are on each card. `/gig lookup` shows any project.')]
        : []),
    ],
  };
}

async function renderMenu(services: Services, channel: ChannelId, { role }: Person): Promise<Message> {
  const { feed, profiles } = services;
  const facts = { role, needsAccount: isAccountMissing(services) };
  if (isDirectMessage(channel)) return menuMessage(facts);
  const [subscriptions, followed] = await Promise.all([
    feed.listSubscriptions(channel),
    profiles.listChannelProfileFeeds(channel),
  ]);
  return menuMessage({ ...facts, feeds: subscriptions.length + followed.length });
}

export const menuCommand: BareCommandRoute = {
  needs: 'outsider',
  run: async (call) => call.answer(await renderMenu(call.services, call.channel, call.person)),
};

/** In a channel, only the person sees the answer, in the thread that they wrote in. */
export async function answerMention({ services, channel, person, thread }: MessageToBotCall): Promise<void> {
  await services.slack.ephemeral(channel, person.user, await renderMenu(services, channel, person), thread);
}

export async function answerDirectMessage(call: MessageToBotCall): Promise<void> {
  const { services, channel, person, thread } = call;
  await services.slack.post(channel, await renderMenu(services, channel, person), thread);
}
