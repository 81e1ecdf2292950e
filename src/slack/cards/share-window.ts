/** The window that posts a card to another channel. */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { CardData } from '../../feed/feed.ts';
import type { ChannelId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { CARD_GONE, findPostLink } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, Message, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { findMembershipRefusal } from '../core/user-channels.ts';
import { formView, sectionBlock } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { channelInput } from '../kit/inputs.ts';
import { channelLink, escapeMrkdwn } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { type CardWindow, cardWindowRoute, readWindowCard } from './card-window.ts';

const FIELD = 'channel';
const TITLE = 'Share Project';

/** On top of the details. */
export function shareView({ id }: CardWindow, { seen }: CardData): ModalView {
  const frame = { id: viewIds.cardShare, carries: id, title: TITLE, submit: 'Share', close: 'Back' };
  return formView(frame, [
    sectionBlock(`*${projectLink(seen.project)}*`),
    channelInput({
      id: FIELD,
      label: 'Channel',
      placeholder: 'Choose a channel',
      hint: "Posts the project's card there, with your name. You and Gigdesk must be in that channel.",
    }),
  ]);
}

/** Whether Gigdesk can post there; else why not. */
export async function findPostingRefusal(
  { services }: Pick<ActionCall, 'services'>,
  channel: ChannelId,
): Promise<Message | undefined> {
  const reach = await services.slack.checkReachability(channel);
  if (reach.kind === 'member') return undefined;
  return {
    text:
      `Gigdesk isn't in ${channelLink(channel)}, so it can't post there. Nothing was shared. ` +
      'Invite it with `/invite @gigdesk`, then try again.',
  };
}

/** Posts the card, or says that it is there already, with a link to it. */
export async function shareCard(
  call: Pick<ActionCall, 'services' | 'person'>,
  channel: ChannelId,
  project: ListedProject,
): Promise<Message> {
  const { services, person } = call;
  const isNew = await services.feed.shareProject(channel, project, person.user);
  const place = channelLink(channel);
  if (isNew)
    return { text: `:white_check_mark: Shared. The project's card appears in ${place} in a moment.` };
  const link = await findPostLink(services, channel, project.key);
  const card = link ? `<${escapeMrkdwn(link)}|See its card>` : 'See its card';
  return { text: `This project was already posted in ${place}. ${card} there.` };
}

async function share(call: ViewSubmissionCall, window: CardWindow, to: ChannelId): Promise<void> {
  const { services, person } = call;
  const card = await readWindowCard(call, window);
  if (!card) return call.answer(CARD_GONE);
  const refusal = await findMembershipRefusal(services, person.user, to);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const there = await services.resolvePerson(person.user, to);
  if (!hasRoleAtLeast(there.role, 'viewer')) return call.answer(notAllowedMessage(there, 'viewer'));
  await call.answer((await findPostingRefusal(call, to)) ?? (await shareCard(call, to, card.seen.project)));
}

export const shareWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardShare, TITLE, (values) => {
  const to = values.get(FIELD)?.channel;
  if (to === undefined) return { errors: { [FIELD]: 'Choose a channel.' } };
  return { run: (call, window) => share(call, window, to) };
});
