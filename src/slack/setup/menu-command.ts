/** `/gig` alone, mentions of the bot and direct messages to it: all are answered with the menu. */
import { isDirectMessage } from '../../ids.ts';
import { isAccountMissing } from '../account/account.ts';
import type {
  BareCommandRoute,
  CommandCall,
  Message,
  MessageToBotCall,
  Person,
  Services,
} from '../core/routes.ts';
import { menuMessage } from './menu.ts';

async function renderMenu(
  services: Services,
  channel: CommandCall['channel'],
  { role }: Person,
): Promise<Message> {
  const { feed, profiles } = services;
  const facts = { role, isAccountMissing: isAccountMissing(services) };
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

export async function answerDirectMessage({
  services,
  channel,
  person,
  thread,
}: MessageToBotCall): Promise<void> {
  await services.slack.post(channel, await renderMenu(services, channel, person), thread);
}
