/** The window that assigns a card to a colleague. */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { CardData } from '../../feed/feed.ts';
import { ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { CARD_GONE, findPostLink } from '../core/handler-steps.ts';
import type { ActionCall, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { checkChannelVisibility, readClaimer } from '../core/user-channels.ts';
import { formView, sectionBlock } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { userInput } from '../kit/inputs.ts';
import { channelLink, formatMention } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { claimElsewhereText } from '../kit/words/labels.ts';
import { projectAlreadyClaimedMessage } from './card-notices.ts';
import { type CardWindow, cardWindowRoute, cardWindows, readWindowCard } from './card-window.ts';

const FIELD = 'assignee';
const TITLE = 'Assign Project';

export async function openAssignWindow(call: ActionCall, { card, seen }: CardData): Promise<void> {
  const { id } = await cardWindows.save(call, { project: card.project });
  const frame = { id: viewIds.cardAssign, carries: id, title: TITLE, submit: 'Assign' };
  const view = formView(frame, [
    sectionBlock(`*${projectLink(seen.project)}*`),
    userInput({
      id: FIELD,
      label: 'Assign to',
      placeholder: 'Choose a colleague',
      hint: 'Claims the project for them. They get one direct message about it.',
    }),
  ]);
  await call.services.slack.openView(call.triggerId, view);
}

/** Why the colleague can't get a card of the channel, as safe mrkdwn; undefined: they can. */
async function findAssigneeRefusal(call: ViewSubmissionCall, to: UserId): Promise<string | undefined> {
  const { services, channel } = call;
  const name = formatMention(to);
  if (isDirectMessage(channel)) return "Cards in a direct message can't be assigned.";
  const person = await services.resolvePerson(to, channel);
  const unsure = `Couldn't check if ${name} can see this channel. Nothing changed. Try again in a minute.`;
  if (person.unsure) return unsure;
  if (!hasRoleAtLeast(person.role, 'viewer'))
    return (
      `Couldn't assign this to ${name}: guests, apps and people from other workspaces can only read. ` +
      'Choose a full member of this workspace.'
    );
  const reader = { services, person, channel: ChannelId.parse(to) };
  const sight = await checkChannelVisibility(reader, channel);
  if (sight === 'unsure') return unsure;
  return sight === 'open'
    ? undefined
    : `Couldn't assign this to ${name}: they aren't in ${channelLink(channel)}. Invite them, then try again.`;
}

async function assign(call: ViewSubmissionCall, window: CardWindow, to: UserId): Promise<void> {
  const { services, person } = call;
  const { channel, project } = window;
  const card = await readWindowCard(call, window);
  if (!card) return call.answer(CARD_GONE);
  const refusal = to === person.user ? undefined : await findAssigneeRefusal(call, to);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const outcome = await services.feed.assignProject(channel, project, {
    to,
    ...(await readClaimer(call, channel)),
    mayReassign: hasRoleAtLeast(person.role, 'admin'),
    title: card.seen.project.title,
    link: await findPostLink(services, channel, project),
  });
  switch (outcome.kind) {
    case 'assigned': {
      const { elsewhere } = outcome;
      if (!elsewhere) return;
      const isPublic = (await checkChannelVisibility(call, elsewhere.channel)) === 'open';
      return call.answer({ text: `Assigned. ${claimElsewhereText({ ...elsewhere, isPublic })}, too.` });
    }
    case 'same':
      return call.answer({ text: `${formatMention(to)} has this project already.` });
    case 'held':
      return call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
    case 'no-card':
      return call.answer(CARD_GONE);
  }
}

export const assignWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardAssign, TITLE, (values) => {
  const to = values.get(FIELD)?.users?.[0];
  if (to === undefined) return { errors: { [FIELD]: 'Choose a colleague.' } };
  return { run: (call, window) => assign(call, window, to) };
});
